import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { concat, patternBytes, u32, utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildBundleIndex, buildTable, varint, type BundleOptions } from '../../builders/tensorBundleBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';
import { sweepCuts, sweepFields } from '../../hostile/damage.js';
import { builtFile } from '../../hostile/fixtureFiles.js';

const index = 'm.ckpt-7.index';
const data = 'm.ckpt-7.data-00000-of-00001';

async function codesOf(options: BundleOptions | Uint8Array, bytes = new Uint8Array(16)): Promise<string[]> {
  const file = options instanceof Uint8Array ? options : buildBundleIndex(options);
  const report = await inspectHostile(memoryTree('run', { [index]: file, [data]: bytes }));
  return report.findings.map((finding) => finding.code);
}

describe('bundles', () => {
  it('puts the slices of a partitioned variable together', async () => {
    const slice = (number: number): Uint8Array => concat(new Uint8Array(1), utf8('w'), Uint8Array.of(0, 1, number));
    const entries = [
      { key: slice(1), shape: [2], size: 8 },
      { key: slice(2), shape: [2], offset: 8, size: 8 },
      { key: 'w', shape: [4], sliced: true, size: 0 },
    ];
    const tree = memoryTree('run', { [index]: buildBundleIndex({ entries }), [data]: new Uint8Array(16) });
    const { report, tensors } = await inspectCheckpoint(tree, { path: 'run' });
    expect(report).toMatchObject({ layout: 'tensorflow', step: 7, findings: [] });
    expect(listTensors(tensors, report.files)).toMatchObject([{ name: 'w', shape: [4], bytes: 16 }]);
    expect(report.components.weights?.tensorBytes).toBe(16);
  });

  it('reads indexes in snappy, as those of T5 are', async () => {
    const entries = [{ key: 'a/kernel', shape: [4], size: 16 }];
    const file = buildBundleIndex({ entries, compression: 1 });
    const { report, tensors } = await inspectCheckpoint(memoryTree('run', { [index]: file, [data]: new Uint8Array(16) }), {
      path: 'run',
    });
    expect(report.findings).toEqual([]);
    expect(listTensors(tensors, report.files)).toMatchObject([{ name: 'a/kernel', bytes: 16 }]);
    const bent = file.slice();
    bent.set([0xff, 0xff, 0xff, 0xff, 0x0f], 0);
    expect(await codesOf(bent)).toContain('header-corrupt');
  });

  it.each(['run', index])('lists an index without its data, which is not complete (%s)', async (root) => {
    const entries = [
      { key: 'a/kernel', shape: [4], size: 16 },
      { key: 'global_step', dtype: 9, size: 8, offset: 16 },
    ];
    const tree = memoryTree(root, { [index]: buildBundleIndex({ entries }) });
    const { report, tensors } = await inspectCheckpoint(tree, { path: root });
    expect(report).toMatchObject({ layout: 'tensorflow', resume: { verdict: 'broken', blockedBy: ['shard-missing'] } });
    expect(listTensors(tensors, report.files).map(({ name }) => name)).toEqual(['a/kernel', 'global_step']);
  });

  it('of a SavedModel without variables lacks none', async () => {
    const files = {
      'saved_model.pb': Uint8Array.of(8, 1),
      'variables/variables.index': buildBundleIndex({ entries: [{ key: '_CHECKPOINTABLE_OBJECT_GRAPH', dtype: 7, size: 16 }] }),
      'variables/variables.data-00000-of-00001': new Uint8Array(16),
    };
    const { report } = await inspectCheckpoint(memoryTree('m', files), { path: 'm' });
    expect(report).toMatchObject({ layout: 'tensorflow', findings: [], resume: { verdict: 'none' } });
    expect(report.components.weights).toBeUndefined();
    // Without its bundle it is not whole: loaders restore from it.
    const { report: lost } = await inspectCheckpoint(memoryTree('m', { 'saved_model.pb': Uint8Array.of(8, 1) }), { path: 'm' });
    expect(lost.findings.map(({ code }) => code)).toEqual(['weights-missing']);
  });

  it('knows another file called .index by its end', async () => {
    const report = await inspectHostile(memoryTree('run', { 'faiss.index': new Uint8Array(100).fill(7) }));
    expect(report.components).toMatchObject({ unexplained: { otherBytes: 100 } });
    expect(report.findings.map(({ code }) => code)).toEqual(['layout-unknown']);
  });

  it.each([7, 20, 21])('counts nothing of type %i as weights', async (dtype) => {
    const file = buildBundleIndex({ entries: [{ key: 'a/kernel', dtype, shape: [1], size: 16 }] });
    const { report } = await inspectCheckpoint(memoryTree('run', { [index]: file, [data]: new Uint8Array(16) }), { path: 'run' });
    expect(report.components.weights).toBeUndefined();
    expect(report.components.trainerState?.tensors).toBe(1);
  });

  it.each([
    ['dense/kernel/Adam', 'optimizer'],
    ['dense/kernel/Adam_1', 'optimizer'],
    ['dense/kernel/ExponentialMovingAverage', 'ema'],
    ['beta1_power', 'optimizer'],
    ['global_step', 'trainerState'],
    ['model/a/.OPTIMIZER_SLOT/optimizer/m/.ATTRIBUTES/VARIABLE_VALUE', 'optimizer'],
    ['model/dropout/seed_generator/seed_generator_state/.ATTRIBUTES/VARIABLE_VALUE', 'rng'],
    ['iterator/.ATTRIBUTES/ITERATOR_STATE', 'dataLoader'],
    ['dense/kernel', 'weights'],
  ])('%s is %s', async (name, component) => {
    const file = buildBundleIndex({ entries: [{ key: name, shape: [4], size: 16 }] });
    const { report, tensors } = await inspectCheckpoint(memoryTree('run', { [index]: file, [data]: new Uint8Array(16) }), {
      path: 'run',
    });
    expect(listTensors(tensors, report.files)[0]).toMatchObject({ name, component });
  });
});

