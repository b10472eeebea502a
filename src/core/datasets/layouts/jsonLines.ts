/** JSON Lines, plain or compressed, and JSON files that hold a list of records. */
import { FormatError } from '../../bytes/formatError.js';
import { ofBeginning } from '../../bytes/unpackBudget.js';
import { compressionOf, type Compression } from '../../bytes/compression.js';
import { decompressBeginning } from '../../bytes/decompressBeginning.js';
import { memorySource } from '../../bytes/memorySource.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import type { FileEntry } from '../../files/fileTree.js';
import { asyncFilter } from '../../files/asyncFilter.js';
import { baseName, parentPath } from '../../files/paths.js';
import { formatCount } from '../../text/units.js';
import type { DatasetAccess, DatasetLayout, Probe } from '../datasetLayout.js';
import type { ShardColumn } from '../datasetParts.js';
import { mayHoldRecords } from '../jsonNames.js';
import { compressedCorpus } from '../text/compressedCorpus.js';
import {
  beginsRecord,
  beginsRows,
  isKnownRecord,
  parseRecord,
  shapeOfRecords,
  textsOfRecord,
  tokensOfRecord,
  type RecordShape,
} from '../text/jsonRecord.js';
import { outlineOf } from '../text/jsonOutline.js';
import { lineCorpus, type LineContent } from '../text/lineCorpus.js';
import { memoryCorpus } from '../text/memoryCorpus.js';
import { TextBudget } from '../text/textBudget.js';
import { noteMissingShards } from '../shardNames.js';
import { splitOf } from '../splitName.js';
import {
  compressionOfFile,
  isCompressedName,
  noteEncoding,
  planText,
  readTextBeginning,
  readWholeText,
  refuseMissingText,
  withoutCompression,
} from '../text/textFile.js';

const lineNames = /\.(jsonl|ndjson|jsonlines)$/i;
/** Records that are looked at for what they are. */
const SAMPLE_RECORDS = 64;
const HEAD_BYTES = 256 * 1024;
/** Of a compressed file: enough for the ends of two lines, and less than its first bytes decompress to. */
const BEGINNING_BYTES = 1024;
/** A block of Zstandard, and a frame of user data before it. */
const BLOCK_BYTES = 256 * 1024;

export const jsonLines: DatasetLayout = {
  id: 'jsonl',
  framework: 'JSON Lines',
  sampleUnit: 'document',
  names: [
    { extensions: ['jsonl', 'ndjson', 'jsonlines'], compressions: ['gz', 'zst', 'zstd'], isOwn: false },
    { extensions: ['json.gz', 'json.zst', 'json.zstd'], isOwn: false },
  ],

  mayBeNamed: (path) => {
    const name = withoutCompression(baseName(path));
    return lineNames.test(name) || mayHoldRecords(path, 1);
  },

  async claim(free, _listing, probe) {
    const named = free.filter(({ path }) => isNamedRecords(path)).map(({ path }) => path);
    const isNamed = new Set(named);
    const open = free.filter(({ path, sizeBytes }) => mayHoldRecords(path, sizeBytes) && !isNamed.has(path));
    const sampled = open.filter(({ path }) => probe.isSampled(path));
    const records = await holdingRecords(sampled, probe);
    const claimed = new Set([...named, ...records, ...likeThem(open, sampled, records)]);
    return free.filter(({ path }) => claimed.has(path)).map(({ path }) => path);
  },

  async read(paths, access) {
    noteMissingShards(paths, access);
    const plan = planText(paths, access);
    if (plan.isWhole) {
      access.sampleMethod('all lines were counted', 'content');
      const budget = new TextBudget();
      await access.each(paths, async (path, turn) => {
        await refuseMissingText(path, access);
        await readWhole(path, turn, budget, access);
      });
      if (budget.isSpent) access.notDone(`all lines: more than ${formatCount(limits.countedTexts)} texts, so files were sampled`);
      else access.done('every line was read');
      return;
    }
    access.notDone('all lines: windows at random places were read, which may miss damaged ones');
    const shape = await shapeOfFirst(paths, access);
    await access.each(paths, async (path, turn) => {
      await refuseMissingText(path, access);
      await readSampled(path, turn, shape, plan.beginningBytes, access);
    });
  },
};

function isNamedRecords(path: string): boolean {
  const name = withoutCompression(baseName(path));
  return lineNames.test(name);
}

