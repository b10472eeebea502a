/** Plans side by side: the arithmetic of what is compared, and the sentence that decides. */
import { describe, expect, it } from 'vitest';
import { comparePlans } from '../../../src/core/planning/comparison.js';
import type { PlanInputs } from '../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { comparisonPage } from '../../../src/core/pages/plan/planComparison.js';
import { renderComparisonTerminal } from '../../../src/core/pages/plan/planTerminal.js';
import { planDocument } from '../../builders/randomPlan.js';

const base = { parameters: 8e9, gpus: 64, zeroStage: '3' } as const;
const named = (name: string, inputs: Partial<PlanInputs>) => ({ name, plan: makePlan(planDocument({ ...base, ...inputs })) });
const words = (...plans: ReturnType<typeof named>[]) =>
  renderComparisonTerminal(comparisonPage(plans), { width: 200, color: false });
const decisionOf = (text: string) => text.split('\n')[0];

describe('plans side by side', () => {
  it('have a price for a token: GPUs and bandwidth over what is trained', () => {
    const { plans, best } = comparePlans([named('a', {}), named('b', { gpus: 128 })]);
    for (const one of plans) {
      const tokens = one.tokensPerSecond * (365.25 / 12) * 86_400;
      expect(one.perBillionTokens).toBeCloseTo(((one.gpusPerMonth + one.storagePerMonth) / tokens) * 1e9, 6);
      expect(one.gpusPerMonth).toBeCloseTo(one.gpus * 2.5 * 24 * (365.25 / 12), 3);
    }
    // Twice the GPUs fail twice as often.
    expect(best).toBe(0);
  });

  it('are decided by that price', () => {
    const text = words(
      named('slow', { writeBytesPerSecond: 20e6 }),
      named('fast', { writeBytesPerSecond: 1e12 }),
      named('open', {}),
    );
    expect(decisionOf(text)).toMatch(/^open is the better buy: [\d.]+ % less for a token than (slow|fast); /);
    expect(text).toContain('* trains a token for least.');
  });

  it('are not decided between models, nor in favour of one that cannot work', () => {
    expect(decisionOf(words(named('small', {}), named('large', { parameters: 70e9 })))).toBe(
      'The plans are of different models, so that their costs decide nothing.',
    );
    const impossible = named('odd', { tensorParallel: 7 });
    expect(impossible.plan.blockers.map(({ id }) => id)).toContain('topology');
    expect(decisionOf(words(impossible, named('even', {})))).toBe('even is the only one that works.');
    expect(decisionOf(words(impossible, impossible))).toBe('None of these plans works as it is.');
  });

  it('may cost the same', () => {
    expect(decisionOf(words(named('one', {}), named('other', {})))).toBe(
      'one and other train a token for the same money, to 0.1 %; both train as much.',
    );
  });

  it('shows hidden characters of names', () => {
    expect(words(named('a\u202eb', {}), named('c', {}))).not.toContain('\u202e');
  });
});
