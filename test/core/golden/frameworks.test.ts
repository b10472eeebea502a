/** Our reader against the frameworks' own answers, case by case. */
import { describe, expect, it } from 'vitest';
import { checkpointOf } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import type { CheckpointReport, TensorReport } from '../../../src/core/checkpoints/checkpointReport.js';
import type { TensorTable } from '../../../src/core/tensors/tensorTable.js';
import { frameworkCases, type Truth } from './frameworkCases.js';
import { inspectCase } from './inspectCase.js';

const strict = ['weights', 'masterWeights', 'optimizer', 'ema', 'gradients', 'rng'] as const;
const resumeParts = new Set(['optimizer', 'scheduler', 'rng', 'dataLoader', 'gradScaler', 'ema', 'masterWeights']);

describe.each(frameworkCases('checkpoint'))('$name', ({ path, truth }) => {
  it('agrees with the framework', async () => {
    const { report, tensors } = await checkpointCase(path);
    expectExactSums(report);
    expectTensors(listTensors(tensors, report.files), truth);
    expectComponents(report, truth);
    expectFacts(report, truth);
    expect(report.findings.filter((finding) => finding.code === 'internal-error')).toEqual([]);
    if (report.totalBytes > 262_144) expect(report.io.bytesRead).toBeLessThan(report.totalBytes);
  });

  it('finds nothing broken in an intact checkpoint', async () => {
    const { report } = await checkpointCase(path);
    // Some cases have no weights, one is an interrupted save: both are meant.
    const meant = new Set(['weights-missing', 'save-unfinished']);
    expect(report.findings.filter((finding) => finding.severity === 'error' && !meant.has(finding.code))).toEqual([]);
  });
});

async function checkpointCase(path: string): Promise<{ report: CheckpointReport; tensors: TensorTable }> {
  const { report, tensors } = await inspectCase(path);
  return { report: checkpointOf(report), tensors };
}

function expectExactSums(report: CheckpointReport): void {
  const components = Object.values(report.components).reduce((sum, totals) => sum + totals.tensorBytes + totals.otherBytes, 0);
  const files = report.files.flatMap((file) => Object.values(file.components)).reduce((sum, bytes) => sum + bytes, 0);
  expect(components).toBe(report.totalBytes);
  expect(files).toBe(report.totalBytes);
  for (const file of report.files)
    expect(
      Object.values(file.components).reduce((sum, bytes) => sum + bytes, 0),
      file.path,
    ).toBe(file.bytes);
}

function expectTensors(tensors: readonly TensorReport[], truth: Truth): void {
  if (truth.tensors === undefined || truth.loose?.includes('tensors')) return;
  const key = (tensor: { name: string; dtype: string; shape: readonly number[]; component: string }): string =>
    JSON.stringify([
      tensor.name,
      tensor.dtype,
      tensor.shape,
      strict.find((component) => component === tensor.component) ?? 'other',
    ]);
  expect([...new Set(tensors.map(key))].sort()).toEqual([...new Set(truth.tensors.map(key))].sort());
}

function expectComponents(report: CheckpointReport, truth: Truth): void {
  if (truth.loose?.includes('components')) return;
  for (const component of strict) {
    const totals = report.components[component];
    expect(totals?.logicalBytes ?? 0, component).toBe(truth.components?.[component] ?? 0);
  }
}

function expectFacts(report: CheckpointReport, truth: Truth): void {
  const loose = new Set(truth.loose);
  if (truth.layoutId !== undefined) expect(report.layout).toBe(truth.layoutId);
  if (!loose.has('parameters') && truth.parameters != null)
    expect([truth.parameters, ...(truth.parametersAlso ?? [])]).toContain(report.parameters.unique);
  if (!loose.has('step') && truth.step != null) expect(report.step).toBe(truth.step);
  if (!loose.has('resume'))
    expect(report.resume.present).toEqual(expect.arrayContaining((truth.present ?? []).filter((part) => resumeParts.has(part))));
}
