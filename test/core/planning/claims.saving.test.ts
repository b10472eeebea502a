/** What practitioners and vendors say of saving and restoring, and what the page of a plan answers. */
import { expect, it } from 'vitest';
import type { PlanInputs } from '../../../src/core/planning/inputs/planInputs.js';
import { documentOfPreset, presetOf } from '../../../src/core/planning/inputs/presets.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { planPage } from '../../../src/core/pages/plan/planPage.js';
import type { PlanPage, PlanSection, SectionId } from '../../../src/core/pages/plan/planSection.js';
import { planDocument } from '../../builders/randomPlan.js';

const pageOf = (inputs: Partial<PlanInputs>): PlanPage => {
  const document = planDocument(inputs);
  return planPage(makePlan(document), document);
};
const presetPage = (id: string, change: Partial<PlanInputs> = {}): PlanPage => {
  const document = documentOfPreset(presetOf(id) ?? expect.fail(id));
  const changed = { ...document, inputs: { ...document.inputs, ...change } };
  return planPage(makePlan(changed), changed);
};
const section = (page: PlanPage, id: SectionId): PlanSection => page.sections.find((one) => one.id === id) ?? expect.fail(id);
const table = (page: PlanPage, id: SectionId, name: string) =>
  section(page, id).tables.find((one) => one.id === name) ?? expect.fail(name);
const row = (page: PlanPage, id: SectionId, name: string, begin: string) =>
  table(page, id, name).rows.find(([cell]) => cell?.startsWith(begin)) ?? expect.fail(begin);
const statements = (page: PlanPage, id: SectionId) =>
  [section(page, id).lead, ...section(page, id).more].map(({ amount, text }) => `${amount} ${text}`);
const notes = (page: PlanPage, id: SectionId) => section(page, id).notes.join('\n');

it('“a checkpoint is 16 bytes a parameter”: 14, or 16 with an exported copy, and 16 in memory', () => {
  const page = pageOf({ parameters: 8_030_261_248 });
  expect(section(page, 'size').lead.amount).toBe('112 GB');
  expect(section(page, 'size').lead.detail).toContain('8.03 billion parameters × 14 bytes');
  expect(row(page, 'size', 'recipes', '16-bit weights, 32-bit copy, Adam')).toMatchObject({
    1: '14',
    2: '112 GB',
    3: '16 to 18',
  });
  expect(row(page, 'size', 'recipes', '32-bit weights')).toMatchObject({ 1: '12', 3: '16' });
  expect(row(page, 'size', 'recipes', 'the same with an exported copy')).toMatchObject({ 1: '16', 2: '128 GB' });
  expect(notes(page, 'size')).toContain('Gradients are not saved, so a checkpoint has 14');
});

it('“a checkpoint is 16 bytes a parameter”: what was measured wins', () => {
  const document = {
    ...planDocument({ parameters: 8e9, checkpointBytes: 128e9 }),
    origins: { checkpointBytes: { kind: 'measured', text: 'global_step1000' } } as const,
    measured: [{ label: 'everything', bytes: 128e9, isWeights: false }],
  };
  const size = section(planPage(makePlan(document), document), 'size');
  expect(size.lead).toMatchObject({ amount: '128 GB', kind: 'measured' });
  expect(size.notes).toContain('The measured size wins over every rule.');
});

it.each([
  ['7B', 7e9, '14 GB', '56 GB', '98 GB'],
  ['70B', 70e9, '140 GB', '560 GB', '980 GB'],
  ['200B', 200e9, '400 GB', '1.6 TB', '2.8 TB'],
  ['1T', 1e12, '2 TB', '8 TB', '14 TB'],
])('“%s is 2 bytes a parameter of weights and 8 of checkpoint”: beside 14', (_, parameters, weights, rule, mixed) => {
  const page = pageOf({ parameters });
  expect(row(page, 'size', 'recipes', 'weights alone')[2]).toBe(weights);
  expect(row(page, 'size', 'recipes', 'the rule of 8')[2]).toBe(rule);
  expect(row(page, 'size', 'recipes', '16-bit weights, 32-bit copy, Adam')[2]).toBe(mixed);
});

