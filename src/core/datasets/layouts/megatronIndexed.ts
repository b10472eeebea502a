/** Megatron-LM's indexed datasets: pairs of `<prefix>.bin` and `<prefix>.idx`, and the index cache that a GPTDataset leaves. */
import type { FileEntry } from '../../files/fileTree.js';
import type { Listing } from '../../files/listing.js';
import { baseName } from '../../files/paths.js';
import { limits } from '../../bytes/limits.js';
import {
  isIndexedDataset,
  readDataEnd,
  readIndexedDatasetHeader,
  readSequenceLengths,
  type IndexedDatasetHeader,
} from '../../formats/indexedDataset.js';
import type { DatasetAccess, DatasetLayout, Probe } from '../datasetLayout.js';
import { LengthCounter } from '../lengthHistogram.js';

/** `<hash>-GPTDataset-train-document_index.npy` and its like (megatron/core/datasets/gpt_dataset.py). */
const cacheName = /^[0-9a-f]{32}-\w+-\w+(-\w+)*\.(npy|txt)$/;

export const megatronIndexed: DatasetLayout = {
  id: 'megatron-indexed',
  framework: 'Megatron-LM',
  sampleUnit: 'document',

  async claim(free, listing, probe) {
    const indexes: string[] = [];
    for (const { path } of free) if (path.endsWith('.idx') && isIndexedDataset(await probe.head(path))) indexes.push(path);
    if (indexes.length === 0) return loneData(free, listing, probe);
    const data = new Set(indexes.map(dataOf));
    return free
      .filter(({ path }) => data.has(path) || indexes.includes(path) || cacheName.test(baseName(path)))
      .map(({ path }) => path);
  },

  async read(paths, access) {
    for (const path of paths)
      if (cacheName.test(baseName(path)))
        access.describe(path, { format: path.endsWith('.npy') ? 'npy' : 'text', role: 'index cache', restKind: 'index' });
    const indexes = paths.filter((path) => path.endsWith('.idx'));
    await access.each(indexes, (path, turn) => readPair(path, turn, access));
    access.tokenMethod('size of the .bin over the bytes of a token, as the .idx states them');
    access.done('each .idx was compared with its .bin: length of the index, end of the last sequence');
  },
};

/** A file of data alone, when it was clicked by itself: nothing in it tells, so it is left to the layouts that guess. */
function loneData(_free: readonly FileEntry[], _listing: Listing, _probe: Probe): string[] {
  return [];
}

function dataOf(index: string): string {
  return index.replace(/\.idx$/, '.bin');
}

async function readPair(path: string, turn: () => Promise<void>, access: DatasetAccess): Promise<void> {
  access.describe(path, { role: 'index', restKind: 'index' });
  const counter = new LengthCounter();
  const { header, end, indexBytes } = await access.withSource(path, async (source) => {
    const read = await readIndexedDatasetHeader(source, access.signal);
    const isWhole = source.sizeBytes >= read.expectedBytes;
    const end = isWhole ? await readDataEnd(source, read, access.signal) : null;
    if (isWhole && (access.options.allLengths || read.sequences * 4 <= limits.lengthsBytes))
      await readSequenceLengths(source, read.sequences, (lengths) => counter.addAll(lengths), access.signal);
    return { header: read, end, indexBytes: source.sizeBytes };
  });
  await turn();
  if (indexBytes !== header.expectedBytes) {
    const facts = { expectedBytes: header.expectedBytes, bytes: indexBytes, detail: sizesInWords(header, indexBytes) };
    access.finding({ code: indexBytes < header.expectedBytes ? 'shard-truncated' : 'shard-size-differs', path, facts });
  }
  addShard(path, header, end, access);
  const histogram = counter.histogram('sequence');
  if (histogram !== null) access.lengths(histogram);
  else if (header.sequences > 0) access.notDone('the lengths of all sequences: read them on request');
  noteEmpty(path, header, counter, access);
}

function addShard(index: string, header: IndexedDatasetHeader, end: number | null, access: DatasetAccess): void {
  const path = dataOf(index);
  const entry = access.entry(path);
  const { dtype, itemBytes, sequences, documentBoundaries } = header;
  if (entry === undefined) {
    access.finding({ code: 'index-unmatched', path: index, facts: { present: baseName(index), missing: baseName(path) } });
    return;
  }
  access.describe(path, { role: 'tokens', restKind: 'unexplained' });
  const tokens = Math.floor(entry.sizeBytes / itemBytes);
  if (end !== null && end !== entry.sizeBytes)
    access.finding({ code: 'shard-size-differs', path, facts: { expectedBytes: end, bytes: entry.sizeBytes } });
  access.fact('sequences', String(sequences), index);
  if (header.isMultimodal) access.fact('modes', 'one for each sequence (multimodal)', index);
  access.span({ path, offset: 0, bytes: tokens * itemBytes, dtype, role: 'tokens' });
  access.shard({
    path,
    samples: Math.max(0, documentBoundaries - 1),
    tokens,
    columns: [
      {
        name: 'tokens',
        type: `array<${dtype}>`,
        dtype,
        role: 'tokens',
        values: tokens,
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
