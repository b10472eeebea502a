import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Files that cost more than they are worth, unless their reader is bounded. */
export interface Bomb {
  /** What it is, as a row of the table calls it. */
  name: string;
  /** Writes the files and returns the path that is inspected or estimated. */
  write(folder: string): string;
  /** `inspect` unless it is a config. */
  command?: 'estimate';
  /** What a reader may unpack of a compressed one, where that is not its size. */
  unpackedBytes?: number;
}

/** A part of a file: bytes, or bytes that are repeated. */
export type Part = Uint8Array | string | { unit: Uint8Array | string; times: number } | Iterable<Uint8Array | string>;

const chunkBytes = 1024 * 1024;

/** A bomb of one file. Texts are Latin-1. */
export function fileBomb(name: string, file: string, parts: () => readonly Part[], command?: 'estimate'): Bomb {
  return {
    name,
    write(folder) {
      const written = writeParts(path.join(folder, file), parts());
      return file.includes('/') ? path.join(folder, file.slice(0, file.indexOf('/'))) : written;
    },
    ...(command && { command }),
  };
}

/** Bytes that parts come to. */
export function bytesOfParts(parts: readonly Part[]): number {
  let bytes = 0;
  for (const part of parts) for (const chunk of chunksOf(part)) bytes += chunk.byteLength;
  return bytes;
}

/** The same bomb, with what a reader may unpack of it. */
export function packed(bomb: Bomb, unpackedBytes: number): Bomb {
  return { ...bomb, unpackedBytes };
}

/** Writes a file piece by piece, so that no bomb is held in memory. */
export function writeParts(file: string, parts: readonly Part[]): string {
  mkdirSync(path.dirname(file), { recursive: true });
  const handle = openSync(file, 'w');
  for (const part of parts)
    for (const chunk of chunksOf(part)) for (let at = 0; at < chunk.byteLength;) at += writeSync(handle, chunk, at);
  closeSync(handle);
  return file;
}

function* chunksOf(part: Part): Generator<Buffer> {
  if (typeof part === 'string' || part instanceof Uint8Array) yield asBuffer(part);
  else if ('unit' in part) yield* repeated(asBuffer(part.unit), part.times);
  else yield* gathered(part);
}

const asBuffer = (part: Uint8Array | string): Buffer =>
  typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part);

function* repeated(unit: Buffer, times: number): Generator<Buffer> {
  const perChunk = Math.max(1, Math.floor(chunkBytes / unit.byteLength));
  const chunk = Buffer.alloc(perChunk * unit.byteLength, unit);
  let left = times;
  for (; left >= perChunk; left -= perChunk) yield chunk;
  yield chunk.subarray(0, left * unit.byteLength);
}

function* gathered(parts: Iterable<Uint8Array | string>): Generator<Buffer> {
  let pending: Buffer[] = [];
  let bytes = 0;
  for (const part of parts) {
    const buffer = asBuffer(part);
    pending.push(buffer);
    bytes += buffer.byteLength;
    if (bytes < chunkBytes) continue;
    yield Buffer.concat(pending);
    pending = [];
    bytes = 0;
  }
  yield Buffer.concat(pending);
}

/** One part for each number from 0. */
export function* counted(times: number, part: (number: number) => Uint8Array | string): Generator<Uint8Array | string> {
  for (let number = 0; number < times; number++) yield part(number);
}

/**
 * A Zstandard frame of one byte repeated, 4 bytes for each 128 KiB (RFC 8878, 3.1.1.2: blocks of type RLE).
 * @param window its descriptor (3.1.1.1.2)
 */
export function zstdRun(byte: number, blocks: number, window = 0x58): readonly Part[] {
  const block = (isLast: boolean): Uint8Array => {
    const header = (isLast ? 1 : 0) | (1 << 1) | ((128 * 1024) << 3);
    return Uint8Array.of(header & 255, (header >> 8) & 255, (header >> 16) & 255, byte);
  };
  return [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, window), { unit: block(false), times: blocks - 1 }, block(true)];
}
