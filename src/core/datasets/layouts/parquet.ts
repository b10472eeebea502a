/** Parquet files: by themselves, as the shards of a Hub dataset, or as Spark, DuckDB and Polars write them. */
import { asyncFilter } from '../../files/asyncFilter.js';
import type { FileEntry } from '../../files/fileTree.js';
import { baseName } from '../../files/paths.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import { reportImports } from '../../formats/pickle/imports/importFindings.js';
import { isParquet, readParquet, type ParquetContents } from '../../formats/parquet/parquetFooter.js';
import { type ParquetSums } from '../../formats/parquet/columnChunk.js';
import { codecName, hasPageTexts } from '../../formats/parquet/columnCodec.js';
import type { DatasetAccess, DatasetLayout, Probe } from '../datasetLayout.js';
import type { Shard, ShardColumn, TokenRange } from '../datasetParts.js';
import { toShardColumns, tokensOfColumns } from '../leafColumns.js';
import { noteMissingShards, splitOfPath } from '../shardNames.js';
import { unreadCorpus } from '../text/unreadCorpus.js';
import { rowCorpus } from '../text/rowCorpus.js';

const ownName = /\.(parquet|parq|pq)$/i;
/** Files in a Hub cache are called by their hashes, and the names are links to them. */
const hashName = /^[0-9a-f]{40,64}$/;
/** Footers of all files of a directory in one, and the schema alone. */
const summaryName = /^_(common_)?metadata$/;
/** Integers a row that say how many tokens its text has. */
const countName = /^(n_|num_)?(tok|tokens?|gpt\w*_tokens?)(_?(count|len|length|num))?s?$/i;

export const parquet: DatasetLayout = {
  id: 'parquet',
  framework: 'Parquet',
  sampleUnit: 'row',
  names: [{ extensions: ['parquet', 'parq', 'pq'], isOwn: false }],

  async claim(free, _listing, probe) {
    return (await asyncFilter(free.filter(mayBeData), (entry) => isData(entry, probe))).map(({ path }) => path);
  },

  async read(paths, access) {
    const files: ParquetShard[] = [];
    await access.each(paths, async (path, turn) => {
      const contents = await access.withSource(path, (source) => readParquet(source, access.signal));
      const imports = new FileImports(access);
      contents.pickled.scanInto(imports);
      await turn();
      await reportImports(imports, path, access);
      const file = addFile(path, contents, access);
      if (file !== null) files.push(file);
    });
    noteMissingShards(paths, access);
    settle(files, access);
    if (files.some(({ shard }) => shard.tokens !== null))
      access.tokenMethod('values of the token column in the footer, without nulls and empty lists');
    access.done('every footer: rows and column chunks of each row group, and that they lie inside of the file');
    if (files.length > 0) access.notDone('pages were not read: damage inside of them shows when they are');
  },
};

/** By the name: most files of a listing are not looked at. */
function mayBeData({ path, sizeBytes }: FileEntry): boolean {
  const name = baseName(path);
  return ownName.test(name) || summaryName.test(name) || (hashName.test(name) && sizeBytes > 0);
}

async function isData({ path }: FileEntry, probe: Probe): Promise<boolean> {
  return ownName.test(baseName(path)) || isParquet(await probe.head(path));
}

interface ParquetShard {
  contents: ParquetContents;
  shard: Shard;
}

function addFile(path: string, contents: ParquetContents, access: DatasetAccess): ParquetShard | null {
  const { problem, rows, columns, sums, isExternal } = contents;
  const isSummary = isExternal || (summaryName.test(baseName(path)) && contents.groupRows.length === 0);
  access.describe(path, isSummary ? { role: 'summary of other files', restKind: 'metadata' } : { role: 'shard' });
  if (problem !== null)
    access.finding({
      code: 'shard-corrupt',
      path,
      ...(problem.offset === undefined ? {} : { offset: problem.offset }),
      facts: { detail: problem.detail },
    });
  if (isSummary) return null;
  access.bytes(path, 'framing', contents.footerBytes);
  const shardColumns = toShardColumns(
    columns.map(({ name, type, dtype, content, listDepth }, index) => {
      const { values, leastValues, bytes, logicalBytes } = sums[index] as ParquetSums;
      return { name, type, dtype, content, listDepth, values: values === leastValues ? values : null, bytes, logicalBytes };
    }),
  );
  const split = splitOfPath(path);
  const logicalBytes = sums.reduce((sum, each) => sum + each.logicalBytes, 0);
  const range = tokenRange(shardColumns, sums);
  if (range !== undefined)
    access.tokenMethod(
      'slots of the token column: rows that are null or empty take one too, and the footer has no statistics that count them',
    );
  const shard: Shard = {
    path,
    samples: rows,
    tokens: tokensOfColumns(shardColumns),
    ...(range === undefined ? {} : { tokensBetween: range }),
    columns: shardColumns,
    logicalBytes,
    ...(split === undefined ? {} : { split }),
  };
  if (rows === 0 && problem === null) access.finding({ code: 'shard-empty', path, facts: { detail: 'its footer has no rows' } });
  return { contents, shard };
}

