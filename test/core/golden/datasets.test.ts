/** Datasets against the answers of the frameworks that wrote them. */
import { describe, expect, it } from 'vitest';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { frameworkCases, type DatasetTruth } from './frameworkCases.js';
import { inspectCase } from './inspectCase.js';

const cases = frameworkCases<DatasetTruth>('dataset');

describe.each(cases)('$name', ({ path, truth }) => {
  it('agrees with the framework', async () => {
    const report = await inspectDataset(path);
    const loose = new Set(truth.loose ?? []);
    expectExactSums(report);
    if (truth.layoutId !== undefined) expect(report.layout).toBe(truth.layoutId);
    if (!loose.has('samples')) expect(report.samples ?? undefined).toBe(truth.samples ?? truth.documents);
    if (!loose.has('tokens')) expectTokens(report, truth);
    for (const key of ['tokenDtype', 'bytesPerToken'] as const)
      if (truth[key] != null && !loose.has(key)) expect(report[key]).toBe(truth[key]);
  });

  it('finds nothing broken in an intact dataset', async () => {
    const report = await inspectDataset(path);
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

async function inspectDataset(path: string): Promise<DatasetReport> {
  const { report } = await inspectCase(path);
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  return report;
}

function expectTokens({ tokens }: DatasetReport, truth: DatasetTruth): void {
  if (truth.tokens == null) return;
  if (truth.tokensExact === false) {
    expect(tokens?.interval[0]).toBeLessThanOrEqual(truth.tokens);
    expect(tokens?.interval[1]).toBeGreaterThanOrEqual(truth.tokens);
  } else {
    expect(tokens).toMatchObject({ count: truth.tokens, exact: true, interval: [truth.tokens, truth.tokens] });
  }
}

function expectExactSums(report: DatasetReport): void {
  const sum = (values: Iterable<number | undefined>): number =>
    [...values].reduce<number>((total, value) => total + (value ?? 0), 0);
  expect(sum(Object.values(report.bytes))).toBe(report.totalBytes);
  for (const file of report.files) expect(sum(Object.values(file.kinds)), file.path).toBe(file.bytes);
}