it('“10B in fp16: 80 GB, or 100 GB with gradients”: 8 bytes in a checkpoint, 10 in memory', () => {
  expect(row(pageOf({ parameters: 10e9 }), 'size', 'recipes', 'the rule of 8')).toMatchObject({ 1: '8', 2: '80 GB', 3: '10' });
});

it('“GPT-3 is more than 500 GB”: 350 GB of weights, 2.45 TB in all', () => {
  const page = pageOf({ parameters: 175e9 });
  expect(row(page, 'size', 'recipes', 'weights alone')[2]).toBe('350 GB');
  expect(section(page, 'size').lead.amount).toBe('2.45 TB');
});

it('“1T is 13.8 TB”: 13.69 bytes a parameter', () => {
  const { lead } = section(presetPage('megatron-1t'), 'size');
  expect(lead.amount).toBe('13.8 TB');
  expect(lead.detail).toContain('13.69 bytes for each of 1.008 trillion parameters');
});

it('MLPerf’s sizes are in GiB, and its 1T row counts the weights twice', () => {
  expect(notes(pageOf({ parameters: 405_853_388_800 }), 'size')).toContain(
    'MLPerf Storage prints 5.29 TB for its 405B model, which is 5.68 TB',
  );
  expect(notes(pageOf({ parameters: 69_882_617_856 }), 'size')).toContain(
    'prints 912 GB for its 70B model, which is 978 GB (911 GiB)',
  );
  expect(notes(pageOf({ parameters: 1e12 }), 'size')).toContain('prints 18 TB for its 1T model, which is 16.6 TB');
  expect(notes(pageOf({ parameters: 1e12 }), 'size')).toContain('it counts the weights twice');
});

it('“512 of 3,072 GPUs write, 0.53 GB/s each, 4.3 GB/s a node, 50 s, 0.3 % of 4 h”: reproduced', () => {
  const page = presetPage('megatron-1t');
  expect(statements(page, 'size')[0]).toBe('13.8 TB a checkpoint, written by 512 of 3,072 GPUs: 27 GB each');
  expect(statements(page, 'bandwidth')[1]).toBe('50.5 s is what a save takes at 273 GB/s: 0.35 % of an interval of 4 hours');
  expect(statements(page, 'bandwidth')[2]).toBe(
    '4.27 GB/s out of each of 64 writing nodes, 533 MB/s out of each of 512 writing GPUs',
  );
});

it('“restoring needs DP × the write bandwidth, 1.64 TB/s”: where every replica reads all, and only there', () => {
  const page = presetPage('megatron-1t', { checkpointBytes: null });
  expect(row(page, 'restore', 'restore-ways', 'every replica reads all')).toMatchObject({ 1: '84.7 TB', 2: '× 6' });
  expect(row(page, 'restore', 'restore-ways', 'weights by every replica')).toMatchObject({ 1: '24.2 TB' });
  expect(row(page, 'restore', 'restore-ways', 'one replica reads')).toMatchObject({ 1: '14.1 TB', 2: '× 1' });
  expect(statements(page, 'restore')[2]).toMatch(/^1\.64 TB\/s would restore in the time of a save/);
  expect(section(page, 'restore').more[1]?.detail).toContain('1 × where one replica reads or all is sharded');
  expect(row(presetPage('megatron-1t'), 'restore', 'restore-ways', 'every replica reads all')[1]).toBe('82.8 TB');
});

it('MLPerf’s rule: a restore that reads what its own node wrote times memory', () => {
  expect(notes(presetPage('405b'), 'restore')).toContain('no rank reads what its own node wrote');
});

