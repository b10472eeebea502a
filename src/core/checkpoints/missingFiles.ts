/** Files that the Hugging Face libraries write beside those that are here, and without which these cannot be loaded. */
import { baseName, joinPath, parentPath } from '../files/paths.js';
import type { Finding } from '../findings/finding.js';
import type { Parts } from './parts.js';

/** A finding for each file that is missing beside another. `hasWeights`: there are weights in any of the files. */
export function findMissingFiles({ files }: Pick<Parts, 'files'>, hasWeights: boolean): Finding[] {
  const byDirectory = new Map<string, Set<string>>();
  for (const { path } of files) {
    const directory = parentPath(path);
    byDirectory.set(directory, (byDirectory.get(directory) ?? new Set()).add(baseName(path)));
  }
  return [...byDirectory].flatMap(([directory, names]): Finding[] => [
    ...missingIndexes(names).map((file): Finding => ({ code: 'index-missing', facts: { file: joinPath(directory, file) } })),
    ...missingBeside(names, directory === '' && !hasWeights).map(([file, detail]): Finding => ({
      code: 'file-missing',
      facts: { file: joinPath(directory, file), detail },
    })),
  ]);
}

/** A missing file, and why it is missed. */
type Missing = [file: string, detail: string];

const adapterWeights = /^adapter_model\.(safetensors|bin)$/;
const modelWeights = /^(model|pytorch_model)([.-].*)?\.(safetensors|bin)$/s;

function missingBeside(names: ReadonlySet<string>, isEmptyRoot: boolean): Missing[] {
  const has = (pattern: RegExp): boolean => [...names].some((name) => pattern.test(name));
  const missing: Missing[] = [];
  const hasAdapter = has(adapterWeights);
  if (hasAdapter && !names.has('adapter_config.json'))
    missing.push(['adapter_config.json', 'PEFT needs it for the kind of adapter and its modules']);
  // That a checkpoint has no weights at all is a finding of its own.
  if (!hasAdapter && !isEmptyRoot && names.has('adapter_config.json'))
    missing.push(['adapter_model.safetensors', 'the adapter configuration has no weights']);
  // Weights alone need no config; these files say that the library saved them with one.
  const isSavedModel = ['generation_config.json', 'tokenizer_config.json', 'trainer_state.json'].some((name) => names.has(name));
  if (isSavedModel && has(modelWeights) && !names.has('config.json'))
    missing.push(['config.json', 'from_pretrained needs it for the model class']);
  if (names.has('trainer_state.json') && names.has('optimizer.pt') && !names.has('training_args.bin')) {
    missing.push(['training_args.bin', 'a resumed run may use other settings']);
  }
  return missing;
}

const shardName = /^((?:model|pytorch_model|diffusion_pytorch_model)(?:\.([\w-]+))?)-\d{5}-of-(\d{5})\.(safetensors|bin)$/;

/** Loaders find the shards of a model by their index. */
function missingIndexes(names: ReadonlySet<string>): string[] {
  const wanted = new Set<string>();
  for (const name of names) {
    const match = shardName.exec(name);
    if (match === null || Number(match[3]) < 2) continue;
    const [, stem = '', variant, , extension = ''] = match;
    const model = variant === undefined ? stem : stem.slice(0, -variant.length - 1);
    wanted.add(`${model}.${extension}.index${variant === undefined ? '' : `.${variant}`}.json`);
  }
  return [...wanted].filter((index) => !names.has(index));
}
