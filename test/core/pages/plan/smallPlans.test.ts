/** Plans of one GPU, or of next to nothing, in words that a person would say. */
import { expect, it } from 'vitest';
import type { PlanDocument } from '../../../../src/core/planning/inputs/planDocument.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { planDocument } from '../../../builders/randomPlan.js';

const pageOf = (document: PlanDocument) => planPage(makePlan(document), document);
const wordsOf = (inputs: Partial<PlanInputs>) => JSON.stringify(pageOf(planDocument(inputs)));

it('speaks of one node and one replica in the singular', () => {
  const words = wordsOf({ gpus: 1, parameters: 124_000_000 });
  expect(words.includes('each of 1 ')).toBe(false);
  expect(words.includes(' 1 replicas')).toBe(false);
  expect(words.includes('from the one node that writes')).toBe(true);
});

it('says more than 10,000 times rather than a number of more digits', () => {
  const words = wordsOf({ gpus: 1, parameters: 1000 });
  expect(/\d{3},\d{3} times/.test(words)).toBe(false);
  expect(words.includes('more than 10,000 times what is needed')).toBe(true);
  expect(words.includes('more than 1,000,000 % of what saving needs')).toBe(true);
});

it('shows small shares of the time, and they sum to 100 %', () => {
  const table = pageOf(planDocument({ gpus: 8, saveMode: 'asynchronous' }))
    .sections.find(({ id }) => id === 'interval')
    ?.tables.find(({ id }) => id === 'time-shares');
  const percents = (table?.rows ?? []).map(([, share = '']) => Number(share.replace(' %', '')));
  expect(percents.reduce((sum, percent) => sum + percent, 0)).toBeCloseTo(100, 6);
  expect(Math.min(...percents)).toBeGreaterThan(0);
});

it('distinguishes what a preset sets from what is given', () => {
  const inputs = { stallSeconds: 5 };
  const stallOf = (document: PlanDocument) =>
    pageOf(document)
      .sections.find(({ id }) => id === 'interval')
      ?.more.find(({ text }) => text.startsWith('training stands still'))?.detail;
  expect(stallOf(planDocument(inputs))).toMatch(/^As given\./);
  const preset = { ...planDocument(inputs), origins: { stallSeconds: { kind: 'preset', text: 'Llama 3 405B' } } } as const;
  expect(stallOf(preset)).toMatch(/^As the preset has it\./);
});

it('gives the size of parts without empty digits', () => {
  expect(wordsOf({}).includes('16.0 MiB')).toBe(false);
});

it('names no input that matters most where none does', () => {
  const { lead } =
    pageOf(planDocument({ gpus: 1, parameters: 1000, fixedStallSeconds: 0 })).sections.find(({ id }) => id === 'sensitivity') ??
    expect.fail();
  expect(lead.text).toBe('of the time is lost, and no input makes it more than that');
});
