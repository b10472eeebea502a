/** Datasets whose loader needs an index that was lost. */
import { expect, it } from 'vitest';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';

const without = (fixture: string, folder: string, lost: RegExp): Record<string, Uint8Array> =>
  Object.fromEntries(
    Object.entries(fixtureBelow(fixture)).flatMap(([name, bytes]) =>
      name.startsWith(folder) && !lost.test(name) ? [[name.slice(folder.length), bytes]] : [],
    ),
  );

it.each([
  ['MDS', 'mds-tokens', 'train/', /index\.json$/],
  ['MDS of text', 'mds-json-xsv', 'd/', /index\.json$/],
  ['LitData', 'litdata-tokens', 'tokens/', /index\.json$/],
  ['save_to_disk, its state.json', 'arrow-lists', 'tokenized/', /state\.json$/],
  ['save_to_disk, its dataset_info.json', 'arrow-lists', 'tokenized/', /dataset_info\.json$/],
])('%s', async (_, name, folder, lost) => {
  const code = 'dataset-unfinished';
  const fixture = `datasets/${name}`;
  expect(codesOf(await inspectDataset(without(fixture, folder, /^$/)))).not.toContain(code);
  const report = await inspectDataset(without(fixture, folder, lost));
  expect(codesOf(report)).toContain(code);
  if (folder !== 'tokenized/') expect(report.tokens?.exact).not.toBe(true);
  expect(report.findings.find((finding) => finding.code === code)?.severity).toBe('error');
});

it('a cache has a description and no list of shards', async () => {
  const files = fixtureBelow('datasets/arrow-map-cache');
  expect(Object.keys(files).some((name) => name.endsWith('dataset_info.json'))).toBe(true);
  expect(codesOf(await inspectDataset(files))).not.toContain('dataset-unfinished');
});

it('MDS: one split has lost its index, others have theirs', async () => {
  const { 'train/index.json': lost, ...files } = fixtureBelow('datasets/mds-tokens');
  expect(lost).toBeDefined();
  expect(Object.keys(files).some((name) => name.endsWith('index.json'))).toBe(true);
  const report = await inspectDataset(files);
  const found = report.findings.filter(({ code }) => code === 'dataset-unfinished' || code === 'shard-unlisted');
  expect(found).toMatchObject([
    { code: 'dataset-unfinished', severity: 'error', path: expect.stringMatching(/^train\//) as string },
  ]);
  expect(report.tokens?.exact).not.toBe(true);
});
