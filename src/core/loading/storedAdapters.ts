/** The adapters of a checkpoint, as their files have them. */
import { damagedFiles } from '../checkpoints/damagedFiles.js';
import type { Parts } from '../checkpoints/parts.js';
import { baseName, joinPath, parentPath } from '../files/paths.js';
import type { StoredTensor } from './adapterNames.js';

const configName = 'adapter_config.json';

/** An adapter of the checkpoint. */
export interface StoredAdapter {
  /** Path of its config. */
  path: string;
  config: Readonly<Record<string, unknown>>;
  tensors: StoredTensor[];
  isDamaged: boolean;
  /** PEFT's loader enlarges the embeddings of the base by the tokenizer that is saved with an adapter (peft/auto.py). */
  hasTokenizer: boolean;
}

/** With the tensors of the file that PEFT opens: `adapter_model.safetensors`, else `adapter_model.bin`. */
export function adaptersIn(parts: Parts, json: ReadonlyMap<string, unknown>): StoredAdapter[] {
  const damaged = damagedFiles(parts);
  const paths = new Map(parts.files.map(({ path }, number) => [path, number]));
  const byFile = new Map<number, StoredAdapter>();
  const adapters: StoredAdapter[] = [];
  for (const [path, config] of json) {
    if (baseName(path) !== configName || typeof config !== 'object' || config === null) continue;
    const directory = parentPath(path);
    const file = ['adapter_model.safetensors', 'adapter_model.bin']
      .map((name) => joinPath(directory, name))
      .find((name) => paths.has(name));
    if (file === undefined) continue;
    const hasTokenizer = ['tokenizer.json', 'tokenizer_config.json'].some((name) => paths.has(joinPath(directory, name)));
    const isDamaged = damaged.has(file) || damaged.has(path);
    const adapter: StoredAdapter = { path, config: config as Record<string, unknown>, tensors: [], isDamaged, hasTokenizer };
    adapters.push(adapter);
    byFile.set(paths.get(file) as number, adapter);
  }
  const { tensors } = parts;
  for (let row = 0; byFile.size > 0 && row < tensors.size; row++) {
    const adapter = byFile.get(tensors.pieceFile(tensors.firstPieceOf(row)));
    adapter?.tensors.push({ name: tensors.nameOf(row), shape: tensors.shapeOf(row) });
  }
  return adapters;
}
