/**
 * torch.export archives (`.pt2`, torch/export/pt2_archive): no data.pkl; weights are records of their own, described by JSON.
 *
 *   archive_format, models/<name>.json, data/weights/<name>_weights_config.json, data/weights/weight_<n>, data/constants/…
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import type { FileSink } from '../sink/fileSink.js';
import { memberOf } from '../text/jsonMember.js';
import { jsonValue } from '../text/jsonValue.js';
import type { ZipEntry } from '../zip.js';
import { readZipContent } from '../zipRecord.js';

/** ScalarType of torch/_export/serde/schema.py. */
const scalarTypes: Record<number, string> = {
  1: 'u8',
  2: 'i8',
  3: 'i16',
  4: 'i32',
  5: 'i64',
  6: 'f16',
  7: 'f32',
  8: 'f64',
  9: 'c32',
  10: 'c64',
  11: 'c128',
  12: 'bool',
  13: 'bf16',
  28: 'u16',
  29: 'f8_e4m3',
  30: 'f8_e5m2',
  31: 'f8_e4m3fnuz',
  32: 'f8_e5m2fnuz',
};

/** Lists the weights; false when the archive is no exported program. */
export async function readExportedProgram(
  source: ByteSource,
  records: ReadonlyMap<string, ZipEntry>,
  sink: FileSink,
): Promise<boolean> {
  if (!records.has('archive_format')) return false;
  for (const [name, entry] of records) {
    if (name.endsWith('_weights_config.json')) await readConfig(source, records, entry, sink, true);
    // Constants are lifted buffers that are in no state_dict.
    else if (name.endsWith('_constants_config.json')) await readConfig(source, records, entry, sink, false);
  }
  return true;
}

interface PayloadMeta {
  path_name?: unknown;
  tensor_meta?: { dtype?: unknown; sizes?: unknown } | null;
}

async function readConfig(
  source: ByteSource,
  records: ReadonlyMap<string, ZipEntry>,
  config: ZipEntry,
  sink: FileSink,
  isState: boolean,
): Promise<void> {
  const folder = config.name.slice(config.name.indexOf('/') + 1, config.name.lastIndexOf('/') + 1);
  const entries = parseConfig(decodeText((await readZipContent(source, config, limits.jsonBytes, sink)).bytes));
  if (entries === undefined) {
    sink.finding({ code: 'json-corrupt', offset: config.headerOffset, facts: { detail: `${config.name} has no entries` } });
    return;
  }
  const missing: { storage: string; tensor: string }[] = [];
  for (const [name, payload] of Object.entries(entries)) {
    const record = typeof payload.path_name === 'string' ? records.get(folder + payload.path_name) : undefined;
    const offset = record?.dataOffset;
    const piece = record === undefined || offset === undefined ? undefined : { offset, bytes: record.bytes };
    if (!isState) {
      if (piece !== undefined) sink.claim(piece.offset, piece.bytes, 'container');
      continue;
    }
    const dtype = scalarTypes[Number(payload.tensor_meta?.dtype)] ?? 'unknown';
    const shape = sizesOf(payload.tensor_meta?.sizes);
    if (piece === undefined) missing.push({ storage: String(payload.path_name), tensor: name });
    const bytes = bytesOfElements(dtype, elementCount(shape) ?? 0) ?? piece?.bytes ?? 0;
    sink.tensor({ keyPath: [name], dtype, shape, bytes, pieces: piece === undefined ? [] : [piece] });
  }
  const [first] = missing;
  if (first !== undefined) sink.finding({ code: 'storage-missing', facts: { ...first, storages: missing.length } });
}

function parseConfig(text: string): Record<string, PayloadMeta> | undefined {
  try {
    const config = memberOf(jsonValue(text), 'config');
    return typeof config === 'object' && config !== null ? (config as Record<string, PayloadMeta>) : undefined;
  } catch (error) {
    if (FormatError.is(error)) throw error;
    return undefined;
  }
}

/** `[{"as_int": 40}, …]`; a symbolic size counts as 0. */
function sizesOf(sizes: unknown): number[] {
  if (!Array.isArray(sizes)) return [];
  return sizes.slice(0, limits.tensorRank).map((size: unknown) => {
    const value = (size as { as_int?: unknown } | null)?.as_int;
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
  });
}