it('“1 GB/s for every GPU in the cluster”: refuted with the topology', () => {
  const page = presetPage('405b', { zeroStage: '0' });
  expect(section(page, 'bandwidth').lead.detail).toContain('10.5 MB/s for each GPU of the cluster: not 1 GB/s');
  expect(notes(page, 'bandwidth')).toContain(
    '“1 GB/s for every GPU in the cluster” would be 16.4 TB/s: 95.6 times what this plan needs. Of 16,384 GPUs only 128 write, for 10 % of the time.',
  );
});

it('“every 4 h, overhead below 5 %”: so it is, and half of the time is lost at 16,384 GPUs', () => {
  const claim = section(presetPage('405b'), 'interval').notes.find((note) => note.startsWith('“Every 4 hours')) ?? '';
  expect(claim).toContain('saving would take 0.035 %, and 47.6 % of the time would train, against 94.5 %');
  const small = section(presetPage('8b'), 'interval').notes.find((note) => note.startsWith('“Every 4 hours')) ?? '';
  expect(small).toContain('which is within a point of the best');
});

it('“every 5 to 30 minutes”: right for 16,384 GPUs, not needed for 64 that wait for storage', () => {
  const claim = (page: PlanPage) => section(page, 'interval').notes.find((note) => note.startsWith('“Every 5 to 30')) ?? '';
  expect(claim(presetPage('405b'))).toContain('94.4 % and 89.4 % of the time would train. That holds for this job.');
  const slow = pageOf({ gpus: 8, saveMode: 'synchronous', stallSeconds: 600 });
  expect(claim(slow)).toContain('This job need not save so often.');
});

it('“there is an optimal interval”: Young, Daly and exact, and what is around them', () => {
  const page = presetPage('405b', { objectBytesPerSecond: 10e9 });
  const { lead, charts } = section(page, 'interval');
  expect(`${lead.amount} ${lead.text}`).toBe('every 5.5 minutes loses least: 94.5 % of the time trains');
  expect(lead.detail).toBe(
    'Exact optimum 5.5 minutes · Young 5.6 minutes · Daly 5.5 minutes; hourly would reach 82.3 %. Copies that are late lose 0.37 % more.',
  );
  expect(charts[0]?.kind === 'lines' && charts[0].marks.map(({ label }) => label)).toEqual([
    'every 5.5 minutes · 94.5 %',
    'hourly · 82.3 %',
  ]);
});

it('“failures scale as 1/N”: not below the size at which they were counted', () => {
  expect(notes(presetPage('70b'), 'interval')).toContain(
    'a failure every 7.9 hours at 1,024 GPUs, where 1/N predicts 28.8 hours',
  );
  expect(notes(presetPage('405b'), 'interval')).not.toContain('28.8');
  expect(notes(presetPage('70b', { mtbfSeconds: 1e5 }), 'interval')).not.toContain('28.8');
});

it('“the interval drives the bandwidth, not the size; overlap stays below 10 %”: curve and mark', () => {
  const page = presetPage('405b');
  const { charts } = section(page, 'bandwidth');
  expect([statements(page, 'frontier')[0], statements(page, 'bandwidth')[0]]).toEqual([
    '171 GB/s is worth its money: beyond it a dollar of storage saves less than a dollar of GPU time',
    '171 GB/s keeps saving below 10 % of the time; below 17.1 GB/s saves pile up',
  ]);
  expect(charts[0]?.kind === 'lines' && charts[0].marks[0]).toMatchObject({ y: 0.1, isMain: true, label: '171 GB/s · 10 %' });
  const neededAt = (intervalSeconds: number) => statements(presetPage('405b', { intervalSeconds }), 'bandwidth')[0];
  expect(neededAt(3600)).toContain('15.8 GB/s keeps');
  expect(neededAt(1800)).toContain('31.6 GB/s keeps');
});

