/** Sensitivity, risks and recommendation of a plan. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { swing, type VariedInput } from '../../../../src/core/planning/advice/sensitivity.js';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { documentOfPreset, presetOf } from '../../../../src/core/planning/inputs/presets.js';
import { lostShareOfSave } from '../../../../src/core/planning/saving/lostShare.js';
import { savePlan } from '../../../../src/core/planning/saving/savePlan.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const documentOf = (change: Partial<PlanInputs> = {}, id = '405b') => {
  const document = documentOfPreset(presetOf(id) ?? expect.fail(id));
  return { ...document, inputs: { ...document.inputs, ...change } };
};
const planOf = (change: Partial<PlanInputs> = {}, id = '405b') => makePlan(documentOf(change, id));
const pageOf = (change: Partial<PlanInputs> = {}, id = '405b') => {
  const document = documentOf(change, id);
  return planPage(makePlan(document), document);
};

describe('sensitivity', () => {
  it('ranks the inputs by how far they move the lost time', () => {
    const { inputs, lostShare } = planOf().sensitivity;
    expect(inputs.map(({ input }) => input)).toEqual([
      'mtbf',
      'restart',
      'stall',
      'size',
      'bandwidth',
      'interval',
    ] satisfies VariedInput[]);
    const { save, levels } = planOf();
    expect(lostShare).toBeCloseTo(1 - save.shares.training + levels.furtherLossShare + levels.slowRestoreShare, 12);
  });

  it('is drawn around the plan, and no bar covers another', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const plan = makePlan(document);
        const { lostShare } = (plan.advised ?? plan).sensitivity;
        const chart = planPage(plan, document).sections.at(-1)?.charts[0];
        if (chart?.kind !== 'bars') return expect.fail();
        for (const { parts } of chart.rows) {
          const [one, other] = parts;
          if (one === undefined || other === undefined) return expect.fail();
          expect(Math.min(one.to, other.to)).toBeLessThanOrEqual(Math.max(one.from, other.from));
          const [least, most] = [Math.min(one.from, other.from), Math.max(one.to, other.to)];
          expect(least).toBeLessThanOrEqual(lostShare);
          expect(most).toBeGreaterThanOrEqual(lostShare);
        }
      }),
      runs(20, 1000),
    );
  });

  it('is what a plan with that input loses', () => {
    const mtbf = planOf().sensitivity.inputs.find(({ input }) => input === 'mtbf');
    const base = planOf();
    const inputs = { ...base.inputs, mtbfSeconds: base.save.mtbfSeconds / 2 };
    const half = savePlan(inputs, base.size, { bytesPerSecond: base.save.writeBytesPerSecond, basis: 'pays' });
    expect(mtbf?.lostShareHalved).toBeCloseTo(lostShareOfSave(inputs, base.size, half), 12);
  });

  it('never loses more with rarer failures, quicker restarts, more bandwidth', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const { inputs } = makePlan(document).sensitivity;
        const of = (name: VariedInput) => inputs.find(({ input }) => input === name) ?? expect.fail(name);
        expect(of('restart').lostShareHalved).toBeLessThanOrEqual(of('restart').lostShareDoubled + 1e-9);
        for (const item of inputs) {
          expect(item.lostShareHalved).toBeGreaterThanOrEqual(-1e-12);
          expect(item.lostShareDoubled).toBeLessThanOrEqual(1);
        }
        const swings = inputs.map(swing);
        expect(swings).toEqual([...swings].sort((a, b) => b - a));
      }),
      runs(20, 1000),
    );
  });
});

describe('risks', () => {
  const risksOf = (change: Partial<PlanInputs>, id = '405b') => planOf(change, id).risks.risks;

  it('are the worst first, and three of them are shown', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const plan = makePlan(document);
        const shares = plan.risks.risks.map(({ lostShare }) => lostShare);
        expect(shares).toEqual([...shares].sort((a, b) => b - a));
        for (const share of shares) expect(share).toBeLessThanOrEqual(1);
        expect(planPage(plan, document).risks.length).toBeLessThanOrEqual(3);
      }),
      runs(20, 1000),
    );
  });

  it('know that every replica reads all, which a broadcast removes', () => {
    expect(risksOf({ readBytesPerSecond: 172e9, zeroStage: '0' })[0]?.id).toBe('slow-restore');
    expect(risksOf({ readBytesPerSecond: 172e9, zeroStage: '3' }).map(({ id }) => id)).not.toContain('slow-restore');
  });

  it('leave out what rests on a bandwidth that the plan chose, and on warnings where machines are not taken back', () => {
    const ids = (change: Partial<PlanInputs>) =>
      risksOf({ writeBytesPerSecond: 10e9, zeroStage: '3', ...change }).map(({ id }) => id);
    expect(risksOf({}).map(({ id }) => id)).not.toContain('slow-restore');
    expect(ids({})).not.toContain('no-emergency-save');
    expect(ids({ reclaimSeconds: 86_400 })).toContain('no-emergency-save');
  });

  it('know that nothing outlives the site without an object store, where it is given how often that is lost', () => {
    // No site burns more often for more GPUs: a share of their failures that is assumed says nothing of it.
    expect(risksOf({ objectStore: 'none' }).map(({ id }) => id)).not.toContain('no-copy');
    const risk = risksOf({ objectStore: 'none', siteFailureShare: 0.002 }).find(({ id }) => id === 'no-copy');
    // One site in 64 days, in 54 days: 1 − e^−0.838, and half of the run each time.
    expect(risk?.lostShare).toBeCloseTo((1 - Math.exp(-(54 * 86_400) / (planOf().save.mtbfSeconds / 0.002))) / 2, 9);
    expect(risksOf({}).map(({ id }) => id)).not.toContain('no-copy');
  });

  it('count what a given interval loses against the best one', () => {
    const { study } = planOf({ intervalSeconds: 3600 });
    const risk = risksOf({ intervalSeconds: 3600 }).find(({ id }) => id === 'interval');
    expect(risk?.lostShare).toBeCloseTo(study.best.goodput - study.planned.goodput, 12);
  });

  it('question a failure rate that is given where the job is small; one that is assumed is asked for', () => {
    const unknownRate = (change: Partial<PlanInputs>, id: string) =>
      risksOf(change, id).find((risk) => risk.id === 'unknown-failures');
    const asked = (change: Partial<PlanInputs>, id: string) =>
      planOf(change, id).actions.find((action) => action.id === 'measure-failures');
    expect(unknownRate({}, '405b')).toBeUndefined();
    expect(unknownRate({}, '70b')).toBeUndefined();
    expect(unknownRate({ failureRate: 'llama3' }, '70b')).toMatchObject({ factor: 28.8 / 7.9 });
    expect(unknownRate({ mtbfSeconds: 1e5 }, '70b')).toBeUndefined();
    expect(asked({ zeroStage: '3' }, '70b')).toMatchObject({ factor: 28.8 / 7.9 });
    expect(asked({ zeroStage: '3' }, '1t-moe')).toMatchObject({ factor: 2 });
    expect(asked({ zeroStage: '3', mtbfSeconds: 1e5 }, '70b')).toBeUndefined();
  });

  it('never have a smaller job fail more often than a larger one', () => {
    const sizes = [1, 8, 512, 1024, 1025, 2048, 3999, 4000, 4001, 8192, 16_383, 16_384, 16_385, 100_000];
    for (const given of [{ failureRate: 'llama3' as const }]) {
      const rates = sizes.map((gpus) => {
        const risk = risksOf({ ...given, gpus, tensorParallel: 1, pipelineParallel: 1 }, '8b').find(
          ({ id }) => id === 'unknown-failures',
        );
        return gpus * (risk?.id === 'unknown-failures' ? risk.factor : 1);
      });
      expect(rates).toEqual([...rates].sort((a, b) => a - b));
    }
  });

  it('have ids of their own', () => {
    const ids = pageOf({ store: 'ebs-gp3', objectStore: 'none' }).risks.map(({ id }) => id);
    expect(ids).toContain('no-copy-rack');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('tell GPU-hours of the run', () => {
    expect(planOf().risks.gpuSeconds).toBe(16_384 * 54 * 86_400);
    for (const { text } of pageOf().risks) expect(text).toMatch(/ % of the run, [\d,]+ GPU-hours\.$/);
  });
});

describe('the recommendation', () => {
  it('is two to eight sentences of which each is one', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const { recommendation } = planPage(makePlan(document), document);
        expect(recommendation.length).toBeGreaterThanOrEqual(2);
        expect(recommendation.length).toBeLessThanOrEqual(8);
        for (const sentence of recommendation) expect(sentence).toMatch(/^[A-Z].*\.$/);
      }),
      runs(20, 1000),
    );
  });

  it('of Llama 3 405B', () => {
    expect(pageOf().recommendation.slice(0, 3)).toEqual([
      'Save every 5.5 minutes to Lustre: needs 171 GB/s, keeps 94.1 % goodput.',
      'That bandwidth costs about $105 k a month, the price of 58 of 16,384 GPUs; more would cost more than the GPU time that it saves: twice as much gives back 0.15 % of the time.',
      'Of the 5.9 % that is lost, 3 % is saving and repeated work, 2.6 % is restarting and 0.3 % is copies that are late.',
    ]);
  });

  it('corrects an interval that loses, and speaks of the given one otherwise', () => {
    const [saves, better] = pageOf({ intervalSeconds: 4 * 3600 }).recommendation;
    expect(saves).toMatch(/^Save every 5\.5 minutes, not every 4 hours, to Lustre: needs 17[12] GB\/s, keeps 94\.1 % goodput\.$/);
    expect(better).toMatch(
      /^Saving every 5\.5 minutes at 17[12] GB\/s gives back \d+(\.\d)? % of the time, against every 4 hours\.$/,
    );
    // 5.4 minutes is as good.
    expect(pageOf({ intervalSeconds: 324 }).recommendation[0]).toMatch(/^Save every 5\.4 minutes to Lustre: /);
  });

  it('asks for the bandwidth that is missing', () => {
    expect(pageOf({ writeBytesPerSecond: 50e9 }).recommendation[1]).toBe(
      'The 50 GB/s that there are keep saves under way for 23.6 % of the time: 118 GB/s would keep that below 10 %.',
    );
  });

  it('says of a synchronous save what bandwidth is worth its money', () => {
    const [saves, waits, more] = pageOf({ saveMode: 'synchronous', stallSeconds: null }).recommendation;
    expect(saves).toMatch(
      /^Save every [\d.]+ minutes to Lustre while training waits: needs \d+ GB\/s, keeps [\d.]+ % goodput\.$/,
    );
    expect(waits).toMatch(/^Training waits [\d.]+ s for each save\.$/);
    expect(more).toMatch(
      /; more would cost more than the GPU time that it saves: twice as much gives back [\d.]+ % of the time\.$/,
    );
  });

  it('says where the nodes carry no more', () => {
    const { recommendation } = pageOf({ zeroStage: '0', tensorParallel: 1, pipelineParallel: 1 });
    expect(recommendation.join(' ')).toContain('; the nodes that write carry little more.');
  });

  it('recommends a broadcast only where it is faster', () => {
    const { restore } = planOf({ readBytesPerSecond: 1e15, networkBytesPerSecond: 1e9, zeroStage: '1' });
    const { recommendation } = pageOf({ readBytesPerSecond: 1e15, networkBytesPerSecond: 1e9, zeroStage: '1' });
    expect(restore.broadcast.seconds).toBeGreaterThan(restore.planned.seconds);
    expect(recommendation.join(' ')).not.toContain('broadcast');
  });

  it('says what is paid for nothing', () => {
    expect(pageOf({ writeBytesPerSecond: 2e12 }).recommendation[1]).toMatch(
      /, and 172 GB\/s is all that 10 % of overlap asks for\.$/,
    );
  });

  it('begins with what makes the plan impossible', () => {
    const { recommendation, impossible } = pageOf({
      intervalSeconds: 330,
      writeBytesPerSecond: 10e9,
      readBytesPerSecond: 1e12,
      zeroStage: '3',
    });
    // Another interval works.
    expect(recommendation[0]).toMatch(/^Save every 10\.\d minutes, not every 5\.5 minutes, to Lustre: your 10 GB\/s keeps /);
    expect(impossible[0]?.title).toBe('Saves pile up: overlap 172 %');
    expect(impossible[0]?.advice).toMatch(/^One of these is enough/);
  });
});

it('more failures than are counted with never train more, walltime and late copies included', () => {
  fc.assert(
    fc.property(randomDocument, (document) => {
      const plan = makePlan(document);
      const shown = plan.advised ?? plan;
      for (const action of shown.actions)
        if (action.id === 'measure-failures')
          expect(action.goodput).toBeLessThanOrEqual(1 - lostShareOfSave(shown.inputs, shown.size, shown.save) + 1e-9);
    }),
    runs(100, 10_000),
  );
  const inputs = {
    gpus: 64,
    gpu: 'a100',
    walltimeSeconds: 14_400,
    graceSeconds: 30,
    writeBytesPerSecond: 2e9,
    store: 'storage-scale',
  } as const;
  const { actions } = makePlan(documentOf(inputs, '8b'));
  const asked = actions.find(({ id }) => id === 'measure-failures');
  if (asked?.id === 'measure-failures') expect(asked.goodput).toBeLessThan(0.975);
});
