/** Plain text and CSV, plain or compressed. */
import { limits } from '../../bytes/limits.js';
import { memorySource } from '../../bytes/memorySource.js';
import type { FileEntry } from '../../files/fileTree.js';
import { baseName } from '../../files/paths.js';
import { readCsvRecords, type CsvRecord } from '../../formats/text/csvRecords.js';
import { roleOfColumn } from '../columnRole.js';
import { formatCount } from '../../text/units.js';
import type { DatasetAccess, DatasetLayout } from '../datasetLayout.js';
import { noteMissingShards } from '../shardNames.js';
import { splitOf } from '../splitName.js';
import { compressedCorpus } from '../text/compressedCorpus.js';
import { lineCorpus } from '../text/lineCorpus.js';
import { memoryCorpus } from '../text/memoryCorpus.js';
import { plainCorpus } from '../text/plainCorpus.js';
import { TextBudget } from '../text/textBudget.js';
import {
  compressionOfFile,
  noteEncoding,
  planText,
  readTextBeginning,
  readWholeText,
  refuseMissingText,
  withoutCompression,
} from '../text/textFile.js';

const textName = /\.(txt|text)$/i;
const tableName = /\.(csv|tsv)$/i;
/** Text that is about something else. */
const otherText = /^(README|LICENSE|NOTICE|requirements|vocab|merges|CMakeLists|.*-description)[^/]*\.txt/i;
const HEAD_BYTES = 256 * 1024;

export const textFiles: DatasetLayout = {
  id: 'text',
  framework: 'text',
  sampleUnit: 'row',

  claim: (free) => free.filter(isText).map(({ path }) => path),
  mayBeNamed: isNamedText,

  async read(paths, access) {
    noteMissingShards(paths, access);
    const plan = planText(paths, access);
    const budget = new TextBudget();
    if (plan.isWhole) access.sampleMethod('all rows were counted', 'content');
    else access.notDone('all of the text: windows at random places were read');
    await access.each(paths, async (path, turn) => {
      await refuseMissingText(path, access);
      const table = tableName.test(withoutCompression(path));
      if (table)
        return plan.isWhole ? readTable(path, turn, budget, access) : sampleTable(path, turn, plan.beginningBytes, access);
      return plan.isWhole ? readPlain(path, turn, access) : samplePlain(path, turn, plan.beginningBytes, access);
    });
    if (budget.isSpent) access.notDone(`all rows: more than ${formatCount(limits.countedTexts)} texts, so files were sampled`);
  },
};

function isText({ path, sizeBytes }: FileEntry): boolean {
  return sizeBytes > 0 && isNamedText(path);
}

function isNamedText(path: string): boolean {
  const name = withoutCompression(baseName(path));
  return (textName.test(name) || tableName.test(name)) && !otherText.test(name);
}

async function readPlain(path: string, turn: () => Promise<void>, access: DatasetAccess): Promise<void> {
  const bytes = await readWholeText(path, access);
  if (bytes === undefined) return samplePlain(path, turn, 16e6, access);
  await turn();
  noteEncoding(path, bytes, access);
  addPlain(path, bytes.byteLength, access);
  access.corpus(plainCorpus(memorySource(path, bytes), path));
}

async function samplePlain(
  path: string,
  turn: () => Promise<void>,
  beginningBytes: number,
  access: DatasetAccess,
): Promise<void> {
  const compression = await compressionOfFile(path, access);
  await turn();
  addPlain(path, undefined, access);
  const source = access.open(path);
  access.corpus(
    compression === undefined
      ? plainCorpus(source, path)
      : compressedCorpus(source, compression, beginningBytes, (content) => plainCorpus(content, path)),
  );
}

/** Where a document ends plain text does not say. */
function addPlain(path: string, logicalBytes: number | undefined, access: DatasetAccess): void {
  access.describe(path, { role: 'text', restKind: 'text' });
  access.shard({
    path,
    split: splitOf(path),
    samples: null,
    tokens: null,
    logicalBytes,
    isBlank: access.entry(path)?.sizeBytes === 0,
    columns: [],
  });
}

/** Columns by the first record, and which of them hold text. */
interface Table {
  separator: number;
  names: string[];
  texts: number[];
  /** Where the second record begins. */
  firstOffset: number;
}

