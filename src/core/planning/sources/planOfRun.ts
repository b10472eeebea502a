/** What the saves of a run took, as the beginning of a plan. */
import { limits } from '../../bytes/limits.js';
import { labelOfComponent } from '../../checkpoints/segments.js';
import { placeName } from '../../files/paths.js';
import type { SavedCheckpoint as SavedByRun } from '../../runs/savedCheckpoint.js';
import type { TrainingRun } from '../../runs/trainingRun.js';
import { componentIds } from '../../tensors/component.js';
import type { PlanDocument, SavedCheckpoint } from '../inputs/planDocument.js';
import type { MeasuredPart } from '../size/plannedSize.js';
import { documentOf, shortName, type PlanValues } from './documentOf.js';
import { frameworkOfLayout } from './planOfReport.js';

/**
 * The size of the whole checkpoint of the highest step, the interval and the rate at which saves were written. What the files do not show keeps its standard.
 * @param path of the directory of the run, which names the plan
 */
export function planOfRun(path: string, run: TrainingRun): PlanDocument {
  const newest = run.checkpoints.findLast(({ complete, step }) => complete && step !== null);
  return documentOf(
    path,
    { kind: 'measured', text: shortName(placeName(path)) },
    {
      checkpointBytes: newest?.bytes ?? null,
      ...intervalOf(run),
      writeBytesPerSecond: run.save.effectiveBytesPerSecond,
      framework: frameworkOfLayout(run.framework),
    },
    {
      measured: newest === undefined ? [] : partsOf(newest),
      saved: run.checkpoints.slice(-limits.planListItems).map(savedOf),
    },
  );
}

/** Steps where they are known: a step then takes its share of the time between two saves. */
function intervalOf({ intervals: { medianSeconds, steps } }: TrainingRun): PlanValues {
  if (steps === null) return { intervalSeconds: medianSeconds };
  return { intervalSteps: steps, stepSeconds: medianSeconds === null ? null : medianSeconds / steps };
}

/** By what its files are for: no header is read. */
function partsOf({ components }: SavedByRun): MeasuredPart[] {
  return componentIds.flatMap((component) => {
    const bytes = components[component] ?? 0;
    return bytes === 0 ? [] : [{ label: labelOfComponent(component), bytes, isWeights: component === 'weights' }];
  });
}

function savedOf({ path, step, bytes, finishedMs, complete }: SavedByRun): SavedCheckpoint {
  const savedAtSeconds = finishedMs === null ? null : finishedMs / 1000;
  return { path: shortName(path), step, bytes, savedAtSeconds, isFinished: complete, isLatest: false };
}
