/** `stowage compare` as its users run it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ComparisonReport } from '../../../src/core/comparison/comparisonReport.js';
import { readPairsInThreads } from '../../../src/platform/values/readPairsInThreads.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { stowage } from './stowage.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Enough for several tasks. */
const elements = 10_000_000;

/** Two layers; the second one has `added` added to each value. */
function writeModel(name: string, added: number): string {
  const root = path.join(folder, name);
  mkdirSync(root);
  for (const layer of [0, 1]) {
    const values = new Float32Array(elements).fill(layer === 1 ? 1 + added : 2);
    const tensor = { dtype: 'F32', shape: [elements / 1000, 1000], data: new Uint8Array(values.buffer) };
    writeFileSync(
      path.join(root, `model-0000${layer + 1}-of-00002.safetensors`),
      buildSafetensors({ tensors: { [`layers.${layer}.weight`]: tensor } }),
    );
  }
  return root;
}

describe('two models in several files', () => {
  it('are compared in threads', () => {
    const [a, b] = [writeModel('a', 0), writeModel('b', 0.5)];
    const { status, stdout } = stowage('compare', a, b, '--values', '--json');
    const report = JSON.parse(stdout) as ComparisonReport;
    expect(status).toBe(0);
    expect(schemaErrors(compileSchemaFile('docs/comparison-report.schema.json'), report)).toEqual([]);
    expect(report.values).toMatchObject([
      { name: 'layers.0.weight', isEqual: true, maxAbs: 0, relativeL2: 0 },
      { name: 'layers.1.weight', isEqual: false, maxAbs: 0.5, meanAbs: 0.5, cosine: 1, relativeL2: 0.5 },
    ]);
    expect(report.valuesCompared).toMatchObject({ equal: 1, different: 1, bytesRead: 4 * 4 * elements });
  });

  it('fail on a difference where that is asked for', () => {
    const [a, b] = [writeModel('a', 0), writeModel('b', 0.5)];
    expect(stowage('compare', a, b, '--fail-on', 'difference').status).toBe(0);
    expect(stowage('compare', a, b, '--values', '--fail-on', 'difference').status).toBe(1);
    expect(stowage('compare', a, a, '--values', '--sample', '1%', '--fail-on', 'difference').status).toBe(0);
  });

  it('end where a thread does', async () => {
    const tree = await createNodeFileTree(writeModel('a', 0));
    const side = { path: folder, tree };
    const tasks = [{ pairs: [] }, { pairs: [] }];
    const reading = readPairsInThreads(path.join(folder, 'none.js'), { a: side, b: side, tasks }, {});
    await expect(reading).rejects.toThrow('a thread that reads values ended');
  });
});

describe('wrong calls', () => {
  it.each([
    [['compare', 'A'], 'compare takes two paths'],
    [['compare', 'A', 'B', 'C'], 'compare takes two paths'],
    [['compare', 'A', 'B', '--fail-on', 'error'], '--fail-on takes difference'],
    [['compare', 'A', 'B', '--sample', '1%'], '--sample goes with values'],
    [['compare', 'A', 'B', '--values', '--sample', '2'], '--sample takes a share'],
    [['compare', 'A', 'B', '--json', '--markdown'], '--json and --markdown exclude each other'],
  ])('%j', (args, message) => {
    const { status, stderr } = stowage(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  it('name the path that is none', () => {
    const { status, stderr } = stowage('compare', writeModel('a', 0), path.join(folder, 'missing'));
    expect(status).toBe(3);
    expect(stderr).toContain('missing');
  });
});
