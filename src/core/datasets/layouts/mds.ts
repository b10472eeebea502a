/** MosaicML Streaming: `index.json` with its shards, one for each split, or one over all (a merged index). */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { baseName, isSafeFileName, joinPath, parentPath } from '../../files/paths.js';
import { looksLikeMdsIndex, parseMdsIndex, type MdsFile, type MdsShardEntry } from '../../formats/mds/mdsIndex.js';
import { counted } from '../../text/quantities.js';
import type { DatasetAccess, DatasetLayout } from '../datasetLayout.js';
import { PickledSamples } from '../pickledValues.js';
import type { FoundShard } from './mds/foundShard.js';
import { MdsReading, PICKLE_ENCODING } from './mds/mdsReading.js';

/** `shard.00000.mds`, with `.meta` for text formats, and the extension of its compression; `.tmp` while it is fetched. */
const shardName = /^shard\.\d+\.(mds|json|csv|tsv|xsv)(\.meta)?(\.(zstd|gz|br|bz2|snappy))?(\.tmp)?$/;
const ownName = /\.mds(\.(zstd|gz|br|bz2|snappy))?$|(^|\/)shard\.\d+\.(json|csv|tsv|xsv)\.meta(\.\w+)?$/;
const textName = /(^|\/)shard\.\d+\.(json|csv|tsv|xsv)\.meta(\.\w+)?$/;
const mdsName = /\.mds(\.(zstd|gz|br|bz2|snappy))?$/;

export const mds: DatasetLayout = {
  id: 'mds',
  framework: 'MosaicML Streaming',
  sampleUnit: 'sample',
  names: [{ extensions: ['mds'], compressions: ['gz', 'zstd'], isOwn: true }],

  async claim(free, _, probe) {
    const indexes = new Set<string>();
    // Above shards that are no other format's an index is theirs, also a damaged one.
    const own = directoriesAbove(free.filter(({ path }) => ownName.test(path)).map(({ path }) => path));
    for (const { path } of free) {
      if (baseName(path) !== 'index.json') continue;
      if (own.has(parentPath(path)) || looksLikeMdsIndex(decodeText(await probe.head(path)))) indexes.add(path);
    }
    // Shards of text have their columns in a file beside each, and are none of other writers where the index is lost.
    const roots = new Set([...indexes, ...free.map(({ path }) => path).filter((path) => textName.test(path))].map(parentPath));
    return free
      .filter(({ path }) => indexes.has(path) || mdsName.test(path) || (shardName.test(baseName(path)) && isBelow(path, roots)))
      .map(({ path }) => path);
  },

  async read(paths, access) {
    const indexes = paths.filter((path) => baseName(path) === 'index.json').sort((a, b) => depth(a) - depth(b));
    const listed = new Set<string>();
    const shards: FoundShard[] = [];
    const pickles = new PickledSamples(access);
    for (const index of indexes) for (const shard of await readIndex(index, listed, pickles, access)) shards.push(shard);
    access.listed(listed);
    await noteUnlisted(paths, indexes, listed, access);
    await new MdsReading(access, shards, pickles).read();
    pickles.note();
    if (indexes.length > 0) access.done('the index was compared with the files: names, sizes, number of samples, offsets');
    access.notDone('the hashes of the shards, which would need all bytes');
  },
};

function directoriesAbove(paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const path of paths)
    for (let directory = parentPath(path); !found.has(directory); directory = parentPath(directory)) found.add(directory);
  return found;
}

function isBelow(path: string, roots: ReadonlySet<string>): boolean {
  for (let directory = parentPath(path); ; directory = parentPath(directory)) {
    if (roots.has(directory)) return true;
    if (directory === '') return false;
  }
}

function depth(path: string): number {
  return path.split('/').length;
}

