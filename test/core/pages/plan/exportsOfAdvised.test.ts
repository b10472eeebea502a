/** What is exported is what the first page says to do. */
import { expect, it } from 'vitest';
import { planExports } from '../../../../src/core/pages/plan/planExports.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planDocument } from '../../../builders/randomPlan.js';

it.each(['kubernetes', 'dlio', 'mlperf-storage'] as const)('%s has the interval and the room that are advised', (id) => {
  const inputs = { gpus: 64, keepLast: 7, writeBytesPerSecond: 2e9 };
  const given = planDocument({ ...inputs, intervalSeconds: 43_200 });
  const free = planDocument(inputs);
  const textOf = (document: typeof given): string => {
    const plan = makePlan(document);
    return planExports[id].text({ plan, document, page: planPage(plan, document), problems: [] }, 'fast');
  };
  expect(makePlan(given).advised).not.toBeNull();
  expect(textOf(given)).toBe(textOf(free));
});

it('no more checkpoints stay for ever, and no more are exported, where saves come more often', () => {
  const given = planDocument({ gpus: 64, keepEvery: 1, exportEvery: 2, writeBytesPerSecond: 2e9, intervalSeconds: 43_200 });
  const { advised, inputs, save } = makePlan(given);
  const factor = 43_200 / (advised?.save.intervalSeconds ?? 0);
  expect(factor).toBeGreaterThan(3);
  expect(advised?.inputs).toMatchObject({ keepEvery: Math.round(factor), exportEvery: Math.round(2 * factor) });
  expect([inputs.keepEvery, save.intervalSeconds]).toEqual([1, 43_200]);
  const { actions } = planPage(makePlan(given), given);
  expect(actions[0]?.text).toContain(`keep the last 3 and every ${Math.round(factor)}th`);
});
