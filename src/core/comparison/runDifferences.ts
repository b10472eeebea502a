/** Two runs by the steps of their checkpoints: which both have, and where they part. */
import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import type { CheckpointReport, RunCheckpoint } from '../checkpoints/checkpointReport.js';
import type { ComparedRun } from './comparedCheckpoint.js';
import type { NotCompared, RunDifferences } from './comparisonReport.js';
import { isUnused } from './savedSettings.js';
import { compareFacts } from './settingDifferences.js';

/**
 * Undefined where one of both is no run of several checkpoints. Inspects the checkpoints of steps that both have, up to the first with another learning
 * rate and at most `limits.comparedSteps`.
 * @throws FormatError `cancelled`
 */
export async function compareRuns(
  a: ComparedRun | null,
  b: ComparedRun | null,
  isOneKind: boolean,
  notCompared: NotCompared[],
): Promise<RunDifferences | undefined> {
  if (a === null || b === null || isSingle(a.report) || isSingle(b.report)) return undefined;
  const [ofA, ofB] = [byStep(a.report), byStep(b.report)];
  const all = [...new Set([...ofA.keys(), ...ofB.keys()])].sort((one, other) => one - other);
  const both = all.filter((step) => ofA.has(step) && ofB.has(step));
  const onlyA = all.filter((step) => !ofB.has(step));
  const onlyB = all.filter((step) => !ofA.has(step));
  const most = limits.comparedDifferences;
  const found: RunDifferences = {
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
    firstOtherLearningRate: null,
    firstOtherSettings: null,
    settingSteps: 0,
  };
  for (const step of both.slice(0, limits.comparedSteps)) {
    if (found.firstOtherLearningRate !== null) break;
    await addSettings(
      found,
      step,
      { a, b },
      { a: ofA.get(step)?.path ?? '', b: ofB.get(step)?.path ?? '' },
      isOneKind,
      notCompared,
    );
  }
  return found;
}

function isSingle({ run }: CheckpointReport): boolean {
  return (run?.checkpoints.length ?? 0) < 2;
}

function byStep({ run }: CheckpointReport): Map<number, RunCheckpoint> {
  const steps = new Map<number, RunCheckpoint>();
  for (const checkpoint of run?.checkpoints ?? [])
    if (checkpoint.step !== null && checkpoint.copyOf === undefined && !steps.has(checkpoint.step))
      steps.set(checkpoint.step, checkpoint);
  return steps;
}

/** Settings of one step of both. */
async function addSettings(
  found: RunDifferences,
  step: number,
  { a, b }: { a: ComparedRun; b: ComparedRun },
  paths: { a: string; b: string },
  isOneKind: boolean,
  notCompared: NotCompared[],
): Promise<void> {
  try {
    const [own, other] = [await a.inspectMember(paths.a), await b.inspectMember(paths.b)];
    const settings = compareFacts(own, other, isOneKind);
    const names = [...new Set(settings.map(({ name }) => name))];
    const labels = [...new Set(settings.map(({ label }) => label))];
    found.settingSteps += 1;
    if (names.length > 0) found.firstOtherSettings ??= { step, names, labels };
    const areOther = settings.some((setting) => setting.name === 'learningRate' && !isUnused(setting, { a: own, b: other }));
    if (areOther) found.firstOtherLearningRate = step;
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    notCompared.push({ what: 'steps', side: null, reason: `Step ${step} is not compared: ${error.detail}.` });
  }
}
