/**
 * Hugging Face `datasets`: what `save_to_disk` writes (shards, state.json, dataset_info.json; of several splits dataset_dict.json and a
 * directory each), its cache directories, and Arrow files by themselves.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { asyncFilter } from '../../files/asyncFilter.js';
import type { FileEntry } from '../../files/fileTree.js';
import { baseName, parentPath } from '../../files/paths.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import { reportImports } from '../../formats/pickle/imports/importFindings.js';
import { isArrow, isFeatherV1, readArrow } from '../../formats/arrow/arrowIpc.js';
import { type ArrowContents } from '../../formats/arrow/arrowContents.js';
import { hasRowTexts, readRowTexts } from '../../formats/arrow/arrowText.js';
import type { DatasetAccess, DatasetLayout, Probe } from '../datasetLayout.js';
import type { Shard } from '../datasetParts.js';
import { toShardColumns, tokensOfColumns } from '../leafColumns.js';
import { noteMissingShards, splitOfPath } from '../shardNames.js';
import { unreadCorpus } from '../text/unreadCorpus.js';
import { rowCorpus } from '../text/rowCorpus.js';
import { markSources } from './huggingFace/mapCache.js';
import type { ArrowShard } from './huggingFace/arrowShard.js';
import { readSavedStates, type SavedStates } from './huggingFace/savedStates.js';
import { addLengths, addSpans, placedColumns } from './huggingFace/arrowTokens.js';

/** A file with the name that `tempfile` gives: a map writes to it, and renames it at its end (arrow_dataset.py). */
const temporaryName = /^tmp[a-z0-9_]{8}$/;
const sideFile = /^(state|dataset_info|dataset_dict)\.json$/;
const lockName = /\.lock$/;

export const huggingFaceDataset: DatasetLayout = {
  id: 'huggingface-dataset',
  framework: 'Hugging Face datasets',
  sampleUnit: 'row',
  names: [{ extensions: ['arrow', 'arrows', 'ipc', 'feather'], isOwn: false }],

  async claim(free, _listing, probe) {
    const data = (await asyncFilter(free.filter(mayBeData), (entry) => isData(entry, probe))).map(({ path }) => path);
    const saved = await savedDirectories(free, probe);
    if (data.length === 0 && saved.size === 0) return [];
    const near = new Set([...saved, ...data.map(parentPath)]);
    const taken = new Set(data);
    const beside = free.filter(({ path }) => !taken.has(path) && isBeside(path, near)).map(({ path }) => path);
    return [...data, ...beside];
  },

  async read(paths, access) {
    const data = paths.filter((path) => !sideFile.test(baseName(path)) && !lockName.test(baseName(path)));
    for (const path of paths)
      if (lockName.test(baseName(path))) access.describe(path, { format: 'lock', role: 'mark', restKind: 'metadata' });
    const states = await readSavedStates(paths, data, access);
    const files: ArrowShard[] = [];
    await access.each(data, async (path, turn) => {
      const contents = await access.withSource(path, (source) => readNamed(path, source, access));
      const imports = new FileImports(access);
      contents.schema.pickled.scanInto(imports);
      await turn();
      await reportImports(imports, path, access);
      const file = addFile(path, contents, states, access);
      if (file !== null) files.push(file);
    });
    noteMissingShards(
      data.filter((path) => !states.has(parentPath(path))),
      access,
    );
    await settle(files, states, access);
    states.countEmpty(access);
    if (files.some(({ shard }) => shard.tokens !== null))
      access.tokenMethod('lengths of the token column in the metadata of each record batch');
    access.done('every record batch: its metadata, and that its buffers lie inside of the file');
    if (states.size > 0) access.done('the shards that state.json names were compared with those that are here');
  },
};

async function readNamed(path: string, source: ByteSource, access: DatasetAccess): Promise<ArrowContents> {
  try {
    return await readArrow(source, access.signal, placedColumns);
  } catch (error) {
    if (FormatError.is(error, 'unsupported') && isFeatherV1(await source.read(0, 4, access.signal)))
      access.describe(path, { format: 'feather v1' });
    throw error;
  }
}

/** A file of Arrow with the other extension is Feather V2 (pyarrow.feather.write_feather). */
function formatOf(path: string, { form }: ArrowContents): string {
  if (form !== 'file') return 'arrow stream';
  return /\.feather$/i.test(path) ? 'feather v2' : 'arrow file';
}

/** By the name: most files of a listing are not looked at. */
function mayBeData({ path }: FileEntry): boolean {
  const name = baseName(path);
  return /\.(arrows?|feather|ipc)$/i.test(name) || temporaryName.test(name);
}

async function isData({ path }: FileEntry, probe: Probe): Promise<boolean> {
  const name = baseName(path);
  if (/\.arrow$/i.test(name)) return true;
  const head = await probe.head(path);
  return isArrow(head) || (/\.feather$/i.test(name) && head[0] === 0x46 && head[1] === 0x45);
}

