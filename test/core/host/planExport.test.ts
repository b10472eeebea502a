import { beforeEach, expect, it } from 'vitest';
import { askVolume } from '../../../src/host/plan/askVolume.js';
import { savePlanExport } from '../../../src/host/plan/savePlanExport.js';
import { standIn } from '../../builders/vscodeStandIn.js';

beforeEach(() => {
  standIn.reset();
  standIn.answer = true;
});

const written = (): Record<string, string> =>
  Object.fromEntries([...standIn.files].map(([uri, bytes]) => [decodeURIComponent(uri), new TextDecoder().decode(bytes)]));

it.each(['my plan (1)', 'plan', 'Пробный план'])('writes an export and its charts beside the plan %j', async (name) => {
  const plan = standIn.write(`file:/plans/${encodeURIComponent(name)}.stowage-plan.json`, '{}');
  standIn.files.clear();
  const charts = [{ name: 'interval.svg', svg: '<svg/>' }];
  const files = { text: '# Plan', ending: 'md', folder: `${name}-charts`, charts };
  expect(await savePlanExport(plan, files)).toBe(`${name}.md`);
  expect(Object.values(written())).toEqual(['# Plan', '<svg/>']);
  expect(Object.keys(written()).map((uri) => uri.replace(/^file:(\/\/)?/, ''))).toEqual([
    `/plans/${name}.md`,
    `/plans/${name}-charts/interval.svg`,
  ]);
});

it.each([
  { ending: '../x.md' },
  { ending: 'a/b.md' },
  { folder: '..' },
  { folder: 'a\\b' },
  { folder: 'c:d' },
  { charts: [{ name: '../../.bashrc', svg: 'x' }] },
])('writes nothing where the page names more than a file: %j', async (changed) => {
  const plan = standIn.write('file:/plans/a.stowage-plan.json', '{}');
  standIn.files.clear();
  const files = { text: 'x', ending: 'md', folder: 'charts', charts: [], ...changed };
  await expect(savePlanExport(plan, files)).rejects.toMatchObject({ code: 'not-a-name' });
  expect(written()).toEqual({});
});

it('asks for the name of a class until it is one', async () => {
  standIn.answer = 'fast-lustre';
  expect(await askVolume({ hint: '' })).toBe('fast-lustre');
  standIn.answer = 'Fast Lustre';
  expect(await askVolume({ hint: '' })).toBeNull();
});
