/** A pickle in place of any file of a checkpoint or a data set, or beside it, is found, whatever its reader makes of it. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { casesBelow, fixtureBelow, fixtureRoot } from '../../builders/frameworkFixtures.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { utf8 } from '../../builders/byteWriter.js';

type Files = Record<string, Uint8Array>;

/** `posix.system("id")` in protocol 0. */
const evil = utf8("cposix\nsystem\n(S'id'\ntR.");

async function callsIn(files: Files, part?: string, root = ''): Promise<Set<string>> {
  const { report } = await inspect(memoryTree('m', files), { path: 'm', ...(part !== undefined && { part }) });
  return callsOf(report, files, root);
}

async function callsOf(report: Report, files: Files, root: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { code, path } of report.findings)
    if (code === 'pickle-calls-unexpected' && path !== null) found.add(`${root}${path}`);
  if (report.kind !== 'collection') return found;
  for (const { path, name } of report.parts) {
    const own = files[path];
    const below = Object.entries(files).flatMap(([file, bytes]): [string, Uint8Array][] =>
      path === '' || file.startsWith(`${path}/`) ? [[path === '' ? file : file.slice(path.length + 1), bytes]] : [],
    );
    const base = path.slice(path.lastIndexOf('/') + 1);
    const calls =
      own === undefined
        ? await callsIn(Object.fromEntries(below), name, path === '' ? '' : `${root}${path}/`)
        : await inspect(memoryTree(base, { [base]: own }), { path }).then(({ report }) =>
            callsOf(report, {}, root + path.slice(0, -base.length)),
          );
    for (const call of calls) found.add(call);
  }
  return found;
}

const cases = [...casesBelow(fixtureRoot, 'checkpoint'), ...casesBelow(fixtureRoot, 'dataset')];

describe.each<[string, (index: number) => boolean]>([
  ['every file', () => true],
  ['every second file', (index) => index % 2 === 0],
])('in place of %s', (_name, isReplaced) => {
  it.each(cases)('%s', async (name) => {
    const files = fixtureBelow(name);
    const replaced = Object.keys(files)
      .sort()
      .filter((_, index) => isReplaced(index))
      .slice(0, limits.findingsPerCode - 1);
    const calls = await callsIn({ ...files, ...Object.fromEntries(replaced.map((path) => [path, evil])) });
    expect(replaced.filter((path) => !calls.has(path))).toEqual([]);
  });
});

describe('beside the files of each directory', () => {
  it.each(cases)('%s', async (name) => {
    const files = fixtureBelow(name);
    const directories = new Set(Object.keys(files).map((path) => path.slice(0, path.lastIndexOf('/') + 1)));
    const added = [...directories]
      .flatMap((directory) => ['evil.joblib', 'evil.bin', 'evil', 'evil.dat'].map((file) => directory + file))
      .slice(0, limits.findingsPerCode - 1);
    const calls = await callsIn({ ...files, ...Object.fromEntries(added.map((path) => [path, evil])) });
    expect(added.filter((path) => !calls.has(path))).toEqual([]);
  });
});

it('of the files of a set no more than `limits.picklesInstead` are looked at, the smallest first', async () => {
  const shards = Array.from({ length: limits.picklesInstead + 2 }, (_, rank) => [
    `__${rank}_0.distcp`,
    new Uint8Array(600 + rank),
  ]);
  const files: Files = { ...fixtureBelow('dcp/zstd-2r'), ...(Object.fromEntries(shards) as Files), '__9999_0.distcp': evil };
  const log: ReadLog = { reads: [] };
  const { report } = await inspect(memoryTree('m', files, log), { path: 'm' });
  expect(report.findings.filter(({ code }) => code === 'pickle-calls-unexpected')).toMatchObject([{ path: '__9999_0.distcp' }]);
  const looked = new Set(log.reads.filter(({ length }) => length === 64).map(({ path }) => path));
  expect(looked.size).toBeLessThan(limits.picklesInstead);
  expect(looked.has(`__${limits.picklesInstead}_0.distcp`)).toBe(false);
});