describe('damage', () => {
  const w = { key: 'w', shape: [4], size: 16 };

  it.each<[string, string, BundleOptions | Uint8Array, number]>([
    ['a shard that ends early', 'file-truncated', { entries: [w] }, 12],
    ['a shard that is too long', 'file-too-long', { entries: [w] }, 20],
    ['an offset of 2^52', 'file-truncated', { entries: [{ ...w, offset: 2n ** 52n }] }, 16],
    ['an offset of 2^60', 'header-corrupt', { entries: [{ ...w, offset: 2n ** 60n }] }, 16],
    ['bytes unlike its shape', 'tensor-size-mismatch', { entries: [{ ...w, size: 12 }] }, 12],
    ['a missing shard', 'shard-missing', { shards: 2, entries: [w] }, 16],
    ['a million shards', 'shard-missing', { shards: 2 ** 40, entries: [w] }, 16],
    ['blocks in a compression of its own', 'unsupported-version', { entries: [w], compression: 2 }, 16],
    ['no header', 'header-corrupt', { entries: [w], noHeader: true }, 16],
    ['an entry that is none', 'header-corrupt', { entries: [{ key: 'w', value: Uint8Array.of(0x0f) }] }, 16],
    ['zeros in place of the index', 'file-zero-filled', new Uint8Array(200), 16],
    ['another file', 'file-truncated', patternBytes(200), 16],
  ])('%s', async (_, code, options, dataBytes) => {
    expect(await codesOf(options, new Uint8Array(dataBytes))).toContain(code);
  });

  it('keys that share their beginnings do not take more than a limit', async () => {
    const long = concat(varint(0), varint(60_000), varint(0), new Uint8Array(60_000).fill(0x61));
    const short = concat(varint(59_999), varint(1), varint(0), utf8('b'));
    const block = concat(long, ...Array.from({ length: 20_000 }, () => short), u32(0), u32(1));
    expect(await codesOf(buildTable([block]))).toContain('header-too-large');
  });

  it('data without an index', async () => {
    const report = await inspectHostile(memoryTree('run', { [data]: new Uint8Array(16) }));
    expect(report.findings.map((finding) => finding.code)).toContain('file-missing');
  });

  const root = 'test/fixtures/frameworks/misc/tf-bundle/data/ckpts/ckpt-4';
  const real = new Uint8Array(readFileSync(`${root}.index`));
  const realData = new Uint8Array(readFileSync(`${root}.data-00000-of-00001`));

  it('an index cut anywhere, and any of its fields replaced', async () => {
    const file = builtFile(index, real, { [data]: realData });
    expect(await sweepCuts(file, { edge: 48, nearEdge: 40, headers: 0, rest: 60 })).toBeGreaterThan(100);
    expect(await sweepFields(file, { edge: 8, nearEdge: 60, headers: 0, rest: 80 })).toBeGreaterThan(100);
  });
});
