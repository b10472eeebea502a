/** A comparison in the other order: the same as a new one, without reading anything again. */
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../../src/app/platform.js';
import type { ComparisonReport } from '../../../src/core/comparison/comparisonReport.js';
import { readPairs } from '../../../src/core/comparison/values/readPairs.js';
import type { PairResult } from '../../../src/core/comparison/values/pairTask.js';
import { createComparisonService } from '../../../src/platform/comparison/comparisonService.js';
import { runPair, trainedPair, unlikePair, type CheckpointPair } from '../../builders/comparedCheckpoints.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { buildSafetensors, type SafetensorsTensor } from '../../builders/safetensorsBuilder.js';

const bytesOf = (files: CheckpointPair['a']): Record<string, Uint8Array> =>
  Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, typeof file === 'string' ? new TextEncoder().encode(file) : file]),
  );

function started(pair: CheckpointPair) {
  const log: ReadLog = { reads: [] };
  const files = { a: bytesOf(pair.a), b: bytesOf(pair.b) };
  let tasks = 0;
  const readHere: Platform['readPairs'] = async (reading, hooks) => {
    const results: PairResult[][] = [];
    for (const task of reading.tasks) {
      tasks += 1;
      results.push(await readPairs({ a: reading.a.tree, b: reading.b.tree }, task, hooks));
    }
    return results.flat();
  };
  const service = createComparisonService(
    { paths: { a: '/a', b: '/b' }, openTree: async (side) => memoryTree(side, files[side], log), readPairs: readHere },
    { inspecting: () => undefined, valuesRead: () => undefined },
  );
  const { signal } = new AbortController();
  return {
    files,
    compare: async (values: number | null) => service.compare({ values }, signal),
    swap: async () => service.swap({}, signal),
    markdown: async () => service.markdown({}, signal),
    reads: () => ({ reads: log.reads.length, tasks }),
  };
}

const f32 = (...values: number[]): SafetensorsTensor => ({
  dtype: 'F32',
  shape: [values.length],
  data: new Uint8Array(Float32Array.from(values).buffer),
});
const weights = (tensors: Record<string, SafetensorsTensor>) => ({
  'model.safetensors': buildSafetensors({ tensors }),
});

/** With norms of both sides that differ, and NaN on one side alone. */
const oddPair: CheckpointPair = {
  a: weights({ 'x.weight': f32(1, 2, NaN), 'y.weight': f32(1, 1), 'z.weight': f32(0, 0) }),
  b: weights({ 'y.weight': f32(4, 5), 'x.weight': f32(3, Infinity, 1), 'z.weight': f32(3, 4) }),
};

/** Which bytes come together in one read follows from the order of A. */
const withoutReads = ({ valuesCompared, ...report }: ComparisonReport) => ({
  ...report,
  io: null,
  valuesCompared: { ...valuesCompared, bytesRead: 0 },
});

describe.each<[string, CheckpointPair]>([
  ['two saves of a run', trainedPair(4)],
  ['models that differ', unlikePair()],
  ['two runs', runPair()],
  ['values that are not finite', oddPair],
])('%s', (_, pair) => {
  it.each([null, 1])('in the other order are as a new comparison has them, and nothing is read: values %s', async (values) => {
    const own = started(pair);
    await own.compare(values);
    const before = own.reads();
    const turned = await own.swap();
    expect(own.reads()).toEqual(before);
    const fresh = await started({ a: pair.b, b: pair.a }).compare(values);
    const named = JSON.parse(
      JSON.stringify(fresh).replaceAll('"/a', '"/_').replaceAll('"/b', '"/a').replaceAll('"/_', '"/b'),
    ) as typeof fresh;
    expect(withoutReads(turned)).toEqual(withoutReads(named));
    expect(turned.io.bytesRead).toBeGreaterThan(0);
  });
});

it('reads values without inspecting again, and inspects again what was written since', async () => {
  const own = started(oddPair);
  await own.compare(null);
  const inspected = own.reads().reads;
  const { values } = await own.compare(1);
  expect(values).toHaveLength(3);
  // One of A, and two of B, where what comes second in A comes first.
  expect(own.reads()).toEqual({ reads: inspected + 3, tasks: 1 });
  own.files.b['added.safetensors'] = buildSafetensors({ tensors: { 'added.weight': f32(1) } });
  const again = await own.compare(null);
  expect(again.tensors.counts.added).toBe(1);
  expect(again.findings.filter(({ code }) => code === 'changed-while-compared')).toEqual([]);
  expect(await own.markdown()).toContain('added.weight');
});

it('has nothing to swap before both were compared', async () => {
  await expect(started(oddPair).swap()).rejects.toThrow('nothing was compared');
});
