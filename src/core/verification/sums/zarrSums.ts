import type { ByteSource } from '../../bytes/byteSource.js';
import { crc32c } from '../../bytes/crc32c.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { readWhole } from '../../bytes/readWhole.js';
import { decodeText } from '../../bytes/text.js';
import { joinPath } from '../../files/paths.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { jsonValue } from '../../formats/text/jsonValue.js';
import { ZARR_3_NAME } from '../../formats/zarr.js';
import { hexOf32 } from '../hashes/hash.js';
import { type ContainerSums, noSums, type SumContext, type SumFormat } from './sumFormat.js';

const SUM_BYTES = 4;
/** Offset and length of an inner chunk, u64 each. */
const ENTRY_BYTES = 16;
const chunkPath = /^(?:(.*)\/)?c(?:\/\d+)*$/;

/**
 * CRC-32C behind chunks of zarr 3 where `crc32c` is the last codec of the array (zarr-specs, v3/codecs/crc32c), behind the inner chunks of shards and behind
 * their index (v3/codecs/sharding-indexed).
 */
export const zarrSums: SumFormat = {
  recognises: (path) => chunkPath.test(path),
  async read(source, context) {
    const folder = chunkPath.exec(context.path)?.[1] ?? '';
    const array = await context.once(`zarr ${folder}`, () => readArray(folder, context));
    if (array === null) return { ...noSums(), reason: 'there is no zarr.json above it that can be read' };
    const sums = noSums();
    if (array.shard !== null) await addShard(sums, source, array.shard, context.signal);
    else if (endsInCrc(array.codecs)) await addChunk(sums, source, 0, source.sizeBytes, context.signal);
    else if (array.codecs.at(-1) === 'zstd') return { ...sums, by: ['zstd-xxh64'], streams: ['zstd'] };
    if (sums.regions.length + sums.checked.length + sums.damage.length > 0) sums.by.push('zarr-crc32c');
    else sums.reason = 'its array has no codec with a checksum: a manifest is needed';
    return sums;
  },
};

interface ShardSettings {
  chunks: number;
  codecs: string[];
  isIndexFirst: boolean;
  hasIndexSum: boolean;
}

interface ArraySettings {
  codecs: string[];
  shard: ShardSettings | null;
}

async function readArray(folder: string, { openOther, signal }: SumContext): Promise<ArraySettings | null> {
  const source = await openOther(joinPath(folder, ZARR_3_NAME));
  if (source === undefined) return null;
  try {
    return settingsOf(jsonValue(decodeText(await readWhole(source, limits.jsonBytes, 'JSON', signal))));
  } catch (error) {
    if (error instanceof SyntaxError || (FormatError.is(error) && error.code !== 'io' && error.code !== 'cancelled')) return null;
    throw error;
  } finally {
    await source.close();
  }
}

function settingsOf(root: unknown): ArraySettings {
  const codecs = memberOf(root, 'codecs');
  const [first] = Array.isArray(codecs) ? (codecs as unknown[]) : [];
  const isSharded = memberOf(first, 'name') === 'sharding_indexed';
  const outer = memberOf(memberOf(memberOf(root, 'chunk_grid'), 'configuration'), 'chunk_shape');
  return { codecs: namesOf(codecs), shard: isSharded ? shardOf(memberOf(first, 'configuration'), outer) : null };
}

function shardOf(settings: unknown, shardShape: unknown): ShardSettings | null {
  const inner = memberOf(settings, 'chunk_shape');
  if (!isShape(inner) || !isShape(shardShape) || inner.length !== shardShape.length) return null;
  const chunks = elementCount(shardShape.map((size, axis) => Math.ceil(size / (inner[axis] as number))));
  if (chunks === undefined || chunks > limits.headerExtents) return null;
  return {
    chunks,
    codecs: namesOf(memberOf(settings, 'codecs')),
    isIndexFirst: memberOf(settings, 'index_location') === 'start',
    hasIndexSum: endsInCrc(namesOf(memberOf(settings, 'index_codecs'))),
  };
}

function isShape(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && (size as number) > 0);
}

function namesOf(codecs: unknown): string[] {
  return (Array.isArray(codecs) ? (codecs as unknown[]) : []).map((codec) => {
    const name = memberOf(codec, 'name');
    return typeof name === 'string' ? name : '';
  });
}

function endsInCrc(codecs: readonly string[]): boolean {
  return codecs.at(-1) === 'crc32c';
}

async function addChunk(
  sums: ContainerSums,
  source: ByteSource,
  offset: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (length < SUM_BYTES || offset + length > source.sizeBytes) {
    sums.damage.push({
      offset,
      length: Math.max(0, Math.min(length, source.sizeBytes - offset)),
      what: 'a chunk: cut off by the end of the file',
    });
    return;
  }
  const stored = await source.read(offset + length - SUM_BYTES, SUM_BYTES, signal);
  const expected = [hexOf32(new DataView(stored.buffer, stored.byteOffset).getUint32(0, true))];
  sums.regions.push({ offset, length, algorithm: 'crc32c', expected, what: `a chunk at ${offset}`, sumBytes: SUM_BYTES });
}

async function addShard(
  sums: ContainerSums,
  source: ByteSource,
  { chunks, codecs, isIndexFirst, hasIndexSum }: ShardSettings,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!hasIndexSum) return;
  const length = chunks * ENTRY_BYTES + SUM_BYTES;
  const offset = isIndexFirst ? 0 : source.sizeBytes - length;
  if (offset < 0 || length > source.sizeBytes) {
    sums.damage.push({ offset: 0, length: source.sizeBytes, what: 'the index of a shard: cut off by the end of the file' });
    return;
  }
  const index = await source.read(offset, length, signal);
  const view = new DataView(index.buffer, index.byteOffset, length);
  sums.checked.push({ offset, length });
  if (crc32c(index.subarray(0, length - SUM_BYTES)) !== view.getUint32(length - SUM_BYTES, true)) {
    sums.damage.push({ offset, length, what: 'the index of a shard: CRC-32C does not match' });
    return;
  }
  if (!endsInCrc(codecs)) return;
  for (let chunk = 0; chunk < chunks; chunk++) {
    const at = view.getBigUint64(chunk * ENTRY_BYTES, true);
    // All ones stand for a chunk that was not written.
    if (at === 0xffff_ffff_ffff_ffffn) continue;
    await addChunk(sums, source, Number(at), Number(view.getBigUint64(chunk * ENTRY_BYTES + 8, true)), signal);
  }
}