/** Directories that `save_to_disk` wrote, by their side files: the shards may all be missing. */
async function savedDirectories(free: readonly FileEntry[], probe: Probe): Promise<Set<string>> {
  const directories = new Set<string>();
  for (const { path } of free) {
    if (baseName(path) === 'dataset_dict.json') directories.add(parentPath(path));
    else if (baseName(path) === 'state.json') {
      const head = new TextDecoder().decode(await probe.head(path));
      if (head.includes('"_data_files"') || head.includes('"_fingerprint"')) directories.add(parentPath(path));
    }
  }
  return directories;
}

/** Side files in directories with data, and locks there or above. */
function isBeside(path: string, near: ReadonlySet<string>): boolean {
  const name = baseName(path);
  const directory = parentPath(path);
  if (sideFile.test(name)) return near.has(directory);
  if (!lockName.test(name)) return false;
  return [...near].some((place) => place === directory || directory === '' || place.startsWith(`${directory}/`));
}

function addFile(path: string, contents: ArrowContents, states: SavedStates, access: DatasetAccess): ArrowShard | null {
  const { problem, schema } = contents;
  access.describe(path, { format: formatOf(path, contents), role: 'shard' });
  if (problem !== null) {
    const code =
      problem.code === 'truncated' ? 'shard-truncated' : problem.code === 'unsupported' ? 'unsupported-version' : 'shard-corrupt';
    const offset = problem.offset === undefined ? {} : { offset: problem.offset };
    access.finding({ code, path, ...offset, facts: { detail: problem.detail } });
    access.bytes(path, 'unexplained', contents.unexplainedBytes);
  }
  if (isSelection(contents)) {
    access.describe(path, { role: 'index of selected rows', restKind: 'index' });
    states.select(path, contents.rows);
    return null;
  }
  const columns = toShardColumns(
    schema.columns.map(({ name, type, dtype, content, listDepth, isExact }, index) => {
      const { values, bytes, logicalBytes } = contents.columns[index] as ArrowContents['columns'][number];
      return { name, type, dtype, content, listDepth, values: isExact ? values : null, bytes, logicalBytes };
    }),
  );
  const split = states.splitOf(path) ?? splitOfPath(path);
  const shard: Shard = {
    path,
    samples: contents.rows,
    tokens: tokensOfColumns(columns),
    columns,
    ...(split === undefined ? {} : { split }),
  };
  if (temporaryName.test(baseName(path)) || parentPath(path).endsWith('.incomplete')) {
    access.finding({ code: 'dataset-unfinished', path, facts: { detail: `${path} was left behind before it had its name` } });
    shard.use = 'copy';
  }
  if (contents.rows === 0 && problem === null)
    access.finding({ code: 'shard-empty', path, facts: { detail: 'its record batches have no rows' } });
  return { contents, shard };
}

/** Rows of `shuffle` and `select`: a single column of u64. */
function isSelection({ schema: { columns } }: ArrowContents): boolean {
  const [only] = columns;
  return columns.length === 1 && only?.name === 'indices' && only.dtype === 'u64' && only.listDepth === 0;
}

async function settle(files: readonly ArrowShard[], states: SavedStates, access: DatasetAccess): Promise<void> {
  for (const { shard } of files) if (states.isUnlisted(shard.path)) shard.use = 'copy';
  markSources(files, states, access);
  const hasTokens = files.some(({ shard }) => shard.columns.some(({ role }) => role === 'tokens'));
  await addLengths(
    files.filter(({ shard }) => shard.use === undefined),
    access,
  );
  for (const file of files) {
    if (file.shard.use === undefined) noteInexact(file, access);
    access.shard(file.shard);
    if (file.shard.use !== undefined) continue;
    addSpans(file, access);
    if (!hasTokens) addCorpora(file, access);
  }
  states.countSelected(files, access);
}

function addCorpora({ contents, shard }: ArrowShard, access: DatasetAccess): void {
  shard.columns.forEach((column, index) => {
    if (column.role !== 'text' || contents.rows === 0) return;
    const isPlain = contents.compression === null && !column.type.endsWith('view');
    const texts = {
      path: shard.path,
      rows: contents.rows,
      textBytes: isPlain ? column.bytes : null,
      guessBytes: column.logicalBytes ?? column.bytes ?? 1,
    };
    if (!hasRowTexts(contents, index)) {
      access.notDone(
        `text of ${column.name} (${column.type}${contents.compression === null ? '' : `, ${contents.compression}`}) was not sampled`,
      );
      access.corpus(unreadCorpus(texts));
      return;
    }
    const corpus = rowCorpus(
      { ...texts, read: (source, from, count, signal) => readRowTexts(source, contents, index, from, count, signal) },
      access,
    );
    access.corpus(corpus);
  });
}

/** Views of lists share or skip values: their number is a hint. */
function noteInexact({ contents, shard }: ArrowShard, access: DatasetAccess): void {
  let exact = 0;
  let loose = 0;
  shard.columns.forEach(({ role, values }, index) => {
    if (role !== 'tokens') return;
    if (values === null) loose += contents.columns[index]?.values ?? 0;
    else exact += values;
  });
  if (loose === 0) return;
  shard.tokensBetween = { count: exact + loose, least: exact, most: exact + loose, confidence: null };
  access.tokenMethod('values that list views may point to: which of them they do is not in the headers');
}
