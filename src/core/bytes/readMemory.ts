/** What was read of files, kept: a small file is looked at by several readers, and no byte of it is read twice. */
import type { ByteSource } from './byteSource.js';
import { limits } from './limits.js';

/** Bytes of a file that are kept, from `offset` on. */
interface Stretch {
  offset: number;
  bytes: Uint8Array;
}

/** A read that has not ended: others of the same bytes wait for it. */
interface ReadUnderWay {
  offset: number;
  end: number;
  /** When it has ended, well or not. */
  done: Promise<void>;
}

interface RememberedFile {
  sizeBytes: number;
  /** In rising order, none over another. */
  stretches: Stretch[];
  underWay: ReadUnderWay[];
  /** Set where others took its room while a read was under way. */
  isForgotten?: boolean;
}

export class ReadMemory {
  /** The one that was used last is last. */
  private readonly files = new Map<string, RememberedFile>();
  private keptBytes = 0;

  /** @param maxBytes what is kept of all files together; larger files are not kept at all */
  constructor(private readonly maxBytes: number = limits.rememberedBytes) {}

  /** The source, with reads answered from what is kept. Only what is missing is read. @param path which file it is of, in all its sources */
  over(path: string, source: ByteSource): ByteSource {
    if (source.sizeBytes > this.maxBytes) return source;
    return {
      name: source.name,
      sizeBytes: source.sizeBytes,
      read: (offset, length, signal) => this.read(path, source, offset, length, signal),
      close: () => source.close(),
    };
  }

  private async read(
    path: string,
    source: ByteSource,
    offset: number,
    length: number,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const isInside = offset >= 0 && length > 0 && offset + length <= source.sizeBytes;
    if (!isInside || length > limits.rememberedReadBytes) return source.read(offset, length, signal);
    const file = this.fileOf(path, source.sizeBytes);
    const [only] = overlapping(file, offset, length);
    if (only !== undefined && only.offset <= offset && only.offset + only.bytes.byteLength >= offset + length)
      return only.bytes.subarray(offset - only.offset, offset - only.offset + length);
    const parts = await this.parts(file, source, offset, length, signal);
    const [first] = parts;
    if (parts.length === 1 && first !== undefined) return first.bytes;
    const joined = new Uint8Array(length);
    for (const part of parts) joined.set(part.bytes, part.offset - offset);
    return joined;
  }

  /** The stretches that make up the range, each exactly within it: some were kept, the others are read. */
  private async parts(
    file: RememberedFile,
    source: ByteSource,
    offset: number,
    length: number,
    signal: AbortSignal | undefined,
  ): Promise<Stretch[]> {
    const end = offset + length;
    const parts: Stretch[] = [];
    let at = offset;
    while (at < end) {
      const [next] = overlapping(file, at, end - at);
      if (next !== undefined && next.offset <= at) {
        const until = Math.min(end, next.offset + next.bytes.byteLength);
        parts.push({ offset: at, bytes: next.bytes.subarray(at - next.offset, until - next.offset) });
        at = until;
        continue;
      }
      const until = next?.offset ?? end;
      const other = file.underWay.find((read) => read.offset < until && read.end > at);
      if (other !== undefined) await other.done;
      else {
        parts.push(await this.readMissing(file, source, at, until, signal));
        at = until;
      }
    }
    return parts;
  }

  /** Reads what is neither kept nor under way, and keeps it. */
  private async readMissing(
    file: RememberedFile,
    source: ByteSource,
    offset: number,
    end: number,
    signal: AbortSignal | undefined,
  ): Promise<Stretch> {
    const reading = source.read(offset, end - offset, signal);
    const noted: ReadUnderWay = { offset, end, done: reading.then(nothing, nothing) };
    file.underWay.push(noted);
    try {
      const read = { offset, bytes: await reading };
      this.keep(file, read);
      return read;
    } finally {
      file.underWay.splice(file.underWay.indexOf(noted), 1);
    }
  }

  private fileOf(path: string, sizeBytes: number): RememberedFile {
    let file = this.files.get(path);
    // One that was written to in the meantime is another one.
    if (file !== undefined && file.sizeBytes !== sizeBytes) this.forget(path, file);
    if (file?.sizeBytes !== sizeBytes) file = { sizeBytes, stretches: [], underWay: [] };
    this.files.delete(path);
    this.files.set(path, file);
    return file;
  }

  private keep(file: RememberedFile, stretch: Stretch): void {
    if (file.isForgotten === true) return;
    file.stretches.splice(placeOf(file, stretch.offset), 0, stretch);
    this.keptBytes += stretch.bytes.byteLength;
    for (const [path, oldest] of this.files) {
      if (this.keptBytes <= this.maxBytes) break;
      this.forget(path, oldest);
    }
  }

  private forget(path: string, file: RememberedFile): void {
    for (const { bytes } of file.stretches) this.keptBytes -= bytes.byteLength;
    file.stretches = [];
    file.isForgotten = true;
    this.files.delete(path);
  }
}

/** Index of the first stretch that begins behind `offset`. */
function placeOf({ stretches }: RememberedFile, offset: number): number {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((stretches[middle] as Stretch).offset > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

function overlapping(file: RememberedFile, offset: number, length: number): Stretch[] {
  const found: Stretch[] = [];
  for (let index = Math.max(0, placeOf(file, offset) - 1); index < file.stretches.length; index++) {
    const stretch = file.stretches[index] as Stretch;
    if (stretch.offset >= offset + length) break;
    if (stretch.offset + stretch.bytes.byteLength > offset) found.push(stretch);
  }
  return found;
}

function nothing(): void {}
