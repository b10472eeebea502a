/** Megatron-LM's indexed datasets: pairs of `<prefix>.bin` and `<prefix>.idx`, and the index cache that a GPTDataset leaves. */
import { baseName, parentPath } from '../../files/paths.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import {
  isIndexedDataset,
  isOldIndexedDataset,
  readDataEnd,
  readIndexedDatasetHeader,
  readCheckedLengths,
  readSequenceLengths,
  TABLE_BYTES_PER_SEQUENCE,
  type IndexedDatasetHeader,
} from '../../formats/megatron/indexedDataset.js';
import type { DatasetAccess, DatasetLayout } from '../datasetLayout.js';
import { LengthCounter } from '../lengthHistogram.js';
import { isIndexCache, readIndexCache } from './megatron/indexCache.js';
import { sizeFinding } from '../sizeFinding.js';

export const megatronIndexed: DatasetLayout = {
  id: 'megatron-indexed',
  framework: 'Megatron-LM',
  sampleUnit: 'document',
  names: [{ extensions: ['idx'], isOwn: false }],

  async claim(free, _, probe) {
    const present = new Set(free.map(({ path }) => path));
    const indexes = new Set<string>();
    for (const { path } of free) {
      if (!path.endsWith('.idx')) continue;
      const head = await probe.head(path);
      // With its data beside it an index is one also where its beginning is damaged.
      if (isIndexedDataset(head) || isOldIndexedDataset(head) || present.has(dataOf(path))) indexes.add(path);
    }
    if (indexes.size === 0) return [];
    const data = new Set([...indexes].map(dataOf));
    const places = new Set([...indexes].map(parentPath));
    const isOwn = (path: string): boolean =>
      data.has(path) ||
      indexes.has(path) ||
      isIndexCache(path) ||
      (places.has(parentPath(path)) && path.endsWith('_document.bin'));
    return free.filter(({ path }) => isOwn(path)).map(({ path }) => path);
  },

  async read(paths, access) {
    const cache = paths.filter((path) => isIndexCache(path));
    for (const path of cache)
      access.describe(path, { format: path.endsWith('.npy') ? 'npy' : 'text', role: 'index cache', restKind: 'index' });
    const indexes = paths.filter((path) => path.endsWith('.idx'));
    // Until an index says what they are.
    for (const path of indexes)
      access.describe(dataOf(path), { role: 'tokens', restKind: 'unexplained', isData: true, isPlainTokens: true });
    noteUnindexed(paths, new Set(indexes.map(dataOf)), access);
    const pairs: Pair[] = [];
    await access.each(indexes, (path, turn) => readPair(path, turn, pairs, access));
    noteMerged(pairs, access);
    await readIndexCache(cache, access);
    access.tokenMethod('size of the .bin over the bytes of a token, as the .idx states them');
    access.done('each .idx was compared with its .bin: length of the index, end of the last sequence');
  },
};

/** `<prefix>_<key>_document.bin`, as preprocess_data.py names them, whose index is not here: their dtype and documents are not known. */
function noteUnindexed(paths: readonly string[], indexed: ReadonlySet<string>, access: DatasetAccess): void {
  for (const path of paths) {
    if (!path.endsWith('.bin') || indexed.has(path)) continue;
    access.describe(path, { role: 'tokens', restKind: 'unexplained', isData: true, isPlainTokens: true });
    const missing = baseName(path).replace(/bin$/, 'idx');
    access.finding({ code: 'index-unmatched', path, facts: { present: baseName(path), missing } });
  }
}

/** What an index says of its data. */
interface Pair {
  data: string;
  sequences: number;
  documents: number;
  tokens: number;
  bytes: number;
}

/** `merge_datasets.py` and `add_index` write all prefixes into one more: then everything is here twice, and counts twice. */
function noteMerged(pairs: readonly Pair[], access: DatasetAccess): void {
  if (pairs.length < 3) return;
  const sumOf = (of: (pair: Pair) => number): number => pairs.reduce((sum, pair) => sum + of(pair), 0);
  const counts: ((pair: Pair) => number)[] = [
    (pair) => pair.sequences,
    (pair) => pair.documents,
    (pair) => pair.tokens,
    (pair) => pair.bytes,
  ];
  const merged = pairs.find((pair) => pair.tokens > 0 && counts.every((of) => 2 * of(pair) === sumOf(of)));
  if (merged === undefined) return;
  const others = pairs.filter((pair) => pair !== merged);
  const parts = others.length === 2 ? others.map(({ data }) => data).join(' and ') : `the ${others.length} others`;
  access.finding({
    code: 'dataset-stored-twice',
    path: merged.data,
    facts: {
      copy: merged.data,
      parts: `${parts} together, by the numbers of their sequences, documents and tokens`,
      repeatedBytes: merged.bytes,
      isCountedOnce: false,
    },
  });
}

function dataOf(index: string): string {
  return index.replace(/\.idx$/, '.bin');
}