it.each([
  [14e12, 1800, '77.8 GB/s'],
  [16e12, 900, '178 GB/s'],
  [14e12, 3600, '38.9 GB/s'],
])('%d bytes every %d s: “a few hundred GB/s” at most, %s', (checkpointBytes, intervalSeconds, amount) => {
  expect(section(pageOf({ checkpointBytes, intervalSeconds }), 'bandwidth').lead.amount).toBe(amount);
});

it('“there is an optimal, not a maximal bandwidth”: more is paid for nothing', () => {
  const page = presetPage('405b');
  const [chart] = section(page, 'bandwidth').charts;
  expect(chart?.kind === 'lines' && chart.bands.map(({ label }) => label)).toEqual([
    'saves pile up',
    'competes with training',
    'enough',
    'paid for nothing',
  ]);
  expect(section(page, 'bandwidth').notes.join(' ')).toContain(
    'at twice the bandwidth 0.15 %: what faster storage is worth here',
  );
  expect(page.recommendation[1]).toBe(
    'That bandwidth costs about $105 k a month, the price of 58 of 16,384 GPUs; more would cost more than the GPU time that it saves: twice as much gives back 0.15 % of the time.',
  );
});

it('“asynchronous, multi-level: memory, neighbour, object store”: stall, drain, what survives, what is lost', () => {
  const page = presetPage('405b', { saveMode: 'multi-level', zeroStage: '0', objectBytesPerSecond: 10e9 });
  expect(row(page, 'levels', 'levels', 'host memory')).toMatchObject({ 1: 'a process', 2: 'every save', 3: '5 s' });
  expect(row(page, 'levels', 'levels', 'a neighbour')).toMatchObject({ 1: 'a process and a node', 2: 'every save', 4: '8.88 s' });
  expect(row(page, 'levels', 'levels', 'Lustre')).toMatchObject({
    1: 'a process, a node and a rack',
    2: 'every 4 saves, 22 minutes',
  });
  expect(row(page, 'levels', 'levels', 'S3 Standard')[1]).toBe('a process, a node, a rack and the site');
  expect(row(page, 'levels', 'recoveries', 'a node')).toMatchObject({ 3: 'a neighbour’s memory', 4: '5.7 minutes' });
  expect(row(page, 'levels', 'recoveries', 'the site')).toMatchObject({ 3: 'S3 Standard', 4: '2.3 hours' });
  expect(statements(page, 'levels')[1]).toBe('817 GB of host memory on each writing node, of 2 TB: it fits');
});

it('“emergency checkpoints on SIGTERM”: does it fit the grace period', () => {
  const page = presetPage('405b');
  expect(statements(page, 'emergency')[0]).toBe('38.2 s for an emergency save to Lustre: it fits the grace period of 120 s');
  expect(row(page, 'emergency', 'grace-periods', 'AWS')).toMatchObject({ 1: '120 s', 2: 'yes', 3: '14.3 TB' });
  expect(row(page, 'emergency', 'grace-periods', 'Google')).toMatchObject({ 1: '30 s', 2: 'no', 3: '3.57 TB' });
  expect(row(page, 'emergency', 'grace-periods', 'Slurm')).toMatchObject({ 1: '30 s', 2: 'no' });
});

it('says that a plan without given inputs is assumed, and that answers are derived from given ones', () => {
  const ids = ['size', 'interval', 'bandwidth'];
  const kinds = (page: PlanPage) => page.sections.filter(({ id }) => ids.includes(id)).map(({ lead }) => lead.kind);
  expect(kinds(pageOf({}))).toEqual(['assumed', 'assumed', 'assumed']);
  const money = { gpus: 64, gpuPricePerHour: 2, storePricePerGBps: 100, overlapTarget: 0.1 } as const;
  const given = {
    parameters: 8e9,
    recipe: 'mixed-adam',
    stallSeconds: 1,
    mtbfSeconds: 1e5,
    restartSeconds: 60,
    ...money,
  } as const;
  expect(kinds(pageOf(given))).toEqual(['derived', 'derived', 'derived']);
});