/** Files that were not looked at, in directories in which most of those that were hold records. */
function likeThem(open: readonly FileEntry[], sampled: readonly FileEntry[], records: readonly string[]): string[] {
  if (sampled.length === open.length) return [];
  const shares = new Map<string, number>();
  const add = (path: string, share: number): void =>
    void shares.set(parentPath(path), (shares.get(parentPath(path)) ?? 0) + share);
  for (const { path } of sampled) add(path, -1);
  for (const path of records) add(path, 2);
  const looked = new Set(sampled);
  return open.filter((entry) => !looked.has(entry) && (shares.get(parentPath(entry.path)) ?? 0) > 0).map(({ path }) => path);
}

/**
 * What a `.json` holds by what it begins with. `records`: text, messages or tokens by their names, or one record a line; `rows`: a list that may
 * be a table; `list`: one that is not; `other`: anything else.
 */
type JsonContent = 'records' | 'rows' | 'list' | 'other';

/** Paths of those that hold records. Tables count where they are at least half of the lists of their directory: a program has lists of all kinds. */
async function holdingRecords(entries: readonly FileEntry[], probe: Probe): Promise<string[]> {
  const contents = new Map<string, JsonContent>();
  const hold = await asyncFilter(entries, async (entry) => {
    const content = await contentOf(entry, probe);
    contents.set(entry.path, content);
    return content === 'records' || content === 'rows';
  });
  const majorities = new Map<string, number>();
  for (const [path, content] of contents) {
    const vote = content === 'rows' ? 1 : content === 'list' ? -1 : 0;
    majorities.set(parentPath(path), (majorities.get(parentPath(path)) ?? 0) + vote);
  }
  return hold
    .map(({ path }) => path)
    .filter((path) => contents.get(path) === 'records' || (majorities.get(parentPath(path)) ?? 0) >= 0);
}