async function readPair(path: string, turn: () => Promise<void>, pairs: Pair[], access: DatasetAccess): Promise<void> {
  access.describe(path, { role: 'index', restKind: 'index' });
  const counter = new LengthCounter();
  const { header, end, indexBytes, damage } = await access.withSource(path, async (source) => {
    const read = await readIndexedDatasetHeader(source, access.signal);
    return { header: read, indexBytes: source.sizeBytes, ...(await readTables(source, read, counter, access)) };
  });
  const data = dataOf(path);
  const dataBytes = access.entry(data)?.sizeBytes;
  // Documents may all be empty.
  const isMeantEmpty = dataBytes === 0 && end === 0;
  const error = dataBytes === undefined || isMeantEmpty ? undefined : await access.contentError(data);
  await turn();
  if (indexBytes !== header.expectedBytes) {
    const detail = sizesInWords(header, indexBytes);
    access.finding({ path, ...sizeFinding({ expectedBytes: header.expectedBytes, bytes: indexBytes, detail }) });
  }
  const tokens = end === null ? null : Math.floor(Math.max(end, dataBytes ?? 0) / header.itemBytes);
  access.upperBound(data, { samples: Math.max(0, header.documentBoundaries - 1), tokens });
  if (error === undefined) addShard(path, { header, end, isDamaged: damage !== undefined }, pairs, access);
  else access.failure(data, error);
  if (damage !== undefined) return access.failure(path, damage);
  const histogram = counter.histogram('sequence');
  if (histogram !== null) access.lengths(histogram);
  else if (header.sequences > 0) access.lengthsOnRequest('sequences');
  noteEmpty(path, header, counter, access);
}

/** What the tables of an index state. */
interface Tables {
  /** Where the last sequence ends in the data; null where the index is cut, or what states it is impossible. */
  end: number | null;
  damage?: FormatError;
}

/** Reads where the data end, and all lengths where these are few or wanted. Tables that no writer makes are damage. */
async function readTables(
  source: ByteSource,
  header: IndexedDatasetHeader,
  counter: LengthCounter,
  access: DatasetAccess,
): Promise<Tables> {
  if (source.sizeBytes < header.expectedBytes) return { end: null };
  let end: number | null = null;
  try {
    end = await readDataEnd(source, header, access.signal);
    const use = (lengths: Int32Array): void => counter.addAll(lengths);
    if (header.sequences * TABLE_BYTES_PER_SEQUENCE <= limits.lengthsBytes)
      await readCheckedLengths(source, header, use, access.signal);
    else {
      access.notDone('whether the pointers and the documents of large .idx files follow from the lengths');
      if (access.options.allLengths || header.sequences * 4 <= limits.lengthsBytes)
        await readSequenceLengths(source, header.sequences, use, access.signal);
    }
    return { end };
  } catch (error) {
    if (!FormatError.is(error, 'corrupt')) throw error;
    return { end, damage: error };
  }
}

interface FoundIndex {
  header: IndexedDatasetHeader;
  end: number | null;
  /** True where its tables are impossible: nothing says how much of the data are tokens of documents. */
  isDamaged: boolean;
}

function addShard(index: string, { header, end, isDamaged }: FoundIndex, pairs: Pair[], access: DatasetAccess): void {
  const path = dataOf(index);
  const entry = access.entry(path);
  const { dtype, itemBytes, sequences, documentBoundaries } = header;
  if (entry === undefined) {
    access.finding({ code: 'index-unmatched', path: index, facts: { present: baseName(index), missing: baseName(path) } });
    return;
  }
  const tokens = Math.floor(entry.sizeBytes / itemBytes);
  const documents = Math.max(0, documentBoundaries - 1);
  if (!isDamaged) pairs.push({ data: path, sequences, documents, tokens, bytes: entry.sizeBytes });
  if (end !== null && end !== entry.sizeBytes)
    access.finding({ code: 'shard-size-differs', path, facts: { expectedBytes: end, bytes: entry.sizeBytes } });
  access.fact('sequences', String(sequences), index);
  if (header.isMultimodal) access.fact('modes', 'one for each sequence (multimodal)', index);
  access.span({ path, offset: 0, bytes: tokens * itemBytes, dtype, role: 'tokens' });
  access.shard({
    path,
    samples: isDamaged ? null : documents,
    tokens: isDamaged ? null : tokens,
    ...(isDamaged ? { tokensBetween: { count: tokens, least: 0, most: tokens, confidence: null } } : {}),
    columns: [
      {
        name: 'tokens',
        type: `array<${dtype}>`,
        dtype,
        role: 'tokens',
        values: isDamaged ? null : tokens,
        bytes: tokens * itemBytes,
        logicalBytes: tokens * itemBytes,
      },
    ],
  });
}

function noteEmpty(path: string, header: IndexedDatasetHeader, counter: LengthCounter, access: DatasetAccess): void {
  if (counter.empty === 0) return;
  access.finding({ code: 'documents-empty', path, facts: { count: counter.empty, total: header.sequences, unit: 'sequences' } });
}

function sizesInWords({ expectedBytes, sequences, documentBoundaries }: IndexedDatasetHeader, bytes: number): string {
  return `${sequences} sequences and ${documentBoundaries} document boundaries take ${expectedBytes} bytes, the file has ${bytes}`;
}
