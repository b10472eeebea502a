/**
 * The manifest of torchsnapshot (torchsnapshot/manifest.py): `.snapshot_metadata`, YAML or JSON of { version, world_size, manifest }, where
 * the manifest maps `<rank>/<path>` to entries. Path parts are percent-encoded.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { jsonValue } from '../text/jsonValue.js';
import { parseYamlPieces } from './snapshotYaml.js';
import { torchDtype } from './torchTensor.js';

/** Where the bytes of (a part of) an entry lie. */
export interface SnapshotExtent {
  location: string;
  /** Of the file; undefined where the entry is all of it. */
  range: readonly [start: number, end: number] | undefined;
  serializer: string;
  /** Of this part. */
  shape: number[];
  offsets: number[] | undefined;
}

export interface SnapshotTensor {
  rank: number;
  keyPath: string[];
  dtype: string;
  /** The whole tensor's where it is sharded. */
  shape: number[];
  /** Ranks share it, so that its name has no rank. */
  isShared: boolean;
  extents: SnapshotExtent[];
}

export interface SnapshotObject {
  rank: number;
  keyPath: string[];
  location: string;
}

export interface SnapshotManifest {
  version: string;
  worldSize: number;
  tensors: SnapshotTensor[];
  objects: SnapshotObject[];
  /** Numbers and texts that the manifest itself holds, by their path. */
  values: Map<string, string | number | boolean>;
}

/**
 * Parses a manifest.
 * @throws FormatError `corrupt`, `limit-exceeded`
 */
export async function parseSnapshotManifest(bytes: Uint8Array): Promise<SnapshotManifest> {
  if (bytes.byteLength > limits.manifestBytes)
    throw new FormatError('limit-exceeded', `the manifest takes ${bytes.byteLength} bytes`);
  const manifest: SnapshotManifest = { version: '', worldSize: 1, tensors: [], objects: [], values: new Map() };
  let entries = 0;
  const root = await parseText(decodeText(bytes), (path, value) => {
    entries += 1;
    if (entries > limits.manifestEntries)
      throw new FormatError('limit-exceeded', `a manifest of more than ${limits.manifestEntries} entries`);
    const entry = record(value);
    if (entry !== undefined) addEntry(manifest, path, entry);
  });
  if (root?.['manifest'] !== true) throw new FormatError('corrupt', 'there is no manifest');
  if (typeof root['version'] === 'string') manifest.version = root['version'];
  manifest.worldSize = count(root['world_size']) ?? 1;
  return manifest;
}

type UseEntry = (path: string, entry: unknown) => void;

/** Later versions write JSON, which is YAML too but read much faster. Answers as `parseYamlPieces`. */
async function parseText(text: string, useEntry: UseEntry): Promise<Entry | undefined> {
  let value: unknown;
  try {
    value = jsonValue(text);
  } catch (error) {
    if (FormatError.is(error)) throw error;
    return parseYamlPieces(text, useEntry);
  }
  const root = record(value);
  const entries = record(root?.['manifest']);
  if (root === undefined || entries === undefined) return undefined;
  for (const [path, entry] of Object.entries(entries)) useEntry(path, entry);
  return { ...root, manifest: true };
}

type Entry = Readonly<Record<string, unknown>>;

function addEntry(manifest: SnapshotManifest, path: string, entry: Entry): void {
  const [first = '', ...encoded] = path.split('/');
  const rank = /^\d{1,7}$/.test(first) ? Number(first) : 0;
  const keyPath = encoded.map(decodePart);
  const isReplicated = entry['replicated'] === true;
  switch (entry['type']) {
    case 'Tensor': {
      const extent = extentOf(entry);
      if (extent !== undefined)
        manifest.tensors.push({
          rank,
          keyPath,
          dtype: dtypeOf(entry),
          shape: extent.shape,
          isShared: isReplicated,
          extents: [extent],
        });
      return;
    }
    case 'ShardedTensor':
    case 'DTensor':
      manifest.tensors.push({ rank, keyPath, isShared: true, ...partsOf(entry['shards']) });
      return;
    case 'ChunkedTensor': {
      const parts = partsOf(entry['chunks']);
      const shape = sizes(entry['shape']) ?? parts.shape;
      manifest.tensors.push({ rank, keyPath, isShared: isReplicated, ...parts, shape });
      return;
    }
    case 'object':
      if (typeof entry['location'] === 'string') manifest.objects.push({ rank, keyPath, location: entry['location'] });
      return;
    default:
      addValue(manifest, keyPath, entry);
  }
}

/** Numbers are written as text; floats as base64 of their bytes, with the text in `readable`. */
function addValue(manifest: SnapshotManifest, keyPath: string[], entry: Entry): void {
  const text = entry['readable'] ?? entry['serialized_value'];
  if (typeof text !== 'string') return;
  const isNumber = entry['type'] === 'int' || entry['type'] === 'float';
  const value = isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  manifest.values.set(keyPath.join('.'), value);
}

function partsOf(parts: unknown): Pick<SnapshotTensor, 'dtype' | 'shape' | 'extents'> {
  const extents: SnapshotExtent[] = [];
  const shape: number[] = [];
  let dtype = 'unknown';
  for (const part of Array.isArray(parts) ? (parts as unknown[]) : []) {
    const tensor = record(record(part)?.['tensor']);
    const extent = tensor === undefined ? undefined : extentOf(tensor);
    if (tensor === undefined || extent === undefined) continue;
    dtype = dtypeOf(tensor);
    const offsets = sizes(record(part)?.['offsets']) ?? [];
    const own = sizes(record(part)?.['sizes']) ?? extent.shape;
    own.forEach((size, index) => (shape[index] = Math.max(shape[index] ?? 0, size + (offsets[index] ?? 0))));
    extents.push({ ...extent, shape: own, offsets });
  }
  return { dtype, shape, extents };
}

function extentOf(entry: Entry): SnapshotExtent | undefined {
  const { location, serializer } = entry;
  if (typeof location !== 'string') return undefined;
  const range = sizes(entry['byte_range']);
  const [start, end] = range ?? [];
  return {
    location,
    range: start === undefined || end === undefined || end < start ? undefined : [start, end],
    serializer: typeof serializer === 'string' ? serializer : '',
    shape: sizes(entry['shape']) ?? [],
    offsets: undefined,
  };
}

function dtypeOf(entry: Entry): string {
  return typeof entry['dtype'] === 'string' ? torchDtype(entry['dtype']) : 'unknown';
}

function sizes(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = (value as unknown[]).slice(0, limits.tensorRank).map(count);
  return numbers.includes(undefined) ? undefined : (numbers as number[]);
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function record(value: unknown): Entry | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : undefined;
}

/** Slashes inside of a key are percent-encoded; other percent signs as well. */
function decodePart(part: string): string {
  return part.replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}