async function contentOf({ path, sizeBytes }: FileEntry, probe: Probe): Promise<JsonContent> {
  const beginning = await plainBeginning(path, sizeBytes, probe);
  // One that is damaged is as likely records as not: its reader says what is wrong.
  if (beginning === undefined) return 'records';
  const head = decodeText(beginning.bytes)
    .replace(/^\ufeff/, '')
    .trimStart();
  const outline = outlineOf(head);
  if (/^\[\s*\{/.test(head)) return beginsRecord(outline) ? 'records' : beginsRows(outline) ? 'rows' : 'list';
  const [first, second] = head.split('\n', 2);
  if (first === undefined || !first.startsWith('{')) return 'other';
  // Settings may be one long line as well: of a record some member is text or tokens by its name.
  const isRecord =
    second === undefined ? beginning.isCut && beginsRecord(outline) : first.trimEnd().endsWith('}') && /^\s*\{/.test(second);
  return isRecord ? 'records' : 'other';
}

/** The first bytes, decompressed, and whether there are more; undefined where they cannot be. */
async function plainBeginning(
  path: string,
  sizeBytes: number,
  probe: Probe,
): Promise<{ bytes: Uint8Array; isCut: boolean } | undefined> {
  const head = await probe.head(path);
  if (!isCompressedName(path)) return { bytes: head, isCut: sizeBytes > head.byteLength };
  const compression = compressionOf(head);
  if (compression === undefined) return undefined;
  const found = await decompressedHead(path, head, compression, sizeBytes);
  if (found?.bytes.byteLength !== 0) return found;
  // A block of Zstandard comes out as a whole, or not at all; frames of user data and fields of gzip may stand before the first one.
  const more = await decompressedHead(path, await probe.beginning(path, BLOCK_BYTES), compression, sizeBytes);
  return more?.bytes.byteLength === 0 ? undefined : more;
}

async function decompressedHead(
  path: string,
  head: Uint8Array,
  compression: Compression,
  sizeBytes: number,
): Promise<{ bytes: Uint8Array; isCut: boolean } | undefined> {
  const isCut = sizeBytes > head.byteLength;
  try {
    const packed = memorySource(path, head);
    const { bytes, isWhole } = await decompressBeginning(packed, compression, BEGINNING_BYTES, {
      ...ofBeginning(undefined),
      isCut,
    });
    return { bytes, isCut: isCut || !isWhole };
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return undefined;
  }
}

async function shapeOfFirst(paths: readonly string[], access: DatasetAccess): Promise<RecordShape> {
  for (const path of paths.slice(0, 4)) {
    const records = firstRecords(await beginningOf(path, access));
    if (records.length > 0) return shapeOfRecords(records);
  }
  return { kind: 'whole' };
}

/** Damage is noted when the file itself is read. */
async function beginningOf(path: string, access: DatasetAccess): Promise<Uint8Array> {
  try {
    return await readTextBeginning(path, HEAD_BYTES, access);
  } catch (error) {
    if (!FormatError.is(error) || FormatError.is(error, 'cancelled')) throw error;
    return new Uint8Array(0);
  }
}

function firstRecords(bytes: Uint8Array): unknown[] {
  const records: unknown[] = [];
  for (const { line } of linesOf(bytes)) {
    const record = parseRecord(line);
    if (record !== undefined) records.push(record);
    if (records.length >= SAMPLE_RECORDS) break;
  }
  return records;
}

function* linesOf(bytes: Uint8Array): Generator<{ line: Uint8Array; offset: number }> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (let at = hasMark ? 3 : 0; at < bytes.byteLength;) {
    const next = bytes.indexOf(0x0a, at);
    const end = next === -1 ? bytes.byteLength : next;
    const line = bytes.subarray(at, bytes[end - 1] === 0x0d ? end - 1 : end);
    if (!line.every(isJsonSpace)) yield { line, offset: at };
    at = end + 1;
  }
}

/** Other control characters are none of JSON's white space (RFC 8259, 2): a line of them is damaged. */
function isJsonSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

async function readWhole(path: string, turn: () => Promise<void>, budget: TextBudget, access: DatasetAccess): Promise<void> {
  const bytes = await readWholeText(path, access);
  if (bytes === undefined) return readSampled(path, turn, await shapeOfFirst([path], access), 16e6, access);
  // The budget is spent in the order of the listing.
  await turn();
  if (isNamedRecords(path) ? isOverManyLines(bytes) : isOtherDocument(bytes)) {
    if (isNamedRecords(path))
      access.finding({ code: 'name-of-another-format', path, offset: 0, facts: { promised: 'JSON Lines', found: 'JSON' } });
    return access.describe(path, { format: 'json', role: 'JSON document', restKind: 'metadata', isData: false });
  }
  const records = new CountedRecords(budget);
  const { isWhole, damaged, firstDamaged } = await eachRecord(bytes, (record) => records.add(record), access);
  if (!isWhole) return readSampled(path, turn, records.finish().shape, 16e6, access);
  const counted = records.finish();
  const error = counted.count === 0 && damaged > 0 ? await access.contentError(path) : undefined;
  if (error !== undefined) throw error;
  access.describe(path, { role: 'records', restKind: 'text' });
  noteEncoding(path, bytes, access);
  if (damaged > 0)
    access.finding({
      code: 'line-corrupt',
      path,
      offset: firstDamaged,
      facts: { count: damaged, total: damaged + counted.count },
    });
  addShard(path, bytes.byteLength, counted, access);
}

/** Whether all of a file is one JSON object, and none that is a record by its members' names: settings, a description of weights. */
function isOtherDocument(bytes: Uint8Array): boolean {
  if (bytes.find((byte) => !isJsonSpace(byte) && byte !== 0x0a) !== 0x7b) return false;
  const document = parseRecord(bytes);
  return document !== undefined && !isKnownRecord(document);
}

/** Whether all of a file is one JSON object over many lines, so that no line is one. */
function isOverManyLines(bytes: Uint8Array): boolean {
  const [first, second] = linesOf(bytes);
  if (first === undefined || second === undefined) return false;
  if ([first, second].some(({ line }) => parseRecord(line) !== undefined)) return false;
  const document = parseRecord(bytes);
  return document !== undefined && !Array.isArray(document);
}

function addShard(path: string, logicalBytes: number, { shape, count, tokens, texts }: Counted, access: DatasetAccess): void {
  access.shard({
    path,
    split: splitOf(path),
    samples: count,
    tokens,
    logicalBytes,
    isBlank: logicalBytes === 0 && access.entry(path)?.sizeBytes === 0,
    columns: columnsOf(shape, count, tokens),
  });
  if (tokens !== null) return access.tokenMethod('the numbers in the records were counted', 'content');
  const empty = texts.filter((own) => own.every((text) => text === '')).length;
  if (empty > 0) access.finding({ code: 'documents-empty', path, facts: { count: empty, total: count, unit: 'documents' } });
  access.corpus(memoryCorpus(path, texts));
}

function columnsOf(shape: RecordShape, records: number, tokens: number | null): ShardColumn[] {
  const base = { dtype: null, bytes: null, logicalBytes: null };
  switch (shape.kind) {
    case 'tokens':
      return [{ ...base, name: shape.field, type: 'list<number>', role: 'tokens', values: tokens }];
    case 'text':
      return shape.fields.map((name) => ({ ...base, name, type: 'string', role: 'text', values: records }));
    case 'messages':
      return [{ ...base, name: shape.field, type: 'list<message>', role: 'text', values: records }];
    case 'whole':
      return [];
  }
}

/** What counting keeps of the records of a file. */
interface Counted {
  shape: RecordShape;
  count: number;
  /** Null where the records hold no tokens. */
  tokens: number | null;
  texts: readonly (readonly string[])[];
}

/** Keeps of each record its texts or its number of tokens: as objects, records take many times their bytes. */
class CountedRecords {
  private shape: RecordShape | undefined;
  private first: unknown[] = [];
  private count = 0;
  private tokens = 0;
  private readonly texts: string[][] = [];

  constructor(private readonly budget: TextBudget) {}

  /** False where no more texts are kept. */
  add(record: unknown): boolean {
    this.count += 1;
    if (this.shape !== undefined) return this.keep(record, this.shape);
    this.first.push(record);
    return this.first.length < SAMPLE_RECORDS || this.keepFirst();
  }

  finish(): Counted {
    this.keepFirst();
    const shape = this.shape ?? { kind: 'whole' };
    return { shape, count: this.count, tokens: shape.kind === 'tokens' ? this.tokens : null, texts: this.texts };
  }

  private keepFirst(): boolean {
    const shape = (this.shape ??= shapeOfRecords(this.first));
    const { first } = this;
    this.first = [];
    return first.every((record) => this.keep(record, shape));
  }

  private keep(record: unknown, shape: RecordShape): boolean {
    if (shape.kind === 'tokens') {
      this.tokens += tokensOfRecord(record, shape.field);
      return true;
    }
    const texts = textsOfRecord(record, shape);
    this.texts.push(texts);
    return this.budget.take(texts.length);
  }
}

interface ReadRecords {
  /** False where `use` ended the reading. */
  isWhole: boolean;
  damaged: number;
  firstDamaged: number;
}

/** What is parsed between two pauses. */
const PAUSE_BYTES = 256 * 1024;

async function eachRecord(bytes: Uint8Array, use: (record: unknown) => boolean, access: DatasetAccess): Promise<ReadRecords> {
  const isList = bytes.find((byte) => byte > 0x20 && byte < 0x80) === 0x5b;
  const list = isList ? parseRecord(bytes) : undefined;
  if (Array.isArray(list)) return { isWhole: list.every((record) => use(record)), damaged: 0, firstDamaged: 0 };
  let damaged = 0;
  let firstDamaged = 0;
  let pausedAt = 0;
  for (const { line, offset } of linesOf(bytes)) {
    if (offset - pausedAt >= PAUSE_BYTES) {
      pausedAt = offset;
      await access.pause();
    }
    const record = parseRecord(line);
    if (record === undefined) {
      if (damaged++ === 0) firstDamaged = offset;
    } else if (!use(record)) return { isWhole: false, damaged, firstDamaged };
  }
  return { isWhole: true, damaged, firstDamaged };
}

/** One list over many lines, of which none is a record. Lists may be records as well, a line each. */
function beginsList(beginning: Uint8Array): boolean {
  const [first] = linesOf(beginning);
  const begins = first?.line.find((byte) => !isJsonSpace(byte));
  return first !== undefined && begins === 0x5b && parseRecord(first.line) === undefined;
}

async function readSampled(
  path: string,
  turn: () => Promise<void>,
  shape: RecordShape,
  beginningBytes: number,
  access: DatasetAccess,
): Promise<void> {
  const compression = await compressionOfFile(path, access);
  const isList = beginsList(await beginningOf(path, access));
  await turn();
  if (isList) access.notDone('lists of records in JSON above what is read whole: their lines were sampled as text');
  access.describe(path, { role: 'records', restKind: 'text' });
  access.shard({
    path,
    split: splitOf(path),
    samples: null,
    tokens: null,
    isBlank: access.entry(path)?.sizeBytes === 0,
    columns: columnsOf(shape, 0, null).map((column) => ({ ...column, values: null })),
  });
  let damaged = 0;
  const read = (line: Uint8Array, offset: number): LineContent => {
    if (isList) return { texts: [decodeText(line)] };
    const record = parseRecord(line);
    if (record === undefined && damaged++ === 0)
      access.finding({ code: 'line-corrupt', path, offset, facts: { count: 1, total: 1 } });
    if (shape.kind === 'tokens') return { texts: [], tokens: tokensOfRecord(record, shape.field) };
    return { texts: record === undefined ? [] : textsOfRecord(record, shape) };
  };
  const options = { path, read };
  const source = access.open(path);
  access.corpus(
    compression === undefined
      ? lineCorpus(source, options)
      : compressedCorpus(source, compression, beginningBytes, (content) => lineCorpus(content, options)),
  );
}
