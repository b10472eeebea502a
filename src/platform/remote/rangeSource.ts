import type { ByteSource } from '../../core/bytes/byteSource.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';

/** Bytes of one file of a store, of the version that was listed. */
export type RangeReader = (offset: number, length: number, signal?: AbortSignal) => Promise<Uint8Array>;

interface Wanted {
  offset: number;
  length: number;
  signal: AbortSignal | undefined;
  resolve: (bytes: Uint8Array) => void;
  reject: (error: unknown) => void;
}

/**
 * A file of a store as a source of bytes. Reads that are asked for at once and lie near each other come by one request: a round trip takes as long as
 * some hundred kilobytes.
 */
export class RangeSource implements ByteSource {
  #waiting: Wanted[] = [];

  constructor(
    readonly name: string,
    readonly sizeBytes: number,
    private readonly readRange: RangeReader,
  ) {}

  read(offset: number, length: number, signal?: AbortSignal): Promise<Uint8Array> {
    if (signal?.aborted) return Promise.reject(new FormatError('cancelled', 'the inspection was cancelled'));
    if (offset < 0 || length < 0 || offset + length > this.sizeBytes) {
      const detail = `${length} bytes from ${offset} were expected, the file ends at ${this.sizeBytes}`;
      return Promise.reject(new FormatError('truncated', detail, { offset: this.sizeBytes }));
    }
    if (length === 0) return Promise.resolve(new Uint8Array(0));
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) queueMicrotask(() => queueMicrotask(() => this.#send()));
      this.#waiting.push({ offset, length, signal, resolve, reject });
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #send(): void {
    const waiting = this.#waiting.sort((a, b) => a.offset - b.offset);
    this.#waiting = [];
    for (const group of nearReads(waiting)) void this.#sendGroup(group);
  }

  async #sendGroup(group: readonly Wanted[]): Promise<void> {
    const [first] = group as [Wanted];
    const end = group.reduce((most, { offset, length }) => Math.max(most, offset + length), 0);
    try {
      const bytes = await this.readRange(first.offset, end - first.offset, first.signal);
      for (const { offset, length, resolve } of group)
        resolve(group.length === 1 ? bytes : bytes.slice(offset - first.offset, offset - first.offset + length));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

/** Reads in order of their offsets, those together that one request brings; only those that are cancelled together. */
function nearReads(waiting: readonly Wanted[]): Wanted[][] {
  const groups: Wanted[][] = [];
  let end = 0;
  for (const wanted of waiting) {
    const group = groups.at(-1);
    const first = group?.[0];
    const isNear =
      first !== undefined &&
      first.signal === wanted.signal &&
      wanted.offset - end <= limits.remoteGapBytes &&
      Math.max(end, wanted.offset + wanted.length) - first.offset <= limits.remoteJoinedBytes;
    if (isNear) group?.push(wanted);
    else groups.push([wanted]);
    end = isNear ? Math.max(end, wanted.offset + wanted.length) : wanted.offset + wanted.length;
  }
  return groups;
}
