/** Files of text, plain or compressed: whole where all of them together are small, else as they lie there. */
import { compressionOf, type Compression } from '../../bytes/compression.js';
import { decompressBeginning } from '../../bytes/decompressBeginning.js';
import { FormatError } from '../../bytes/formatError.js';
import { memorySource } from '../../bytes/memorySource.js';
import { limits } from '../../bytes/limits.js';
import { ofBeginning } from '../../bytes/unpackBudget.js';
import { decodeStrictText } from '../../bytes/text.js';
import type { DatasetAccess } from '../datasetLayout.js';

/** Text takes about a quarter when it is compressed; web text a third, repeated text much less. */
const USUAL_RATIO = 4;

/** How all files of one kind are looked at. */
export interface TextPlan {
  /** True where all are read and counted. */
  isWhole: boolean;
  /** For sampling: how much of each compressed file is decompressed. */
  beginningBytes: number;
}

export function planText(paths: readonly string[], access: DatasetAccess): TextPlan {
  let expectedBytes = 0;
  for (const path of paths) expectedBytes += (access.entry(path)?.sizeBytes ?? 0) * (isCompressedName(path) ? USUAL_RATIO : 1);
  const share = limits.countedTextBytes / Math.min(128, paths.length);
  return { isWhole: expectedBytes <= limits.countedTextBytes, beginningBytes: Math.max(1e6, Math.min(16e6, share)) };
}

export function isCompressedName(path: string): boolean {
  return /\.(gz|gzip|zst|zstd)$/i.test(path);
}

/** `data.jsonl.gz` as `data.jsonl`. */
export function withoutCompression(path: string): string {
  return path.replace(/\.(gz|gzip|zst|zstd)$/i, '');
}

/** The whole content, with a finding where it is no UTF-8. Undefined where it holds more than is counted in full. */
export async function readWholeText(path: string, access: DatasetAccess): Promise<Uint8Array | undefined> {
  return access.withSource(path, async (source) => {
    if (source.sizeBytes > limits.countedTextBytes) return undefined;
    const bytes = await source.read(0, source.sizeBytes, access.signal);
    refuseUtf16(bytes);
    const compression = compressionOf(bytes);
    if (compression === undefined) {
      refuseClaim(path);
      return bytes;
    }
    const content = memorySource(path, bytes);
    const whole = await decompressBeginning(content, compression, limits.countedTextBytes, access);
    return whole.isWhole ? whole.bytes : undefined;
  });
}

/**
 * Refuses a file of text that is not here, or holds nothing but zeros.
 * @throws FormatError
 */
export async function refuseMissingText(path: string, access: DatasetAccess): Promise<void> {
  const error = await access.contentError(path, 0);
  if (error !== undefined) throw error;
}

/** How a file is compressed; by its first bytes, not by its name. */
export async function compressionOfFile(path: string, access: DatasetAccess): Promise<Compression | undefined> {
  const head = await access.withSource(path, (source) => source.read(0, Math.min(18, source.sizeBytes), access.signal));
  refuseUtf16(head);
  return compressionOf(head);
}

/** The first lines, for what kind of records there are. */
export async function readTextBeginning(path: string, maxBytes: number, access: DatasetAccess): Promise<Uint8Array> {
  return access.withSource(path, async (source) => {
    const head = await source.read(0, Math.min(18, source.sizeBytes), access.signal);
    const compression = compressionOf(head);
    if (compression === undefined) return source.read(0, Math.min(maxBytes, source.sizeBytes), access.signal);
    return (await decompressBeginning(source, compression, maxBytes, ofBeginning(access.signal))).bytes;
  });
}

/** No text ends with as many zeros: they were allocated, and never written. */
const ZERO_TAIL_BYTES = 64;

/** Says so where bytes are no UTF-8: a tokenizer would get marks in place of characters. */
export function noteEncoding(path: string, bytes: Uint8Array, access: DatasetAccess): void {
  if (bytes.byteLength === 0) access.finding({ code: 'shard-empty', path, facts: { detail: 'it has no bytes' } });
  const isCut = bytes.byteLength >= ZERO_TAIL_BYTES && bytes.subarray(-ZERO_TAIL_BYTES).every((byte) => byte === 0);
  if (isCut) access.finding({ code: 'file-zero-filled', path, facts: { bytes: bytes.byteLength } });
  if (decodeStrictText(bytes) === undefined) access.finding({ code: 'text-encoding', path });
}

function refuseUtf16(head: Uint8Array): void {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isUtf16) throw new FormatError('unsupported', 'the text is UTF-16', { offset: 0 });
}

function refuseClaim(path: string): void {
  if (isCompressedName(path))
    throw new FormatError('not-this-format', 'it is not compressed, although its name ends like that of a compressed file', {
      offset: 0,
    });
}
