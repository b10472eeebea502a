/** Two runs by the steps of their checkpoints: which both have, and where they part. */
import { limits } from '../bytes/limits.js';
import type { CheckpointReport, RunCheckpoint } from '../checkpoints/checkpointReport.js';
import type { RunDifferences } from './comparisonReport.js';
import { areEqualTexts } from './settingDifferences.js';

/** Undefined where one of both is no run of several checkpoints. */
export function compareRuns(a: CheckpointReport | null, b: CheckpointReport | null): RunDifferences | undefined {
  if ((a?.run?.checkpoints.length ?? 0) < 2 || (b?.run?.checkpoints.length ?? 0) < 2 || a === null || b === null)
    return undefined;
  const [ofA, ofB] = [byStep(a), byStep(b)];
  const all = [...new Set([...ofA.keys(), ...ofB.keys()])].sort((one, other) => one - other);
  const both = all.filter((step) => ofA.has(step) && ofB.has(step));
  const onlyA = all.filter((step) => !ofB.has(step));
  const onlyB = all.filter((step) => !ofA.has(step));
  const most = limits.comparedDifferences;
  return {
    both: both.slice(0, most),
    onlyA: onlyA.slice(0, most),
    onlyB: onlyB.slice(0, most),
    counts: { both: both.length, onlyA: onlyA.length, onlyB: onlyB.length },
    steps: all.slice(0, most).map((step) => {
      const [own, other] = [ofA.get(step), ofB.get(step)];
      return {
        step,
        paths: { a: own?.path ?? null, b: other?.path ?? null },
        bytes: { a: own?.bytes ?? null, b: other?.bytes ?? null },
      };
    }),
    firstOtherSize: both.find((step) => ofA.get(step)?.bytes !== ofB.get(step)?.bytes) ?? null,
    firstOtherLearningRate:
      both.find((step) => {
        const [own, other] = [rateOf(a, ofA.get(step)), rateOf(b, ofB.get(step))];
        return own !== null && other !== null && !areEqualTexts(own, other);
      }) ?? null,
  };
}

function byStep({ run }: CheckpointReport): Map<number, RunCheckpoint> {
  const steps = new Map<number, RunCheckpoint>();
  for (const checkpoint of run?.checkpoints ?? [])
    if (checkpoint.step !== null && checkpoint.copyOf === undefined && !steps.has(checkpoint.step))
      steps.set(checkpoint.step, checkpoint);
  return steps;
}

/** The first learning rate that a file of the checkpoint states. */
function rateOf({ facts }: CheckpointReport, checkpoint: RunCheckpoint | undefined): string | null {
  if (checkpoint === undefined) return null;
  const isWithin = (path: string): boolean =>
    checkpoint.path === '' || path === checkpoint.path || path.startsWith(`${checkpoint.path}/`);
  return facts.find(({ id, path }) => id === 'learningRate' && isWithin(path))?.value ?? null;
}
