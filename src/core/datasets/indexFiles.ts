/** Index files of datasets by what is in them: which they are, and what they say by themselves. Other files may have the same names. */

import { jsonValue } from '../formats/text/jsonValue.js';

/** What an index file is about, and the numbers that it states; null where it does not state one. */
export interface IndexFile {
  kind: 'mds' | 'litdata' | 'wids' | 'huggingface' | 'megatron-indexed';
  shards: number | null;
  samples: number | null;
  /** Bytes of the shards as the index lists them. */
  bytes: number | null;
  /** True where the file is read together with its partner, false where the folder around it is the dataset. */
  isPair: boolean;
}

/** Files that may be the index of the folder around them. */
export const indexNames: readonly string[] = ['index.json', 'dataset_info.json', 'dataset_dict.json', 'state.json'];

/** Indexes of a hundred thousand shards have about 30 MB; a hover does not wait for more than this. */
export const longestIndexText = 8 * 1024 * 1024;

/**
 * Which dataset index a file is; null for everything else, such as the `index.json` of a web project or the `state.json` of an editor.
 * @param name of the file, without its folder
 * @param text the whole text; of an `.idx` the beginning is enough
 */
export function recogniseIndex(name: string, text: string): IndexFile | null {
  if (/\.idx$/i.test(name)) return text.startsWith('MMIDIDX\u0000\u0000') ? indexOf('megatron-indexed', { isPair: true }) : null;
  const recognise = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (recognise === undefined || text.length > longestIndexText) return null;
  try {
    const value = jsonValue(text);
    return isRecord(value) ? recognise(value) : null;
  } catch {
    return null;
  }
}

/**
 * True for the index of a dataset that represents the folder around it.
 * @param read the whole text; asked for only where the name and the size may be those of an index
 */
export async function standsForFolder(name: string, sizeBytes: number, read: () => Promise<string>): Promise<boolean> {
  if (!indexNames.includes(name) || sizeBytes > longestIndexText) return false;
  return recogniseIndex(name, await read())?.isPair === false;
}

const readers: Record<string, (value: Record<string, unknown>) => IndexFile | null> = {
  'index.json': (value) => mdsOf(value) ?? litDataOf(value) ?? widsOf(value),
  'dataset_info.json': (value) =>
    isRecord(value['features']) || isRecord(value['splits']) || typeof value['builder_name'] === 'string'
      ? indexOf('huggingface', splitsOf(value['splits']))
      : null,
  'dataset_dict.json': ({ splits }) =>
    Array.isArray(splits) && splits.every((split) => typeof split === 'string') ? indexOf('huggingface') : null,
  'state.json'(value) {
    const files = value['_data_files'];
    if (!Array.isArray(files) || typeof value['_fingerprint'] !== 'string') return null;
    const isArrow = files.every((file) => isRecord(file) && /\.arrow$/.test(String(file['filename'])));
    return isArrow ? indexOf('huggingface', { shards: files.length }) : null;
  },
};

/** `{"shards": [{"format": "mds", "samples": 8, "raw_data": {"bytes": 1}}], "version": 2}`, streaming/base/format/index.py. */
function mdsOf({ shards, version }: Record<string, unknown>): IndexFile | null {
  if (!Array.isArray(shards) || typeof version !== 'number') return null;
  const isOwn = shards.every((shard) => isRecord(shard) && /^(mds|json|xsv|csv|tsv)$/.test(String(shard['format'])));
  if (!isOwn) return null;
  const sizeOf = (shard: unknown): unknown => {
    const data = field(shard, 'zip_data') ?? field(shard, 'raw_data');
    return field(data, 'bytes');
  };
  return indexOf('mds', {
    shards: shards.length,
    samples: sum(shards, (shard) => field(shard, 'samples')),
    bytes: sum(shards, sizeOf),
  });
}

/** `{"chunks": [{"chunk_size": 2, "chunk_bytes": 1, "filename": "..."}], "config": {...}}`, litdata/streaming/writer.py. */
function litDataOf({ chunks, config }: Record<string, unknown>): IndexFile | null {
  if (!Array.isArray(chunks) || !isRecord(config) || !chunks.every((chunk) => typeof field(chunk, 'filename') === 'string'))
    return null;
  return indexOf('litdata', { shards: chunks.length, bytes: sum(chunks, (chunk) => field(chunk, 'chunk_bytes')) });
}

/** `{"__kind__": "wids-shard-index-v1", "shardlist": [{"url": "...", "nsamples": 2}]}`, wids/wids_index.py. */
function widsOf(value: Record<string, unknown>): IndexFile | null {
  const shards = value['shardlist'];
  if (!Array.isArray(shards) || !(String(value['__kind__']).startsWith('wids') || value['wids_version'] !== undefined))
    return null;
  return indexOf('wids', {
    shards: shards.length,
    samples: sum(shards, (shard) => field(shard, 'nsamples')),
    bytes: sum(shards, (shard) => field(shard, 'filesize')),
  });
}

function splitsOf(splits: unknown): Partial<IndexFile> {
  if (!isRecord(splits)) return {};
  const all = Object.values(splits);
  return { samples: all.length === 0 ? null : sum(all, (split) => field(split, 'num_examples')) };
}

function indexOf(kind: IndexFile['kind'], known: Partial<IndexFile> = {}): IndexFile {
  return { kind, shards: null, samples: null, bytes: null, isPair: false, ...known };
}

/** Null where one is missing or no count. */
function sum(items: readonly unknown[], count: (item: unknown) => unknown): number | null {
  let total = 0;
  for (const item of items) {
    const value = count(item);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return null;
    total += value;
  }
  return total;
}

function field(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
