/** Every checkpoint that a framework wrote, against itself and against another one. */
import { describe, expect, it } from 'vitest';
import { compareCheckpoints } from '../../../src/app/comparison/compareCheckpoints.js';
import type { ComparisonReport } from '../../../src/core/comparison/comparisonReport.js';
import { casesBelow, fixtureBelow, fixtureRoot } from '../../builders/frameworkFixtures.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';

const cases = casesBelow(fixtureRoot, 'checkpoint');
const validate = compileSchemaFile('docs/comparison-report.schema.json');

async function compared(a: string, b: string): Promise<ComparisonReport> {
  const platform = memoryPlatform({ ...fixtureBelow(a, '/a'), ...fixtureBelow(b, '/b') });
  return (await compareCheckpoints(platform, { a: '/a', b: '/b' })).report;
}

/** The report with its sides exchanged, where it has lists by side. */
function exchanged({ tensors, components, settings, optimizer, files }: ComparisonReport): object {
  const swap = <Value>({ a, b }: { a: Value; b: Value }): { a: Value; b: Value } => ({ a: b, b: a });
  return {
    same: tensors.same,
    tied: tensors.tied,
    added: new Set(tensors.removed.map(({ name }) => name)),
    removed: new Set(tensors.added.map(({ name }) => name)),
    renamed: new Set(tensors.renamed.map(({ from, to }) => `${to} ${from}`)),
    changed: new Set(tensors.changed.map((each) => JSON.stringify(swap(each)))),
    components: Object.fromEntries(Object.entries(components).map(([id, sizes]) => [id, swap(sizes)])),
    settings: settings.length,
    optimizer: { ...swap(optimizer), onlyA: optimizer.onlyB.length, onlyB: optimizer.onlyA.length },
    files: { added: files.removed.length, removed: files.added.length, resized: files.resized.length },
  };
}

function plain({ tensors, components, settings, optimizer, files }: ComparisonReport): object {
  return {
    same: tensors.same,
    tied: tensors.tied,
    added: new Set(tensors.added.map(({ name }) => name)),
    removed: new Set(tensors.removed.map(({ name }) => name)),
    renamed: new Set(tensors.renamed.map(({ from, to }) => `${from} ${to}`)),
    changed: new Set(tensors.changed.map(({ a, b }) => JSON.stringify({ a, b }))),
    components,
    settings: settings.length,
    optimizer: { a: optimizer.a, b: optimizer.b, onlyA: optimizer.onlyA.length, onlyB: optimizer.onlyB.length },
    files: { added: files.added.length, removed: files.removed.length, resized: files.resized.length },
  };
}

describe.each(cases)('%s', (name) => {
  it('has no difference to itself', async () => {
    const report = await compared(name, name).catch((error: Error) => error);
    // Some cases are no single checkpoint.
    if (report instanceof Error) return expect(report.message).toMatch(/has several things in it|is no checkpoint|is a data set/);
    expect(schemaErrors(validate, report)).toEqual([]);
    expect(report).toMatchObject({
      isSame: true,
      tensors: { counts: { added: 0, removed: 0, renamed: 0, changed: 0 }, tied: 0 },
      settings: [],
      resume: [],
      files: { counts: { added: 0, removed: 0, resized: 0 } },
    });
  });

  it('has the differences of the next one, seen from both sides', async () => {
    const next = cases[(cases.indexOf(name) + 1) % cases.length] as string;
    const there = await compared(name, next).catch(() => null);
    const back = await compared(next, name).catch(() => null);
    if (there === null || back === null) return expect(there).toBe(back);
    expect(schemaErrors(validate, there)).toEqual([]);
    expect(exchanged(back)).toEqual(plain(there));
  });
});
