/**
 * The index.json of MosaicML Streaming (streaming/base/format/index.py, .../base/writer.py): `{"version": 2, "shards": [...]}`. A shard is the
 * writer's settings (`format`, `compression`, `column_*`, ...) with `samples` and `{basename, bytes, hashes}` of its files: `raw_data`,
 * `zip_data` where it is compressed, and `raw_meta`, `zip_meta` for the formats that keep offsets in a file of their own.
 */
import { FormatError } from '../../bytes/formatError.js';
import { encodeText } from '../../bytes/text.js';
import { memberOf } from '../text/jsonMember.js';

export interface MdsFile {
  name: string;
  bytes: number;
}

export interface MdsColumn {
  name: string;
  encoding: string;
  /** Bytes of each value where all have the same; null where each states its own. */
  fixedBytes: number | null;
}

export interface MdsShardEntry {
  /** `mds`, `json`, `csv`, `tsv`, `xsv`. */
  format: string;
  samples: number;
  columns: MdsColumn[];
  /** `zstd:7`, `gz`, ...; null where it is stored as it is. */
  compression: string | null;
  raw: MdsFile;
  zip: MdsFile | null;
  meta: MdsFile | null;
  zipMeta: MdsFile | null;
  hashes: string[];
  /** Bytes of the settings as Python writes them into the shard's own header. */
  settingsBytes: number;
}

/** Beginning of an index, whichever way its members are ordered. */
export function looksLikeMdsIndex(head: string): boolean {
  return /^\s*\{\s*("version"\s*:\s*\d+\s*,\s*)?"shards"\s*:\s*\[/.test(head);
}

/**
 * The shards of an index in their order.
 * @throws FormatError `not-this-format`, `unsupported` or `corrupt`
 */
export function parseMdsIndex(value: unknown): MdsShardEntry[] {
  const shards = memberOf(value, 'shards');
  if (!Array.isArray(shards)) throw new FormatError('not-this-format', 'no list of shards');
  const version = memberOf(value, 'version');
  if (version !== 2) throw new FormatError('unsupported', `version ${JSON.stringify(version) ?? 'unknown'} of the index`);
  return shards.map(parseShard);
}

function parseShard(shard: unknown, index: number): MdsShardEntry {
  const fail = (what: string): never => {
    throw new FormatError('corrupt', `shard ${index} of the index has no valid ${what}`);
  };
  const samples = memberOf(shard, 'samples');
  return {
    format: textOf(memberOf(shard, 'format')) ?? 'mds',
    samples: isCount(samples) ? samples : fail('number of samples'),
    columns: columnsOf(shard) ?? fail('columns'),
    compression: textOf(memberOf(shard, 'compression')),
    raw: fileOf(memberOf(shard, 'raw_data')) ?? fail('raw_data'),
    zip: fileOf(memberOf(shard, 'zip_data')),
    meta: fileOf(memberOf(shard, 'raw_meta')),
    zipMeta: fileOf(memberOf(shard, 'zip_meta')),
    hashes: listOf(memberOf(shard, 'hashes')).filter((hash) => typeof hash === 'string'),
    settingsBytes: settingsBytesOf(shard as object),
  };
}

/** `column_names` with `column_encodings` and `column_sizes` (MDS, XSV), or `columns` as an object (JSON). */
function columnsOf(shard: unknown): MdsColumn[] | undefined {
  const columns = memberOf(shard, 'columns');
  if (typeof columns === 'object' && columns !== null)
    return Object.entries(columns).map(([name, encoding]) => ({ name, encoding: textOf(encoding) ?? '', fixedBytes: null }));
  const names = listOf(memberOf(shard, 'column_names'));
  const encodings = listOf(memberOf(shard, 'column_encodings'));
  const sizes = listOf(memberOf(shard, 'column_sizes'));
  if (names.length !== encodings.length || (sizes.length !== 0 && sizes.length !== names.length)) return undefined;
  const found: MdsColumn[] = [];
  for (const [at, name] of names.entries()) {
    const fixedBytes = sizes[at] ?? null;
    const encoding = encodings[at];
    if (typeof name !== 'string' || typeof encoding !== 'string' || (fixedBytes !== null && !isCount(fixedBytes)))
      return undefined;
    found.push({ name, encoding, fixedBytes });
  }
  return found;
}

function fileOf(value: unknown): MdsFile | null {
  const name = memberOf(value, 'basename');
  const bytes = memberOf(value, 'bytes');
  return typeof name === 'string' && isCount(bytes) ? { name, bytes } : null;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const notSettings = new Set(['samples', 'raw_data', 'zip_data', 'raw_meta', 'zip_meta']);

/** The header of a shard repeats the settings as `json.dumps(settings, sort_keys=True)` writes them. */
function settingsBytesOf(shard: object): number {
  const settings = Object.fromEntries(Object.entries(shard).filter(([key]) => !notSettings.has(key)));
  return encodeText(pythonJson(settings, 0)).byteLength;
}

/** JSON in the way of Python: a blank after commas and colons, keys sorted, anything but ASCII escaped. */
function pythonJson(value: unknown, depth: number): string {
  if (depth > 8) return 'null';
  if (Array.isArray(value)) return `[${value.map((item) => pythonJson(item, depth + 1)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, item]) => `${pythonText(key)}: ${pythonJson(item, depth + 1)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? pythonText(value) : JSON.stringify(value);
}

function pythonText(text: string): string {
  return JSON.stringify(text).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
