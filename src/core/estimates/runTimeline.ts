/** When a run saves, and what is on the storage by then: its size as if it ended there, so that both rest on the same rules. */
import type { TrainingPlan } from '../configs/trainingPlan.js';
import { lastStepOf, runSize, type RunSize, savesNothing, type SavedBytes } from './runSize.js';

export interface RunTimeline {
  /** Steps between saves, of each kind. */
  intervals: readonly number[];
  /** Steps of saves of their own. */
  saveSteps: readonly number[];
  /** Where it ends; null where its length is not known. */
  endStep: number | null;
  /** True where each save is at a known step; not where it is by epochs or by the clock. */
  isComplete: boolean;
  /**
   * The most bytes at once until the save of a step is written, before older checkpoints are deleted; 0 where that is not known. Never falls as steps go on.
   */
  peakBytesUntil(step: number): number;
}

/** @param size of the whole run, of the same bytes and plan */
export function runTimeline(bytes: SavedBytes, plan: TrainingPlan, size: RunSize): RunTimeline {
  const endStep = plan.steps === undefined || plan.steps < 1 ? null : lastStepOf(plan.steps, plan);
  const ofAll = size.peakBytes ?? 0;
  const isWritten = !savesNothing(plan) && bytes.checkpoint !== null && bytes.checkpoint > 0 && size.saves !== 0;
  const places = isWritten ? placesOf(plan) : { intervals: [], saveSteps: [] };
  // Of a size that is known, one that is none is beyond exact integers.
  const beyond = isSized(bytes, plan) ? Infinity : 0;
  const first = [...places.intervals, ...places.saveSteps].reduce((least, step) => Math.min(least, step), Infinity);
  return {
    ...places,
    endStep,
    isComplete: !isWritten || isPlaced(plan),
    peakBytesUntil(step) {
      if (endStep !== null && step >= endStep) return ofAll;
      return step < first ? 0 : (runSize(bytes, planUntil(plan, step)).peakBytes ?? beyond);
    },
  };
}

function placesOf(plan: TrainingPlan): Pick<RunTimeline, 'intervals' | 'saveSteps'> {
  const kinds = [plan, plan.secondSave, plan.temporarySave, plan.exports];
  const intervals = kinds.flatMap((kind) => kind?.saveIntervalSteps ?? []).filter((interval) => interval >= 1);
  const { extraSaveSteps: extra = [], steps = Infinity } = plan;
  return { intervals, saveSteps: extra.filter((step) => step >= 0 && step <= lastStepOf(steps, plan)) };
}

function isSized({ weights }: SavedBytes, { endFolderAtEachSave, keepEverySteps, saveIntervalSteps }: TrainingPlan): boolean {
  return (endFolderAtEachSave !== true || weights !== null) && (keepEverySteps === undefined || saveIntervalSteps !== undefined);
}

function isPlaced(plan: TrainingPlan): boolean {
  const isByEpochs = plan.saveIntervalSteps === undefined && plan.saveIntervalEpochs !== undefined;
  const isKnown = placesOf(plan).intervals.length > 0 || (plan.extraSaveSteps ?? []).length > 0 || plan.lastSave !== undefined;
  return isKnown && !isByEpochs && plan.savesByClock !== true;
}

/** The same run as far as a step, without what is saved because it ends. */
function planUntil({ lastSave: _, secondSave, endFolder, exports, ...plan }: TrainingPlan, step: number): TrainingPlan {
  const second = secondSave === undefined ? {} : { secondSave: withoutEnd(secondSave) };
  const each = endFolder === undefined || plan.endFolderAtEachSave !== true ? {} : { endFolder };
  const exporting = exports === undefined ? {} : { exports: withoutEnd(exports) };
  return { ...plan, ...second, ...each, ...exporting, steps: plan.stepsFromZero === true ? step + 1 : step };
}

function withoutEnd<Saving extends Pick<TrainingPlan, 'lastSave'>>({ lastSave: _, ...saving }: Saving): Omit<Saving, 'lastSave'> {
  return saving;
}
