/** A save of Megatron without optimizer state, although its arguments did not turn it off. */
import { damagedFiles } from '../../checkpoints/damagedFiles.js';
import type { Parts } from '../../checkpoints/parts.js';
import type { Finding } from '../../findings/finding.js';
import { member } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';

/**
 * None where a damaged file may hold it, where the arguments are not stored, or have `no_save_optim` set as converters set it (tools/checkpoint), and none for weights of
 * iteration 0 or under the name `release`.
 * @param args an argparse.Namespace of megatron/training/arguments.py
 */
export function findLostOptimizer(parts: Parts, args: PickleValue | undefined, save: string): Finding[] {
  const { tensors, step, findings } = parts;
  const noSave = member(args, 'no_save_optim');
  const isSaved = noSave === null || noSave === false;
  if (!isSaved || step === null || step === 0 || save === 'release') return [];
  if (findings.some(({ code }) => code === 'distributed-optimizer-missing') || damagedFiles(parts).size > 0) return [];
  for (let row = 0; row < tensors.size; row++) {
    const component = tensors.componentOf(row);
    if (component === 'optimizer' || component === 'masterWeights') return [];
  }
  return [{ code: 'saved-optimizer-missing', facts: { argument: 'no_save_optim' } }];
}
