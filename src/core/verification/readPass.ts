import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../bytes/formatError.js';
import { isUnreachable } from '../files/reachableFiles.js';
import { limits } from '../bytes/limits.js';
import type { Pass } from './passes.js';
import type { PassSpec } from './passSpec.js';
import type { Damage, Extent } from './verification.js';

export interface ReadOutcome {
  /** Bytes that were read. */
  hashedBytes: number;
  /** Bytes that the system did not hand over; zeros stood in for them. */
  unreadable: Damage[];
}

/** Unreadable pieces after which the rest of a file is given up: a server that is gone fails each of a million reads. */
const mostUnreadable = 64;

/**
 * Reads what a pass needs, block by block. A block that cannot be read is read again in pieces, to find which of them cannot, and the rest goes on.
 * @throws FormatError `truncated` where the file has become shorter, `io` where a store did not send it, `cancelled`
 */
export async function readIntoPass(
  source: ByteSource,
  spec: PassSpec,
  pass: Pass,
  onBytes: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<ReadOutcome> {
  const outcome: ReadOutcome = { hashedBytes: 0, unreadable: [] };
  for (const { offset, length } of blocksToRead(spec)) {
    throwIfCancelled(signal);
    if (outcome.unreadable.length >= mostUnreadable) {
      outcome.unreadable.push({ offset, length: spec.sizeBytes - offset, what: 'not read, as too much before it could not be' });
      break;
    }
    const unreadableBefore = bytesOf(outcome.unreadable);
    const bytes = await readBlock(source, { offset, length }, pass, outcome.unreadable, signal);
    await pass.push(bytes, offset);
    outcome.hashedBytes += length - (bytesOf(outcome.unreadable) - unreadableBefore);
    onBytes(length);
  }
  return outcome;
}

function bytesOf(extents: readonly Extent[]): number {
  return extents.reduce((sum, { length }) => sum + length, 0);
}

/** The blocks of the file that have something to be computed of, in order. */
export function* blocksToRead({ sizeBytes, regions, streams, digests, blockBytes }: PassSpec): Generator<Extent> {
  const isWhole = streams.length > 0 || digests.length > 0 || blockBytes !== null;
  const extents: readonly Extent[] = isWhole ? [{ offset: 0, length: sizeBytes }] : joined(regions);
  for (const { offset, length } of extents)
    for (let at = offset; at < offset + length; at += limits.verifiedReadBytes)
      yield { offset: at, length: Math.min(limits.verifiedReadBytes, offset + length - at) };
}

/** Regions in order of their offsets as stretches that are read; small gaps are read with them. */
function joined(regions: readonly Extent[]): Extent[] {
  const extents: Extent[] = [];
  for (const { offset, length } of regions) {
    const last = extents.at(-1);
    if (last !== undefined && offset <= last.offset + last.length + smallGapBytes)
      last.length = Math.max(last.length, offset + length - last.offset);
    else extents.push({ offset, length });
  }
  return extents;
}

/** Reading so much takes less than another operation. */
const smallGapBytes = 128 * 1024;

async function readBlock(
  source: ByteSource,
  { offset, length }: Extent,
  pass: Pass,
  unreadable: Damage[],
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  try {
    if (source.readInto === undefined) return await source.read(offset, length, signal);
    const block = pass.block(length);
    await source.readInto(block, offset, signal);
    return block;
  } catch (error) {
    if (!FormatError.is(error, 'io') || isUnreachable(error)) throw error;
    // Not into that block: a read that was given up may still write there.
    return readInPieces(source, offset, length, unreadable, signal);
  }
}

/** Precision to which an unreadable place is located, bytes. */
export const pieceBytes = 64 * 1024;

async function readInPieces(
  source: ByteSource,
  offset: number,
  length: number,
  unreadable: Damage[],
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const block = new Uint8Array(length);
  for (let at = 0; at < length; at += pieceBytes) {
    const piece = Math.min(pieceBytes, length - at);
    try {
      block.set(await source.read(offset + at, piece, signal), at);
    } catch (error) {
      if (!FormatError.is(error, 'io')) throw error;
      const last = unreadable.at(-1);
      const what = `cannot be read: ${error.detail}`;
      if (last !== undefined && last.offset + last.length === offset + at && last.what === what) last.length += piece;
      else unreadable.push({ offset: offset + at, length: piece, what });
    }
  }
  return block;
}
