import { beforeEach, expect, it } from 'vitest';
import { saveCheckExport } from '../../../src/host/bandwidth/saveCheckExport.js';
import { standIn } from '../../builders/vscodeStandIn.js';

beforeEach(() => {
  standIn.reset();
  standIn.answer = true;
});

const written = (): Record<string, string> =>
  Object.fromEntries(
    [...standIn.files].map(([uri, bytes]) => [
      decodeURIComponent(uri).replace(/^file:(\/\/)?/, ''),
      new TextDecoder().decode(bytes),
    ]),
  );
const files = { text: '# Bandwidth', folder: 'bandwidth-charts', charts: [{ name: 'sweep.svg', svg: '<svg/>' }] };

it('writes a result and its charts beside it', async () => {
  expect(await saveCheckExport('/data/my runs', { what: 'report.md', ...files })).toBe('my-runs.bandwidth-report.md');
  const paths = Object.keys(written());
  expect(paths.map((name) => name.split('/').slice(-2).join('/'))).toEqual([
    expect.stringMatching(/my-runs\.bandwidth-report\.md$/),
    'bandwidth-charts/sweep.svg',
  ]);
  expect(Object.values(written())).toEqual(['# Bandwidth', '<svg/>']);
});

it('writes a history without charts', async () => {
  expect(await saveCheckExport('/data', { what: 'history.csv', text: 'a,b', folder: 'x', charts: [] })).toBe(
    'data.bandwidth-history.csv',
  );
  expect(Object.values(written())).toEqual(['a,b']);
});

it.each([{ folder: '..' }, { folder: 'a/b' }, { charts: [{ name: '../x.svg', svg: '' }] }])(
  'writes nothing where the page names more than a file: %j',
  async (changed) => {
    const save = saveCheckExport('/data', { what: 'report.md', ...files, ...changed });
    await expect(save).rejects.toMatchObject({ code: 'not-a-name' });
    expect(written()).toEqual({});
  },
);
