/** Which settings a resume of Trainer takes from the saved state, in place of its arguments. */
import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import { baseName } from '../files/paths.js';
import type { SettingDifference, Sides } from './comparisonReport.js';
import { areEqualTexts } from './settingDifferences.js';

/** Where Trainer keeps the state of an optimizer: a resume takes its groups as they are. */
const trainerOptimizer = /^optimizer\.(?:pt|bin)$/;

type Facts = Pick<CheckpointReport, 'facts'>;

interface Saved extends Sides<string> {
  /** Whose state both are of. */
  of: 'optimizer' | 'scheduler';
}

/** What a resume uses in place of a setting that differs; undefined where that is the setting itself, or not known. */
export function savedInstead(setting: SettingDifference, { a, b }: Sides<Facts>): Saved | undefined {
  const { name } = setting;
  const isInitial = name === 'initialLearningRate';
  if (!isInitial && !isArgument(setting)) return undefined;
  const [baseA, baseB] = isInitial || name === 'learningRate' ? [baseRate(a), baseRate(b)] : [];
  if (baseA !== undefined && baseB !== undefined) return { a: baseA, b: baseB, of: 'scheduler' };
  if (isInitial) return undefined;
  const [ownA, ownB] = [ofGroup(a, name), ofGroup(b, name)];
  return ownA === undefined || ownB === undefined ? undefined : { a: ownA, b: ownB, of: 'optimizer' };
}

/** Whether both differ in what a resume does not use, as it uses the same on both. */
export function isUnused(setting: SettingDifference, reports: Sides<Facts>): boolean {
  const saved = savedInstead(setting, reports);
  return saved !== undefined && areEqualTexts(saved.a, saved.b);
}

/** Whether it is of the arguments that Trainer pickles with each save. */
function isArgument({ files: { a, b } }: SettingDifference): boolean {
  return [a, b].every((path) => path !== null && baseName(path) === 'training_args.bin');
}

/** What the scheduler multiplies, of the first group: its state has that, whatever the groups of the optimizer began with (torch, LambdaLR). */
function baseRate({ facts }: Facts): string | undefined {
  const rates = facts.find(({ id, path }) => id === 'baseLearningRates' && baseName(path) === 'scheduler.pt');
  return rates?.value.split(',')[0];
}

/** As the first group has it; of the learning rate what a scheduler began with, which is what the arguments say. */
function ofGroup({ facts }: Facts, name: string): string | undefined {
  const find = (id: string): string | undefined =>
    facts.find(
      ({ id: own, path, keyPath }) => own === id && keyPath.startsWith('param_groups.') && trainerOptimizer.test(baseName(path)),
    )?.value;
  return (name === 'learningRate' ? find('initialLearningRate') : undefined) ?? find(name);
}
