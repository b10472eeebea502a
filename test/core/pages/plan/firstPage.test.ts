/** The first page of a plan: the decision, three numbers, what to do. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { presetNames } from '../../../../src/core/planning/inputs/presetNames.js';
import { documentOfPreset, presetOf } from '../../../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../../../src/core/planning/storagePlan.js';
import { checkCode } from '../../../../src/core/pages/plan/checkCommand.js';
import { planPage } from '../../../../src/core/pages/plan/planPage.js';
import { renderPlanTerminal } from '../../../../src/core/pages/plan/planTerminal.js';
import { planDocument, randomDocument } from '../../../builders/randomPlan.js';
import { runs } from '../../../builders/seed.js';

const pageOf = (inputs: Partial<PlanInputs>) => planPage(makePlan(planDocument(inputs)), planDocument(inputs));
const presetPage = (id: string, change: Partial<PlanInputs> = {}) => {
  const document = documentOfPreset(presetOf(id) ?? expect.fail(id));
  const changed = { ...document, inputs: { ...document.inputs, ...change } };
  return planPage(makePlan(changed), changed);
};
const titles = (page: ReturnType<typeof pageOf>) => page.actions.map(({ title }) => title);
const hour = 3600;

describe('the headline', () => {
  it.each([
    ['7b', {}, 'Save every 2.1 hours to Lustre: any shared storage is fast enough, keeps 99.8 % goodput.'],
    ['70b', { stepSeconds: 12 }, 'Save every 218 steps (43.7 minutes) to Lustre: needs 3.77 GB/s, keeps 99.3 % goodput.'],
    [
      '70b',
      { saveMode: 'multi-level' },
      'Save every 32.2 minutes near the GPUs, every 4th to Lustre: needs 1.28 GB/s, keeps 99.3 % goodput.',
    ],
    [
      'megatron-1t',
      {},
      'Save every 42.2 minutes, not every 4 hours, to Lustre while training waits: your 273 GB/s is enough, keeps 95.2 % goodput.',
    ],
    [
      '70b',
      { store: 'fsx-lustre', storeCapacityBytes: 40 * 2 ** 40 },
      'Save every 32.9 minutes to Amazon FSx for Lustre: the 5 GB/s that come with your room are enough, keeps 99.3 % goodput.',
    ],
    ['70b', { walltimeSeconds: 30 }, 'A job of 30 s trains nothing: to start again takes 5 minutes.'],
    [
      '7b',
      { store: 'nfs', writeBytesPerSecond: 1e9 },
      'Save every 2.1 hours to NFS: your 1 GB/s is enough, keeps 99.9 % goodput.',
    ],
    [
      '70b',
      { store: 'nfs', writeBytesPerSecond: 5e8 },
      'Save every 1.2 hours to NFS: your 500 MB/s keeps 98.2 % goodput, 3.74 GB/s would pay.',
    ],
    ['8b', { store: 's3-standard' }, 'Save every 1.5 hours to S3 Standard at 10 GB/s: keeps 99.8 % goodput.'],
    ['70b', { gpus: 500 }, 'This plan cannot work as it is: TP × PP × DP is 480, not 500 GPUs.'],
  ] as const)('of %s with %j', (preset, change, headline) => {
    expect(presetPage(preset, change).headline).toBe(headline);
  });

  it('does not call a plan impossible that another interval makes work', () => {
    const page = presetPage('405b', { intervalSeconds: 60, writeBytesPerSecond: 2e9 });
    expect(page.headline).toMatch(
      /^Save every 48\.\d minutes, not every 60 s, to Lustre: your 2 GB\/s keeps only 4\d(\.\d)? % goodput, 171 GB\/s would pay\.$/,
    );
    expect(page.impossible.map(({ id }) => id)).toContain('saves-pile-up');
    expect(titles(page)).toEqual([
      expect.stringMatching(/^Save every 48/),
      'Buy storage of 171 GB/s',
      'Keep the last saves near the GPUs',
    ]);
  });
});

describe('what to do', () => {
  it('begins with the interval and the lines to paste', () => {
    const [first] = presetPage('70b', { framework: 'torchtitan', stepSeconds: 12 }).actions;
    expect(first).toMatchObject({ id: 'interval', text: 'In the background; keep the last 3.', code: { language: 'toml' } });
    expect(first?.code?.text).toContain('interval = 210');
    expect(presetPage('70b').actions[0]?.text).toContain('Enter the framework and the time of a step');
  });

  it('begins with what blocks', () => {
    expect(titles(presetPage('70b', { gpus: 500 }))[0]).toBe('Unblock: TP × PP × DP is 480, not 500 GPUs');
  });

  it('names the command that checks the bandwidth', () => {
    const { code } = presetPage('70b').actions[1] ?? expect.fail();
    expect(code?.text).toBe('stowage bandwidth DIRECTORY --size 988GB --nodes 64 --interval 43min');
  });

  it('checks of an object store one node’s share, and none that no check reaches', () => {
    const codeOf = (store: PlanInputs['store']) => {
      const document = documentOfPreset(presetOf('70b') ?? expect.fail());
      return checkCode(makePlan({ ...document, inputs: { ...document.inputs, gpus: 64, store } })).code?.text;
    };
    expect(codeOf('s3-standard')).toMatch(/^stowage bandwidth s3:\/\/BUCKET\/PREFIX --size \d+GB --interval \d+min$/);
    expect(codeOf('gcs-standard')).toContain('stowage bandwidth gs://BUCKET/PREFIX --size ');
    expect(codeOf('azure-blob')).toContain('stowage bandwidth abfs://CONTAINER@ACCOUNT.dfs.core.windows.net/PREFIX --size ');
    expect(codeOf('gcs-rapid')).toBeUndefined();
  });

  it('checks what the plan counts on, however long saves are under way', () => {
    const inputs = { gpus: 4096, saveMode: 'multi-level' } as const;
    const { inputs: own } = documentOfPreset(presetOf('405b') ?? expect.fail());
    const { save } = makePlan(planDocument({ ...own, ...inputs }));
    const seconds =
      Number(
        /--interval (\d+)min/.exec(presetPage('405b', inputs).actions.find(({ id }) => id === 'provide')?.code?.text ?? '')?.[1],
      ) * 60;
    // A check asks for S ÷ (0.1 × interval).
    expect(5_681_947_443_200 / (0.1 * seconds)).toBeLessThanOrEqual(save.writeBytesPerSecond * 1.05);
  });

  it('asks for a price where none is known, and says what cannot be given back', () => {
    const minio = presetPage('405b', { gpus: 4096, store: 'minio', writeBytesPerSecond: 5e9 });
    expect(titles(minio)).toContain('Ask what 10 GB/s would cost');
    expect(minio.headline).not.toContain('would pay');
    expect(minio.numbers[1]?.text).toContain('at a price that is not known');
    const bought = presetPage('405b', { gpus: 2048, store: 'lustre', writeBytesPerSecond: 80e9, storeCapitalDollars: 2e6 });
    expect(titles(bought).filter((title) => title.startsWith('Pay for'))).toEqual([]);
    const open = presetPage('405b', { gpus: 2048, store: 'lustre', storeCapitalDollars: 2e6 });
    expect(open.numbers[1]?.text).toContain('enter what the $2 M bought of bandwidth');
  });

  it('says of several jobs and of nodes that carry less what is there', () => {
    const shared = presetPage('8b', { gpus: 64, jobs: 20, store: 'nfs', writeBytesPerSecond: 10e9 });
    expect(shared.headline).toContain('your share of 500 MB/s');
    expect(shared.numbers[1]?.text).toContain('this job’s share of the 10 GB/s that are there');
    const few = presetPage('8b', { gpus: 16, store: 'nfs', writeBytesPerSecond: 2e12 });
    expect(few.numbers[1]?.text).toContain('all that the nodes carry of the 2 TB/s that are there');
  });

  it('says that more is used than there is', () => {
    const [step] = presetPage('7b', { storeCapacityBytes: 10e12, storeUsedBytes: 12e12 }).impossible;
    expect(step?.text).toContain('10 TB (12 TB used) is full already. The first save fails.');
    expect(step?.advice).toContain('free the 2 TB that are used beyond what there is');
  });

  it('buys nothing for a lab whose storage is enough, and asks how often it fails', () => {
    const lab = { parameters: 7e9, gpu: 'a100', gpus: 64, zeroStage: '3', store: 'nfs', writeBytesPerSecond: 1e9 } as const;
    expect(titles(pageOf(lab))).toEqual([
      expect.stringMatching(/^Save every/),
      'Enter how often jobs fail on this cluster',
      'Buy no faster storage for this job',
    ]);
  });

  it('of machines that are taken back saves on the warning, with time to spare', () => {
    const spot = { parameters: 8e9, gpus: 64, zeroStage: '3', site: 'aws', reclaimSeconds: 6 * hour } as const;
    expect(titles(pageOf(spot))).toContain('Save when a machine’s warning comes');
    const { save, inputs } = makePlan(planDocument(spot));
    expect(save.isWarned).toBe(true);
    expect(save.stallSeconds + save.saveSeconds).toBeLessThanOrEqual(inputs.graceSeconds * 0.8);
  });

  it('changes the way of saving where that gives back time for less money', () => {
    expect(titles(presetPage('megatron-1t'))).toContain('Save in the background');
    expect(titles(presetPage('megatron-1t', { saveMode: 'asynchronous' }))).not.toContain('Save in the background');
  });

  it('names the day on which there is no more room', () => {
    const document = planDocument({ parameters: 8e9, storeCapacityBytes: 2e12, keepEvery: 1 });
    const now = Date.UTC(2026, 10, 26, 12);
    const step = planPage(makePlan(document), document, now).actions.find(({ id }) => id === 'room');
    expect(step?.text).toMatch(/^2 TB is full at 2026-1[12]-\d\d \d\d:\d\d, /);
  });
});

describe('of any plan', () => {
  it('there are three numbers, and one to three actions that are each one', () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const page = planPage(makePlan(document), document);
        expect(page.headline).toMatch(/^[A-Z][^\n]*\.$/);
        expect(page.numbers.map(({ id }) => id)).toEqual(['goodput', 'storage', 'room']);
        for (const { amount, text } of page.numbers) expect(amount !== '' && text !== '').toBe(true);
        expect(page.actions.length).toBeGreaterThanOrEqual(1);
        expect(page.actions.length).toBeLessThanOrEqual(3);
        expect(new Set(page.actions.map(({ title }) => title)).size).toBe(page.actions.length);
        for (const { title, text } of page.actions) {
          expect(title).toMatch(/^[A-Z].*[^.]$/);
          expect(text).toMatch(/^.*\.$/);
        }
        expect(JSON.stringify([page.headline, page.numbers, page.actions])).not.toMatch(/NaN|Infinity|undefined/);
      }),
      runs(40, 2000),
    );
  });

  it.each(presetNames.map(({ id }) => id))('fits on a screen: %s', (id) => {
    const text = renderPlanTerminal(presetPage(id), { width: 100, color: false });
    expect(text.split('\n').length).toBeLessThan(60);
    expect(text).not.toMatch(/.{101}/);
  });
});
