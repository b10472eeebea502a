/** Rows of text that cost more than they hold. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { TextBudget } from '../../../src/core/datasets/text/textBudget.js';
import { utf8 } from '../../builders/byteWriter.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';

async function datasetOf(files: Record<string, MemoryFile>): Promise<DatasetReport> {
  const { report } = await inspectOne(memoryTree('data', files), { path: 'data' });
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  return report;
}

describe('Lines and tables', () => {
  it('refuses more lists than JSON may have', async () => {
    const report = await datasetOf({ 'a.jsonl': utf8('['.repeat(3 * limits.jsonContainers + 1)) });
    expect(report).toMatchObject({ samples: null, findings: [{ code: 'header-too-large', path: 'a.jsonl' }] });
  });

  it('counts records that nest deeper than a serializer recurses', async () => {
    const depth = 100_000;
    const report = await datasetOf({ 'a.jsonl': utf8(`[1,2]\n${'['.repeat(depth)}${']'.repeat(depth)}\n`) });
    expect(report).toMatchObject({ samples: 2, sampleCount: { exact: true } });
  });

  it('samples more records than are kept', async () => {
    const report = await datasetOf({
      'a.jsonl': utf8('{"text":""}\n'),
      'b.jsonl': utf8('{}\n'.repeat(limits.countedTexts)),
    });
    expect(report.sampleCount?.exact).toBe(false);
    expect(report.checks.notDone.join()).toContain('files were sampled');
    expect(report.checks.done.join()).not.toContain('every line was read');
  });

  it('samples tables whose header names more texts than are kept', async () => {
    const header = 'text,'.repeat(10_000);
    const rows = Math.ceil(limits.countedTexts / 10_001);
    const counted = await datasetOf({ 'a.csv': utf8(`${header}text\n${'a,\n'.repeat(rows - 1)}`) });
    expect([counted.samples, counted.sampleCount?.exact]).toEqual([rows - 1, true]);
    const sampled = await datasetOf({ 'a.csv': utf8(`${header}text\n${'a,\n'.repeat(rows + 1)}`) });
    expect(sampled.checks.notDone.join()).toContain('files were sampled');
  });
});

describe('TextBudget', () => {
  it('ends behind its limit, and counts records without texts', () => {
    const budget = new TextBudget();
    expect(budget.take(limits.countedTexts - 1)).toBe(true);
    expect(budget.take(0)).toBe(true);
    expect(budget.isSpent).toBe(false);
    expect(budget.take(0)).toBe(false);
    expect(budget.isSpent).toBe(true);
  });
});