async function readTable(path: string, turn: () => Promise<void>, budget: TextBudget, access: DatasetAccess): Promise<void> {
  const bytes = await readWholeText(path, access);
  if (bytes === undefined) return sampleTable(path, turn, 16e6, access);
  await turn();
  noteEncoding(path, bytes, access);
  const table = tableOf(path, bytes);
  const texts: string[][] = [];
  let isWhole = true;
  const isOpen = readCsvRecords(bytes, table.separator, table.firstOffset, ({ fields }) => {
    // Before the texts are made: a header may name a million columns that are empty in each row.
    isWhole = budget.take(table.texts.length);
    if (isWhole) texts.push(table.texts.map((column) => fields[column] ?? ''));
    return isWhole;
  });
  if (!isWhole) return sampleTable(path, turn, 16e6, access);
  if (isOpen) access.finding({ code: 'line-corrupt', path, facts: { count: 1, total: texts.length + 1 } });
  addTable(path, table, texts.length, bytes.byteLength, access);
  access.corpus(memoryCorpus(path, texts));
}

async function sampleTable(
  path: string,
  turn: () => Promise<void>,
  beginningBytes: number,
  access: DatasetAccess,
): Promise<void> {
  const compression = await compressionOfFile(path, access);
  const table = tableOf(path, await readTextBeginning(path, HEAD_BYTES, access));
  await turn();
  access.notDone('rows with line breaks in quotes: a large table is read line by line');
  addTable(path, table, null, undefined, access);
  const read = (line: Uint8Array): { texts: string[] } => ({ texts: textsOfLine(line, table) });
  const options = { path, read, firstOffset: table.firstOffset };
  const source = access.open(path);
  access.corpus(
    compression === undefined
      ? lineCorpus(source, options)
      : compressedCorpus(source, compression, beginningBytes, (content) => lineCorpus(content, options)),
  );
}

function textsOfLine(line: Uint8Array, { separator, texts }: Table): string[] {
  const found: string[] = [];
  readCsvRecords(line, separator, 0, ({ fields }) => {
    // Ascending: a header may name a million columns that no row has.
    for (const column of texts) {
      if (column >= fields.length) break;
      found.push(fields[column] as string);
    }
    return false;
  });
  return found;
}

function tableOf(path: string, bytes: Uint8Array): Table {
  const separator = /\.tsv$/i.test(withoutCompression(path)) ? 0x09 : 0x2c;
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const start = behindSettings(bytes, mark);
  const first: CsvRecord[] = [];
  readCsvRecords(bytes, separator, start, (record) => first.push(record) < 32);
  const names = first[0]?.fields ?? [];
  return { separator, names, texts: textColumns(names, first.slice(1)), firstOffset: first[0]?.end ?? start };
}

/** Behind a first line of settings as JSON, which Stable-Baselines3 writes (common/monitor.py, ResultsWriter: `#{"t_start": ...}`). */
function behindSettings(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== 0x23 || bytes[start + 1] !== 0x7b) return start;
  const end = bytes.indexOf(0x0a, start);
  return end === -1 ? bytes.byteLength : end + 1;
}

/** Those whose names say so, else the one with the most text. */
function textColumns(names: readonly string[], rows: readonly CsvRecord[]): number[] {
  const named = names.flatMap((name, column) => (roleOfColumn(name, 'text') === 'text' ? [column] : []));
  if (named.length > 0) return named;
  let longest = 0;
  let most = -1;
  names.forEach((_, column) => {
    const length = rows.reduce((sum, { fields }) => sum + (fields[column]?.length ?? 0), 0);
    if (length > most) [longest, most] = [column, length];
  });
  return names.length === 0 ? [] : [longest];
}

function addTable(
  path: string,
  table: Table,
  rows: number | null,
  logicalBytes: number | undefined,
  access: DatasetAccess,
): void {
  access.describe(path, { role: 'table', restKind: 'text' });
  access.shard({
    path,
    split: splitOf(path),
    samples: rows,
    tokens: null,
    logicalBytes,
    isBlank: access.entry(path)?.sizeBytes === 0,
    columns: table.names.slice(0, 1000).map((name, column) => ({
      name,
      type: 'string',
      dtype: null,
      role: table.texts.includes(column) ? 'text' : 'value',
      values: rows,
      bytes: null,
      logicalBytes: null,
    })),
  });
}