function settle(files: readonly ParquetShard[], access: DatasetAccess): void {
  const hasTokens = files.some(({ shard }) => shard.columns.some(({ role }) => role === 'tokens'));
  for (const { shard } of files) {
    const isTokenized = shard.columns.some(({ role }) => role === 'tokens');
    if (hasTokens && !isTokenized && shard.columns.some(({ role }) => role === 'text')) shard.use = 'source';
    access.shard(shard);
  }
  if (!hasTokens) for (const file of files) addCorpora(file, access);
  noteFacts(files, access);
}

/** Files without statistics: a list that is null or empty takes a slot as a value does. */
function tokenRange(columns: readonly ShardColumn[], sums: readonly ParquetSums[]): TokenRange | undefined {
  let least = 0;
  let most = 0;
  columns.forEach(({ role }, index) => {
    if (role !== 'tokens') return;
    least += sums[index]?.leastValues ?? 0;
    most += sums[index]?.values ?? 0;
  });
  return least === most ? undefined : { count: most, least, most, confidence: 1 };
}

function addCorpora({ contents, shard }: ParquetShard, access: DatasetAccess): void {
  shard.columns.forEach((column, index) => {
    const sums = contents.sums[index];
    if (column.role !== 'text' || contents.rows === 0 || sums === undefined) return;
    const texts = {
      path: shard.path,
      rows: contents.rows,
      textBytes: textBytesOf(sums),
      guessBytes: Math.max(1, sums.logicalBytes),
    };
    if (!hasPageTexts(contents, index)) {
      access.notDone(`text of ${column.name} (${column.type}, ${codecsOf(sums)}) was not sampled`);
      access.corpus(unreadCorpus(texts));
      return;
    }
    access.corpus(
      rowCorpus(
        {
          ...texts,
          read: async (source, from, count, signal) => {
            // The decoders only where texts are read.
            const { readPageTexts } = await import('../../formats/parquet/parquetText.js');
            return readPageTexts(source, contents, index, from, count, signal);
          },
        },
        access,
      ),
    );
  });
}

/** Stated by new writers; without it a plain page is its texts with 4 bytes of length each, which is no exact number. */
function textBytesOf(sums: ParquetSums): number | null {
  return sums.textBytes;
}

/** Each fact once, with the first file that states it. */
function noteFacts(files: readonly ParquetShard[], access: DatasetAccess): void {
  const seen = new Set<string>();
  const fact = (label: string, value: string, path: string): void => {
    if (value === '' || seen.has(`${label}\n${value}`)) return;
    seen.add(`${label}\n${value}`);
    access.fact(label, value, path);
  };
  for (const { contents, shard } of files) {
    fact('written by', contents.createdBy, shard.path);
    fact('compression', [...new Set(contents.sums.map(codecsOf))].join(', '), shard.path);
  }
  noteCounts(files, access);
}

function noteCounts(files: readonly ParquetShard[], access: DatasetAccess): void {
  const ranges = new Map<string, { lowest: number; highest: number; path: string }>();
  for (const { contents, shard } of files)
    contents.columns.forEach(({ name, content, listDepth }, index) => {
      const { lowest, highest } = contents.sums[index] as ParquetSums;
      if (content !== 'integers' || listDepth > 0 || lowest === null || highest === null || !countName.test(name)) return;
      const range = ranges.get(name) ?? { lowest, highest, path: shard.path };
      range.lowest = Math.min(range.lowest, lowest);
      range.highest = Math.max(range.highest, highest);
      ranges.set(name, range);
    });
  for (const [name, { lowest, highest, path }] of ranges)
    access.fact(name, `${lowest} to ${highest} a row, as the statistics say`, path);
}

function codecsOf({ codecs }: ParquetSums): string {
  return [...codecs].map(codecName).join(', ');
}
