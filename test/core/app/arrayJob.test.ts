/** What a job and its results are read as, whoever wrote them. */
import { describe, expect, it } from 'vitest';
import { arrayJobText, parseArrayJob, resultLine, resultOfLine, arrayWorks } from '../../../src/app/jobs/arrayJob.js';

const job = {
  use: 'verify' as const,
  system: 'slurm' as const,
  plan: {
    input: { path: '/data/run' },
    files: [
      { path: 'a', bytes: 1 },
      { path: 'b', bytes: 2 },
    ],
  },
  shares: [[1], [0]],
};
const outcome = {
  modifiedMs: 5.5,
  outcome: {
    file: { path: 'a', bytes: 1, status: 'same', by: ['sha256'], coverage: { bytes: 1, of: 1 }, damage: [], reason: null },
    hashedBytes: 1,
    covered: [{ offset: 0, length: 1 }],
    listed: null,
  },
};

function changed(change: object): string {
  return JSON.stringify({ ...(JSON.parse(arrayJobText(job)) as object), ...change });
}

describe('job.json', () => {
  it('is read as it was written', () => expect(parseArrayJob(arrayJobText(job))).toEqual(job));

  it.each([
    ['no JSON', '{'],
    ['another kind', changed({ kind: 'stowage-manifest' })],
    ['another version', changed({ schemaVersion: 2 })],
    ['another system', changed({ system: 'pbs' })],
    ['a use case that cannot be shared', changed({ use: 'inspect' })],
    ['an item twice', changed({ shares: [[1], [1]] })],
    ['an item that is left out', changed({ shares: [[1]] })],
    ['an item that there is not', changed({ shares: [[1], [2]] })],
    ['a negative item', changed({ shares: [[1], [-1]] })],
    ['another plan', changed({ plan: { tasks: [] } })],
    ['sizes that are none', changed({ plan: { input: { path: '/' }, files: [{ path: 'a', bytes: -1 }] }, shares: [[0]] })],
  ])('is refused with %s', (_, text) => {
    expect(() => parseArrayJob(text)).toThrow(expect.objectContaining({ code: 'bad-setting' }));
  });
});

describe('a line of results', () => {
  const line = resultLine(7, outcome);

  it('is read as it was written', () => {
    expect(resultOfLine(arrayWorks.verify, line)).toEqual({ item: 7, result: outcome });
  });

  it('is none wherever it is cut', () => {
    for (let end = 0; end < line.length - 1; end++) expect(resultOfLine(arrayWorks.verify, line.slice(0, end))).toBeNull();
  });

  it.each([
    [
      'a status of its own',
      JSON.stringify({ item: 7, result: { ...outcome, outcome: { ...outcome.outcome, hashedBytes: -1 } } }),
    ],
    ['no result', JSON.stringify({ item: 7, result: 5 })],
    ['the result of another use case', JSON.stringify({ item: 7, result: [] })],
  ])('is none with %s', (_, text) => expect(resultOfLine(arrayWorks.verify, text)).toBeNull());
});
