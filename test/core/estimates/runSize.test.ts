import { expect, it } from 'vitest';
import type { TrainingPlan } from '../../../src/core/configs/trainingPlan.js';
import { runSize } from '../../../src/core/estimates/runSize.js';

it.each<[string, Partial<TrainingPlan>, number | null, number | null]>([
  ['of steps', { steps: 1e12, saveIntervalSteps: 1e-320 }, null, null],
  ['of epochs', { epochs: 3, saveIntervalEpochs: 1e-320 }, null, null],
  ['of steps, of which some stay', { steps: 1e12, saveIntervalSteps: 1e-320, keep: 3 }, null, 3],
  ['of milestones', { steps: 1000, saveIntervalSteps: 100, keep: 3, keepEverySteps: 1e-320 }, 10, 10],
])('an interval of nearly nothing %s is no number of saves', (_, plan, saves, kept) => {
  expect(runSize(100, plan as TrainingPlan)).toMatchObject({ saves, kept });
});
