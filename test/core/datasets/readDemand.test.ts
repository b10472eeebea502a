/** Worked values of published runs. */
import { describe, expect, it } from 'vitest';
import { defaultReadPlan, isPlanNumber, readDemandOf } from '../../../src/core/datasets/readDemand.js';
import { shortTime } from '../../../src/core/text/quantities.js';
import { demandSentence } from '../../../src/core/pages/dataset/demandWords.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { datasetReport, emptyDatasetReport, textDatasetReport } from '../../builders/datasetReports.js';

/** Llama 3 405B: 400e12 * 16,384 / (6 * 405.85e9) tokens a second, 15 T tokens of 4 bytes. */
const llama: DatasetReport = {
  ...datasetReport(),
  bytesPerToken: 4,
  columns: [],
  tokens: { count: 15e12, exact: true, interval: [15e12, 15e12], confidence: 1, method: '', basis: 'header', coverage: null },
};
const plan = { tokensPerSecond: 2.69e6, sequenceLength: 8192, trainingTokens: 15.6e12 };

describe('Llama 3 405B', () => {
  const demand = readDemandOf(llama, plan);

  it('reads 10.8 MB/s and 328 sequences a second', () => {
    expect(demand.bytesPerSecond).toBe(10.76e6);
    expect(demand.randomReadsPerSecond).toBeCloseTo(328.4, 1);
    expect(demand.bytesPerRead).toBe(32_768);
  });

  it('takes 67 days for 1.04 epochs', () => {
    expect(demand.epochs).toBeCloseTo(1.04, 5);
    expect(shortTime(demand.seconds ?? 0)).toBe('67.1 days');
  });

  it('is put in one sentence', () => {
    expect(demandSentence(demand)).toMatch(/^10\.8 MB\/s for the whole job: .* 328 reads of 32\.8 kB a second/);
  });
});

describe('columns beside the tokens', () => {
  it('are counted uncompressed where all have a size', () => {
    const report = datasetReport();
    const { allColumnsBytesPerSecond } = readDemandOf({ ...report, columns: report.columns.slice(0, 2) }, plan);
    expect(allColumnsBytesPerSecond).toBeCloseTo(2.69e6 * 3, 3);
  });

  it('are left out where one has no known size, and where there are none', () => {
    const report = datasetReport();
    expect(readDemandOf(report, plan).allColumnsBytesPerSecond).toBeNull();
    expect(readDemandOf({ ...report, columns: report.columns.slice(0, 1) }, plan).allColumnsBytesPerSecond).toBeNull();
  });
});

it('of raw text has reads but no bytes', () => {
  const demand = readDemandOf(textDatasetReport(), plan);
  expect(demand).toMatchObject({ bytesPerSecond: null, bytesPerRead: null, allColumnsBytesPerSecond: null });
  expect(demand.epochs).toBeCloseTo(14.857, 3);
  expect(demandSentence(demand)).toMatch(/not stored yet.* 2 or 4 bytes: [\d.]+ .?B\/s or [\d.]+ .?B\/s/);
});

it('without tokens there are no epochs', () => {
  expect(readDemandOf(emptyDatasetReport(), plan).epochs).toBeNull();
  expect(defaultReadPlan(emptyDatasetReport()).trainingTokens).toBeNull();
});

it('begins with the stored length, where all samples have one', () => {
  const lengths = {
    unit: 'sample',
    count: 9,
    minTokens: 2048,
    maxTokens: 2048,
    meanTokens: 2048,
    medianTokens: 2048,
    empty: 0,
    buckets: [],
  };
  expect(defaultReadPlan({ ...datasetReport(), lengths })).toMatchObject({ sequenceLength: 2048, trainingTokens: 170_917_888 });
});

it('computes with no odd numbers', () => {
  expect([0, -1, NaN, Infinity, 1e300, 1, 0.5].map(isPlanNumber)).toEqual([false, false, false, false, false, true, true]);
});

it('of all columns is never below that of the tokens alone: an encoded column is decoded when it is read', () => {
  const report = datasetReport();
  const [tokens, ...others] = report.columns;
  if (tokens === undefined) throw new Error('no columns');
  const columns = [
    { ...tokens, role: 'tokens' as const, dtype: 'i32', values: 1_000_000, bytes: 200_000, logicalBytes: 250_000 },
    { ...(others[0] ?? tokens), role: 'value' as const, dtype: null, values: 1000, bytes: 1000, logicalBytes: 1000 },
  ];
  const count = {
    count: 1_000_000,
    exact: true,
    interval: [1e6, 1e6],
    confidence: 1,
    method: '',
    basis: 'header',
    coverage: null,
  };
  const demand = readDemandOf({ ...report, columns, tokens: count as DatasetReport['tokens'], bytesPerToken: 4 }, plan);
  expect(demand.bytesPerSecond).toBe(4 * 2.69e6);
  expect(demand.allColumnsBytesPerSecond).toBeCloseTo(2.69e6 * 4.001, 0);
});
