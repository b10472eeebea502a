/** Plans side by side: the arithmetic of what is compared, and the sentence that decides. */
import { describe, expect, it } from 'vitest';
import { comparePlans } from '../../../src/core/planning/comparison.js';
import type { PlanInputs } from '../../../src/core/planning/inputs/planInputs.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { comparisonPage } from '../../../src/core/pages/plan/planComparison.js';
import { renderComparisonTerminal } from '../../../src/core/pages/plan/planTerminal.js';
import { planDocument } from '../../builders/randomPlan.js';

const base: Partial<PlanInputs> = { parameters: 8e9, gpus: 64, zeroStage: '3' };
const named = (name: string, change: Partial<PlanInputs>) => {
  const given = { ...base, ...change };
  return { name, given, plan: makePlan(planDocument(given)) };
};
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

describe('what is bought', () => {
  /** 64 A100 on 8 nodes, and an NFS of 1 GB/s. */
  const lab: Partial<PlanInputs> = {
    parameters: 6_738_415_616,
    gpu: 'a100',
    gpus: 64,
    zeroStage: '3',
    site: 'on-premises',
    store: 'nfs',
    writeBytesPerSecond: 1e9,
  };
  const flash: Partial<PlanInputs> = { writeBytesPerSecond: 10e9, storeCapitalDollars: 200_000 };
  const planned = (name: string, change: Partial<PlanInputs> = {}) => {
    const given = { ...lab, ...change };
    return { name, given, plan: makePlan(planDocument(given)) };
  };

  it('decides between a flash tier and more GPUs, which is a lab’s question', () => {
    const plans = [planned('lab'), planned('a', { gpus: 72 }), planned('b', flash)];
    const { changes, plans: compared, best } = comparePlans(plans);
    // 200,000 US dollars over 60 months, 8 GPUs of 2.4 US dollars an hour.
    expect(changes.map(({ plan, costPerMonth }) => [plan, Math.round(costPerMonth)])).toEqual([
      [1, Math.round(8 * 2.4 * 24 * (365.25 / 12))],
      [2, 3333],
    ]);
    expect(changes[0]?.gainShare).toBeCloseTo(0.125, 3);
    expect(compared[2]).toMatchObject({
      bought: { what: 'bandwidth', bytesPerSecond: 10e9, store: 'nfs' },
      storagePerMonth: 200_000 / 60,
    });
    // What is at hand costs nothing more.
    expect(compared[0]).toMatchObject({ bought: null, storagePerMonth: 0, capitalPerMonth: 0 });
    expect(compared[1]?.storagePerMonth).toBe(0);
    expect(best).toBe(0);
    expect(decisionOf(words(...plans))).toMatch(
      /^8 more GPUs beat NFS at 10 GB\/s: 12\.5 % against < 0\.01 % more training, for \$14 k against \$3\.33 k more a month\. NFS at 10 GB\/s is worth less than 0\.1 GPUs and costs as much as 1\.9\.$/,
    );
  });

  it('is written off over its lifetime, and draws power', () => {
    const owned = { gpuCapitalDollars: 25_000, energyPricePerKilowattHour: 0.15, storageWattsPerGBps: 200 };
    const { plans } = comparePlans([planned('lab', owned), planned('b', { ...owned, ...flash })]);
    const month = (365.25 * 24) / 12;
    expect(plans[0]?.capitalPerMonth).toBeCloseTo((64 * 25_000) / 60, 6);
    expect(plans[0]?.gpusPerMonth).toBeCloseTo((64 * 25_000) / 60 + 64 * 0.4 * month * 0.15, 6);
    expect(plans[1]?.runningPerMonth).toBeCloseTo((64 * 0.4 + 2) * month * 0.15, 6);
    expect(plans[1]?.watts).toBeCloseTo(64 * 400 + 2000, 6);
    expect(words(planned('lab', owned), planned('b', { ...owned, ...flash }))).toContain('GPUs and storage: bought, written off');
  });

  it('keeps no purchase for being the first plan', () => {
    // Bandwidth that was bought dearly against less of it.
    const purchase = (name: string, writeBytesPerSecond: number) =>
      named(name, { store: 'lustre', writeBytesPerSecond, storePricePerGBps: 5000 });
    const [first, less, least] = [purchase('a', 50e9), purchase('b', 30e9), purchase('c', 10e9)] as const;
    expect(decisionOf(words(first, less, least))).toMatch(/^c is the better buy: /);
  });

  it('buys nothing where nothing trains more', () => {
    const slow = [
      planned('lab'),
      planned('b', { ...flash, writeBytesPerSecond: 2e9 }),
      planned('c', { writeBytesPerSecond: 3e9 }),
    ];
    expect(decisionOf(words(...slow))).toMatch(/^Neither .* trains 0\.1 % more than lab: buy nothing\./);
  });

  it('says why a plan does not work', () => {
    expect(words(planned('lab'), planned('odd', { gpus: 72, tensorParallel: 8, dataParallel: 8 }))).toContain(
      'odd does not work: TP × PP × DP is 64, not 72 GPUs.',
    );
  });
});