/** The shards of an index that are here and that no index above it named; `listed` gets every file that it names. */
async function readIndex(
  index: string,
  listed: Set<string>,
  pickles: PickledSamples,
  access: DatasetAccess,
): Promise<FoundShard[]> {
  const value = await access.json(index, 'index');
  access.describe(index, { restKind: 'index' });
  if (value === undefined) return [];
  const found: FoundShard[] = [];
  const missing: string[] = [];
  const entries = entriesOf(index, value, access);
  const columns = entries.flatMap((entry) => entry.columns.filter(({ encoding }) => encoding === PICKLE_ENCODING));
  pickles.declare(
    index,
    columns.map(({ name }) => name),
  );
  for (const entry of entries) {
    const names = [entry.raw, entry.zip, entry.meta, entry.zipMeta].filter((file): file is MdsFile => file !== null);
    const unsafe = names.find(({ name }) => !isSafeFileName(name));
    if (unsafe !== undefined) {
      access.finding({ code: 'index-path-unsafe', path: index, facts: { shard: unsafe.name } });
      continue;
    }
    const paths = names.map(({ name }) => joinPath(parentPath(index), name));
    const isRepeated = paths.some((path) => listed.has(path));
    for (const path of paths) listed.add(path);
    if (isRepeated) continue;
    const shard = locate(index, entry, access);
    // All arrays of a shard fit into its uncompressed size.
    const bound = { samples: entry.samples, tokens: null, ...(entry.format === 'mds' ? { tokenBytes: entry.raw.bytes } : {}) };
    access.upperBound(shard?.path ?? joinPath(parentPath(index), entry.raw.name), bound);
    if (shard === undefined) missing.push((entry.zip ?? entry.raw).name);
    else found.push(shard);
  }
  noteMissing(index, missing, found.length, access);
  return found;
}

function entriesOf(index: string, value: unknown, access: DatasetAccess): MdsShardEntry[] {
  try {
    return parseMdsIndex(value);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    const code = error.code === 'unsupported' ? 'unsupported-version' : 'shard-corrupt';
    access.finding({ code, path: index, facts: { detail: error.detail } });
    return [];
  }
}

/** Where the shard lies: uncompressed where it is here so, as a reader would take it; compressed otherwise. */
function locate(index: string, entry: MdsShardEntry, access: DatasetAccess): FoundShard | undefined {
  const place = (file: MdsFile | null): string | undefined => {
    const path = file === null ? undefined : joinPath(parentPath(index), file.name);
    return path !== undefined && access.entry(path) !== undefined ? path : undefined;
  };
  const raw = place(entry.raw);
  const zip = place(entry.zip);
  const path = raw ?? zip;
  if (path === undefined) return undefined;
  return {
    index,
    entry,
    path,
    isZip: raw === undefined,
    copy: raw === undefined ? undefined : zip,
    meta: place(entry.meta),
    zipMeta: place(entry.zipMeta),
  };
}

function noteMissing(index: string, missing: readonly string[], present: number, access: DatasetAccess): void {
  const [first] = missing;
  if (first === undefined) return;
  const facts = { missing: missing.length, total: missing.length + present, first };
  access.finding({ code: 'shards-listed-missing', path: index, facts });
}

async function noteUnlisted(
  paths: readonly string[],
  indexes: readonly string[],
  listed: ReadonlySet<string>,
  access: DatasetAccess,
): Promise<void> {
  const unlisted = paths.filter((path) => baseName(path) !== 'index.json' && !listed.has(path));
  for (const path of unlisted) access.describe(path, { role: 'shard without an index', restKind: 'values' });
  const indexed = new Set(indexes.map(parentPath));
  noteWithoutIndex(
    unlisted.filter((path) => !isBelow(path, indexed)),
    access,
  );
  const extra = unlisted.filter((path) => isBelow(path, indexed));
  const [first] = extra;
  if (first !== undefined)
    access.finding({ code: 'shard-unlisted', path: first, facts: { files: extra.length, first: baseName(first) } });
  await access.each(unlisted.slice(0, limits.sniffedFiles), async (path) => {
    const error = await access.contentError(path);
    if (error !== undefined) throw error;
  });
}

/** Each split has an index of its own: directories whose index was lost are not read, though others are. */
function noteWithoutIndex(paths: readonly string[], access: DatasetAccess): void {
  const byDirectory = new Map<string, string[]>();
  for (const path of paths) {
    const known = byDirectory.get(parentPath(path));
    if (known === undefined) byDirectory.set(parentPath(path), [path]);
    else known.push(path);
  }
  for (const [path, ...others] of byDirectory.values()) {
    const detail = `${counted(others.length + 1, 'shard')}, but no index.json`;
    if (path !== undefined) access.finding({ code: 'dataset-unfinished', path, facts: { detail } });
  }
}
