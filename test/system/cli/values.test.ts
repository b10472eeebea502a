/** `stowage values` as its users run it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ValuesReport } from '../../../src/core/values/valuesReport.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { planValues } from '../../../src/core/values/planValues.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { readValuesInThreads } from '../../../src/platform/values/readValuesInThreads.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { stowage } from './stowage.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Enough for two threads: two files of 80 MB. */
const elements = 20_000_000;

function writeModel(...broken: [at: number, value: number][]): void {
  for (const part of [1, 2]) {
    const values = new Float32Array(elements).fill(part);
    values[0] = -part;
    if (part === 2) for (const [at, value] of broken) values[at] = value;
    const tensors = {
      [`layers.${part}.weight`]: { dtype: 'F32', shape: [elements / 1000, 1000], data: new Uint8Array(values.buffer) },
    };
    writeFileSync(path.join(folder, `model-0000${part}-of-00002.safetensors`), buildSafetensors({ tensors }));
  }
}

function valuesOf(...args: string[]): { status: number | null; report: ValuesReport } {
  const { status, stdout } = stowage('values', folder, '--json', ...args);
  return { status, report: JSON.parse(stdout) as ValuesReport };
}

describe('a model in several files', () => {
  it('is read in threads, and NaN in it is found where it is', () => {
    writeModel([12_345_678, NaN], [12_345_679, -Infinity]);
    const { status, report } = valuesOf();
    expect(status).toBe(1);
    expect(schemaErrors(compileSchemaFile('docs/values-report.schema.json'), report)).toEqual([]);
    expect(report.bytesRead).toBe(2 * 4 * elements);
    expect(report.tensors).toMatchObject([
      { name: 'layers.1.weight', nan: 0, inf: 0, min: -1, max: 1, count: elements },
      { name: 'layers.2.weight', nan: 1, inf: 1, min: -2, max: 2, first: { index: [12_345, 678] } },
    ]);
    expect(report.findings).toMatchObject([{ code: 'values-not-finite', path: 'model-00002-of-00002.safetensors' }]);
  });

  it('is read in part, by name and by share', () => {
    writeModel();
    const { status, report } = valuesOf('--tensors', 'layers.2.*', '--sample', '1%', '--seed', '7');
    expect(status).toBe(0);
    expect(report.sample).toEqual({ share: 0.01, seed: 7, ofBytes: 4 * elements });
    expect(report.tensors).toMatchObject([{ name: 'layers.2.weight', max: 2 }]);
    expect(report.bytesRead).toBeLessThan(0.02 * 4 * elements);
    const { stdout } = stowage('values', folder, '--sample', '1%');
    expect(stdout.replaceAll('\n', ' ')).toContain('What was not read is not known.');
  });
});

it('reads a slice of one tensor, and says what is none', () => {
  const data = new Uint8Array(Float32Array.of(1, 2, NaN, 4, -Infinity, 6).buffer);
  writeFileSync(
    path.join(folder, 'model.safetensors'),
    buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [2, 3], data } } }),
  );
  const { report, status } = valuesOf('--tensors', 'w', '--slice', ':,1:3') as unknown as { report: object; status: number };
  expect(status).toBe(0);
  expect(schemaErrors(compileSchemaFile('docs/tensor-slice.schema.json'), report)).toEqual([]);
  expect(report).toMatchObject({ shape: [2, 3], parts: 1, values: [2, 'NaN', '-Inf', 6], bytesRead: 20 });
  expect(stowage('values', folder, '--tensors', 'w', '--slice', '1').stdout).toMatch(/index +0 +1 +2\s[^]*\[1\] +4 +−Inf +6/);
  for (const args of [
    ['--slice', '0'],
    ['--tensors', 'v', '--slice', '0'],
    ['--tensors', 'w', '--slice', '2'],
    ['--tensors', 'w', '--slice', 'x'],
    ['--tensors', 'w', '--slice', '1:0'],
    ['--tensors', 'w', '--slice=-1'],
  ])
    expect(stowage('values', folder, ...args), args.join(' ')).toMatchObject({ status: 2 });
});

it('ends its threads when it is cancelled', async () => {
  writeModel();
  const tree = await createNodeFileTree(folder);
  const { report, tensors } = await inspect(tree, { path: folder });
  if (report.kind !== 'checkpoint') throw new Error(report.kind);
  const { tasks } = planValues(tensors, report.files, {});
  expect(tasks).toHaveLength(2);
  const controller = new AbortController();
  const hooks = { signal: controller.signal, onBytes: () => controller.abort() };
  const reading = readValuesInThreads(path.resolve('dist/cli.js'), { path: folder, tree, tasks }, hooks);
  await expect(reading).rejects.toMatchObject({ code: 'cancelled' });
});

it('does not pass where nothing was read', () => {
  const data = new Uint8Array(Float32Array.of(1, 2).buffer);
  const file = path.join(folder, 'model.safetensors');
  writeFileSync(file, buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [2], data } } }));
  expect(stowage('values', file, '--tensors', 'w')).toMatchObject({ status: 0 });
  const none = stowage('values', file, '--tensors', 'typo');
  expect(none).toMatchObject({ status: 3 });
  expect(none.stderr).toContain("has no tensor that matches 'typo'; there is 1");
  writeFileSync(file, buildSafetensors({ tensors: { w: { dtype: 'F6_E2M3', shape: [4] } } }));
  expect(stowage('values', file)).toMatchObject({ status: 3 });
});

it('refuses what it cannot read', () => {
  expect(stowage('values', path.join(folder, 'none'))).toMatchObject({ status: 3 });
  for (const args of [[], ['a', 'b'], [folder, '--sample', '0'], [folder, '--sample', '200%'], [folder, '--seed', '1']])
    expect(stowage('values', ...args), args.join(' ')).toMatchObject({ status: 2 });
});
