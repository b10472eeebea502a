/** What is exported is what the first page says to do. */
import { expect, it } from 'vitest';
import { planExports } from '../../../../src/core/pages/plan/planExports.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument } from '../../../builders/randomPlan.js';

it.each(['kubernetes', 'dlio', 'mlperf-storage'] as const)('%s has the interval and the room that are advised', (id) => {
  const inputs = { gpus: 64, keepEvery: 1, writeBytesPerSecond: 2e9 };
  const given = planDocument({ ...inputs, intervalSeconds: 43_200 });
  const free = planDocument(inputs);
  const textOf = (document: typeof given): string => {
    const plan = makePlan(document);
    return planExports[id].text({ plan, document, page: planPage(plan, document), problems: [] }, 'fast');
  };
  expect(makePlan(given).advised).not.toBeNull();
  expect(textOf(given)).toBe(textOf(free));
});
