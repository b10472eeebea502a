/**
 * Files of real datasets cut, and with fields replaced, each among its intact neighbours: always a report with exact sums, and damage
 * of what was read is noticed.
 */
import { describe, expect, it } from 'vitest';
import { sweepCuts, sweepFields } from './damage.js';
import type { Budgets } from './structure.js';
import { chosenOf, fixtureCases, isTable, withoutNumbers, type HostileFile } from './fixtureFiles.js';

/** Files that are cut without a finding; each pattern with the reason. */
const undeclared: readonly [files: RegExp, reason: string][] = [
  [/\/bin-nanogpt\/.*\.bin$/, 'nothing states how many tokens there are'],
  [/\/(csv-text|jsonl)\/data\/[a-z]+\.(csv|txt|jsonl|json)$/, 'texts end where they end'],
  [/\.ds\.metadata$/, 'its last line repeats the number for people'],
  [/\/tfrecord\//, 'a cut between two records leaves whole records'],
  [/\/webdataset\/data\/index\.json$/, 'an index that is not JSON is another file beside the archives'],
  [/\/gpt-cache\/data\/cache\/.*\.(npy|txt)$/, 'Megatron makes its index cache again'],
];

const files: HostileFile[] = fixtureCases('dataset')
  .flatMap(({ name, files }) =>
    Object.entries(files)
      .filter(([path]) => !isTable(path))
      .map(([path, bytes]) => ({
        name: `${name}/data/${path}`,
        root: name.slice(name.indexOf('/') + 1),
        path,
        bytes,
        beside: files,
        // One of a kind has what all of them have: shards differ by their numbers.
        shape: `${name} ${withoutNumbers(path)}`,
      })),
  )
  .filter(({ bytes }) => bytes.byteLength > 0);
const chosen = chosenOf(files);
const isDeclared = (name: string): boolean => !undeclared.some(([pattern]) => pattern.test(name));

/** Texts are tokenized at each visit, and have no headers. */
const textBudgets: Budgets = { edge: 1, nearEdge: 4, headers: 0, rest: 12, exhaustive: 2000 };
const isText = (name: string): boolean => /\/(csv-text|jsonl)\//.test(name);

describe.each(chosen)('$name', (file) => {
  it('is noticed wherever it is cut', async () => {
    const budgets = isText(file.name) ? textBudgets : { edge: 4, nearEdge: 10, headers: 8, rest: 16, exhaustive: 20_000 };
    await sweepCuts(file, budgets, isDeclared(file.name));
  });

  it('survives fields replaced', async () => {
    await sweepFields(
      file,
      isText(file.name) ? textBudgets : { edge: 2, nearEdge: 16, headers: 8, rest: 16, exhaustive: 20_000 },
    );
  });
});

it('runs over real files', () => expect(files.length).toBeGreaterThan(0));

it.each(undeclared)('has files of %s', (pattern) => {
  expect(files.filter(({ name }) => pattern.test(name))).not.toEqual([]);
});
