/** What the framework removes by itself at its next save, and whether that should stay. */
import { baseName, joinPath } from '../../files/paths.js';
import { metricsOfName } from '../namedCheckpoint.js';
import type { BestRule } from '../retentionPolicy.js';
import { removedByAccelerate } from './accelerate.js';
import { worstOf } from './lightning.js';
import { removedByMostRecent, removedByRetainInterval } from './megatron.js';
import { rotationSettings, type Rotation, type RotationRule, type RotationSetting } from './rotation.js';
import { removedByTorchtitan } from './torchtitan.js';
import { removedByTrainer } from './trainer.js';

/** A checkpoint of the run. */
interface Member {
  path: string;
  step: number | null;
  finishedMs: number | null;
}

export interface RotatedRun {
  /** Directory of the checkpoints. */
  parent: string;
  members: readonly Member[];
  /** Names of all that is in that directory. */
  names: readonly string[];
  /** Name of the best checkpoint by the framework; null where that is not known. */
  best: string | null;
  /** Step in the file that names the latest one; null without such a file. */
  latestStep: number | null;
  rule: BestRule | null;
  nowMs: number;
}

/** @param wanted paths that the policy, a hold or a pointer wants to stay */
export function nextRotation({ setting, limit, source }: RotationRule, run: RotatedRun, wanted: ReadonlySet<string>): Rotation {
  const inRun = (name: string): string => joinPath(run.parent, name);
  const known = new Set(run.members.map(({ path }) => path));
  const next = removedNames(setting, limit, run)
    .map(inRun)
    .filter((path) => known.has(path));
  return { framework: rotationSettings[setting], setting, limit, source, next, wanted: next.filter((path) => wanted.has(path)) };
}

function removedNames(setting: RotationSetting, limit: number, run: RotatedRun): string[] {
  const { members, names, best, latestStep, nowMs } = run;
  // The save to come has a step above all others.
  const step = members.reduce((last, one) => Math.max(last, one.step ?? 0), 0) + 1;
  switch (setting) {
    case 'save_total_limit': {
      const saved = members.map(({ path, finishedMs }) => ({ name: baseName(path), modifiedMs: finishedMs }));
      return removedByTrainer([...saved, { name: `checkpoint-${step}`, modifiedMs: nowMs }], limit, best);
    }
    case 'total_limit':
      return removedByAccelerate(names, limit);
    case 'keep_latest_k':
      return removedByTorchtitan([...names, `step-${step}`], limit);
    case 'most_recent_k':
      return removedByMostRecent([...names, `iter_${step}`], limit);
    case 'save_retain_interval': {
      const gone = removedByRetainInterval(step, latestStep ?? 0, limit);
      return members.filter((one) => gone !== null && one.step === gone).map(({ path }) => baseName(path));
    }
    case 'save_top_k':
      return removedByTopK(limit, run);
  }
}

/** The worst of the names by the policy's metric: it goes once a better one is saved. */
function removedByTopK(limit: number, { members, rule }: RotatedRun): string[] {
  if (rule === null || limit < 1) return [];
  const scored = members.flatMap(({ path }) => {
    const score = metricsOfName(path).find(([name]) => name === rule.metric)?.[1];
    return score === undefined ? [] : [{ name: baseName(path), score }];
  });
  const worst = scored.length < limit ? null : worstOf(scored, rule.mode);
  return worst === null ? [] : [worst.name];
}
