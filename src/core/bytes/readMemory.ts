/** What was read of files, kept: a small file is looked at by several readers, and no byte of it is read twice. */
import type { ByteSource } from './byteSource.js';
import { limits } from './limits.js';

/** Bytes of a file that are kept, from `offset` on. */
interface Stretch {
  offset: number;
  bytes: Uint8Array;
}

interface RememberedFile {
  sizeBytes: number;
  /** In rising order, none over another. */
  stretches: Stretch[];
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
    for (const { offset: start, bytes } of [...overlapping(file, offset, length), { offset: end, bytes: new Uint8Array(0) }]) {
      if (start > at) {
        const read = { offset: at, bytes: await source.read(at, start - at, signal) };
        parts.push(read);
        this.keep(file, read);
      }
      const until = Math.min(end, start + bytes.byteLength);
      const from = Math.max(at, start);
      if (until > from) parts.push({ offset: from, bytes: bytes.subarray(from - start, until - start) });
      at = Math.max(at, until, Math.min(end, start));
    }
    return parts;
  }

  private fileOf(path: string, sizeBytes: number): RememberedFile {
    let file = this.files.get(path);
    // One that was written to in the meantime is another one.
    if (file !== undefined && file.sizeBytes !== sizeBytes) this.forget(path, file);
    if (file?.sizeBytes !== sizeBytes) file = { sizeBytes, stretches: [] };
    this.files.delete(path);
    this.files.set(path, file);
    return file;
  }

  private keep(file: RememberedFile, stretch: Stretch): void {
    // Another read of the same bytes may have ended first.
    if (overlapping(file, stretch.offset, stretch.bytes.byteLength).length > 0) return;
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
