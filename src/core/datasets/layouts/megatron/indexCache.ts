/** What a GPTDataset leaves of its settings in the index cache: `<hash>-GPTDataset-train-description.txt`, JSON (megatron/core/datasets/gpt_dataset.py). */
import { limits } from '../../../bytes/limits.js';
import { baseName } from '../../../files/paths.js';
import { FormatError } from '../../../bytes/formatError.js';
import { decodeText } from '../../../bytes/text.js';
import { memberOf } from '../../../formats/text/jsonMember.js';
import { jsonValue } from '../../../formats/text/jsonValue.js';
import type { DatasetAccess } from '../../datasetLayout.js';

/**
 * `<hash>-GPTDataset-train-document_index.npy` and its like (megatron/core/datasets/gpt_dataset.py, blended_dataset.py), and
 * `<prefix>_train_indexmap_1000ns_2048sl_1234s_doc_idx.npy` of Megatron-LM before 2023 and GPT-NeoX.
 */
export const indexCacheName = /^[0-9a-f]{32}-\w+-\w+(-\w+)*\.(npy|txt)$|_indexmap_(\w+_)?(doc|sample|shuffle)_idx\.npy$/;

/** True for a file of the index cache: what a run draws in which order, made again where it is missing. */
export function isIndexCache(path: string): boolean {
  return indexCacheName.test(baseName(path));
}

/** Descriptions that are read: one for each split of each prefix of a run. */
const MAX_DESCRIPTIONS = 64;

const settings: readonly (readonly [key: string, label: string])[] = [
  ['num_samples', 'samples of the run'],
  ['sequence_length', 'sequence length'],
  ['split', 'split'],
  ['random_seed', 'seed'],
];

/** Settings of the runs that built the cache, as facts. */
export async function readIndexCache(paths: readonly string[], access: DatasetAccess): Promise<void> {
  const descriptions = paths.filter((path) => path.endsWith('-description.txt')).slice(0, MAX_DESCRIPTIONS);
  await access.each(descriptions, async (path, turn) => {
    const bytes = await access.withSource(path, (source) =>
      source.read(0, Math.min(source.sizeBytes, limits.metadataPayloadBytes), access.signal),
    );
    await turn();
    const description = parsed(decodeText(bytes));
    const split = textOf(memberOf(description, 'index_split'));
    for (const [key, label] of settings) {
      const value = textOf(memberOf(description, key));
      if (value !== undefined) access.fact(split === undefined ? label : `${label} (${split})`, value, path);
    }
    const vocabulary = memberOf(memberOf(description, 'tokenizer'), 'vocab_size');
    if (typeof vocabulary === 'number' && Number.isSafeInteger(vocabulary) && vocabulary > 0)
      access.vocabulary({ size: vocabulary, source: `${path}: tokenizer.vocab_size` });
  });
}

function parsed(text: string): unknown {
  try {
    return jsonValue(text);
  } catch {
    throw new FormatError('corrupt', 'the description is no JSON');
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
