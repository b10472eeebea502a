/** What pickled objects become: tensors with their storages, values as text, and nothing executed. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import type { ObjectNode } from '../../../src/core/checkpoints/checkpointReport.js';
import { overwrite, patternBytes } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTorchLegacy, buildTorchZip, buildZip, torchRecords } from '../../builders/torchZipBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

async function rootOf(object: Uint8Array, storages: Record<string, Uint8Array | number> = {}): Promise<ObjectNode> {
  const report = await inspectHostile(memoryTree('m', { 'x.pt': buildTorchZip({ pickle: p.pickle(object), storages }) }));
  return report.objects[0]?.root as ObjectNode;
}

const childrenOf = (node: ObjectNode): Record<string, string> =>
  Object.fromEntries((node.children ?? []).map(({ key, text }) => [key, text]));

describe('values', () => {
  it('are shown as Python would', async () => {
    const root = await rootOf(
      p.dict(
        [p.str('lr'), p.float(1e-5)],
        [p.str('one'), p.float(1)],
        [p.str('big'), p.int(2n ** 70n)],
        [p.str('none'), p.none()],
        [p.int(3), p.bool(true)],
        [p.tuple(p.str('a'), p.int(1)), p.str('tuple key')],
      ),
    );
    expect(childrenOf(root)).toEqual({
      lr: '1e-05',
      one: '1.0',
      big: String(2n ** 70n),
      none: 'None',
      '3': 'True',
      '(a, 1)': 'tuple key',
    });
  });

  it('of a Namespace, a device, a path and an enum have their types', async () => {
    const namespace = p.build(p.newobj(p.global('argparse', 'Namespace')), p.dict([p.str('seed'), p.int(7)]));
    const root = await rootOf(
      p.dict(
        [p.str('args'), namespace],
        [p.str('device'), p.reduce(p.global('torch', 'device'), p.tuple(p.str('cuda'), p.int(3)))],
        [p.str('path'), p.reduce(p.global('pathlib', 'PosixPath'), p.tuple(p.str('/'), p.str('data')))],
        [p.str('strategy'), p.reduce(p.global('transformers.trainer_utils', 'SaveStrategy'), p.tuple(p.str('steps')))],
        [p.str('stacked'), p.stackGlobal('torch', 'float32')],
      ),
    );
    expect(childrenOf(root)).toEqual({
      args: '1 entry',
      device: 'cuda, 3',
      path: '/data',
      strategy: 'steps',
      stacked: 'torch.float32',
    });
    expect(root.children?.[0]).toMatchObject({
      kind: 'object',
      type: 'argparse.Namespace',
      children: [{ key: 'seed', text: '7' }],
    });
  });

  it('numpy arrays are values, not tensors', async () => {
    const file = buildTorchZip({
      pickle: p.pickle(p.dict([p.str('a'), p.numpyArray('<f4', [2, 3], patternBytes(24))])),
      storages: {},
    });
    const { report, tensors } = await inspectCheckpoint(memoryTree('m', { 'x.pt': file }), { path: 'm' });
    expect(tensors.size).toBe(0);
    expect(report.objects[0]?.root.children?.[0]).toMatchObject({ kind: 'array', text: 'f4 [2, 3]' });
  });

  it('a shared list is shown at both places', async () => {
    const root = await rootOf(p.dict([p.str('a'), p.put(p.list(p.int(1)), 5)], [p.str('b'), p.get(5)]));
    expect(childrenOf(root)).toEqual({ a: '1 entry', b: '1 entry' });
  });
});

describe('tensors', () => {
  it('of one storage are two names and one extent', async () => {
    const weight = p.torchTensor({ storageType: 'FloatStorage', key: '0', shape: [4, 4] });
    const object = p.dict([p.str('in'), p.torchParameter(weight)], [p.str('out'), p.torchParameter(weight)]);
    const { report, tensors } = await inspectCheckpoint(
      memoryTree('m', { 'x.pt': buildTorchZip({ pickle: p.pickle(object), storages: { 0: 64 } }) }),
      { path: 'm' },
    );
    expect(listTensors(tensors, report.files).map(({ name }) => name)).toEqual(['in', 'out']);
    expect(report.components.weights).toMatchObject({ tensorBytes: 64, tensors: 2 });
    expect(report.parameters.unique).toBe(16);
  });

  it('that reach beyond their storage are found', async () => {
    const tensor = p.torchTensor({ storageType: 'FloatStorage', key: '0', shape: [4, 4], offset: 8, storageNumel: 16 });
    const report = await inspectHostile(
      memoryTree('m', { 'x.pt': buildTorchZip({ pickle: p.pickle(p.dict([p.str('w'), tensor])), storages: { 0: 64 } }) }),
    );
    expect(report.findings.map(({ code }) => code)).toContain('tensor-out-of-range');
  });
});

/** Names and components of the tensors of one pickled object. */
async function namesOf(object: Uint8Array, storages: Record<string, number>): Promise<Record<string, string>> {
  const { report, tensors } = await inspectCheckpoint(
    memoryTree('m', { 'x.pt': buildTorchZip({ pickle: p.pickle(object), storages }) }),
    {
      path: 'm',
    },
  );
  expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return Object.fromEntries(listTensors(tensors, report.files).map(({ name, component }) => [name, component]));
}

const float = (key: string, shape: number[]): Uint8Array => p.torchTensor({ storageType: 'FloatStorage', key, shape });

describe('names', () => {
  it('of a tensor saved by itself are empty', async () => {
    expect(await namesOf(float('0', [4]), { 0: 16 })).toEqual({ '': 'weights' });
  });

  it('of a module are those of its state_dict, whatever its members are called', async () => {
    const moduleOf = (parameters: p.Pair[], modules: p.Pair[]): Uint8Array =>
      p.build(
        p.newobj(p.global('torch.nn.modules.module', 'Module')),
        p.dict([p.str('_parameters'), p.dict(...parameters)], [p.str('_modules'), p.dict(...modules)]),
      );
    const inner = moduleOf([[p.str('weight'), p.torchParameter(float('0', [4]))]], []);
    const model = moduleOf([], [[p.str('optimizer'), moduleOf([], [[p.str('sampler'), inner]])]]);
    expect(await namesOf(p.dict([p.str('net'), model]), { 0: 16 })).toEqual({ 'net.optimizer.sampler.weight': 'weights' });
  });

  it('of what a class was called with, and of a state without names, are positions', async () => {
    const called = p.build(p.reduce(p.global('my', 'Buffer'), p.tuple(float('0', [2]))), p.dict([p.str('size'), p.int(2)]));
    const state = p.build(p.newobj(p.global('my', 'Replay')), p.tuple(p.int(1), p.list(float('1', [2]))));
    expect(await namesOf(p.dict([p.str('a'), called], [p.str('b'), state]), { 0: 8, 1: 8 })).toEqual({
      'a.0': 'weights',
      'b.1.0': 'weights',
    });
  });
});

describe('a number beside the parts of training state', () => {
  const weights = p.dict([p.str('weight'), float('0', [4])]);

  it('is no parameter', async () => {
    const object = p.dict([p.str('state_dict'), weights], [p.str('best_acc1'), float('1', [])]);
    expect(await namesOf(object, { 0: 16, 1: 4 })).toEqual({ 'state_dict.weight': 'weights', best_acc1: 'trainerState' });
  });

  it('is one in a bare state_dict', async () => {
    const object = p.dict([p.str('weight'), float('0', [4])], [p.str('logit_scale'), float('1', [])]);
    expect(await namesOf(object, { 0: 16, 1: 4 })).toEqual({ weight: 'weights', logit_scale: 'weights' });
  });
});

it('settings under `opt` are no optimizer', async () => {
  const settings = p.build(p.newobj(p.global('argparse', 'Namespace')), p.dict([p.str('lr'), p.float(0.1)]));
  const object = p.dict([p.str('model'), p.dict([p.str('weight'), float('0', [4])])], [p.str('opt'), settings]);
  const file = buildTorchZip({ pickle: p.pickle(object), storages: { 0: 16 } });
  expect((await inspectHostile(memoryTree('m', { 'x.pt': file }))).resume.verdict).toBe('weights-only');
});

it('averaged weights beside the model do not take its parameters away', async () => {
  const file = buildTorchZip({ pickle: p.pickle(p.dict([p.str('weight'), float('0', [4])])), storages: { 0: 16 } });
  const report = await inspectHostile(memoryTree('m', { 'ema.pt': file, 'model.pt': file }));
  expect(report.parameters).toMatchObject({ unique: 4 });
  expect(report.components).toMatchObject({ ema: { tensorBytes: 16 }, weights: { tensorBytes: 16 } });
});

describe('exchanged files', () => {
  const archive = (folder: string): Uint8Array =>
    buildTorchZip({ pickle: p.pickle(p.dict([p.str('weight'), float('0', [4])])), storages: { 0: 16 } }, { prefix: folder });
  const codesOf = async (files: Record<string, Uint8Array>): Promise<unknown[]> =>
    (await inspectHostile(memoryTree('m', files))).findings
      .filter(({ code }) => code === 'content-not-its-role')
      .map(({ path }) => path);

  it('each have the name of the other inside', async () => {
    expect(await codesOf({ 'a.pt': archive('b'), 'b.pt': archive('a') })).toEqual(['a.pt', 'b.pt']);
  });

  it.each([
    ['global_step7/bf16_zero_pp_rank_0_mp_rank_00_optim_states', 'global_step7/bf16_zero_pp_rank_1_mp_rank_00_optim_states'],
    ['global_step7/layer_01-model_states', 'global_step7/layer_02-model_states'],
    ['model_world_size_2_rank_0', 'model_world_size_2_rank_1'],
  ])('are also parts of one save that has the name of another part inside: %s', async (first, second) => {
    const content = archive(path.basename(first));
    const own = archive(path.basename(second));
    expect(await codesOf({ [`${first}.pt`]: content, [`${second}.pt`]: content })).toHaveLength(1);
    expect(await codesOf({ [`${first}.pt`]: content, [`${second}.pt`]: own })).toEqual([]);
  });

  it('are also RNG states of Trainer’s processes', async () => {
    const files = fixtureBelow('hf/trainer-ddp-2r');
    const [first, second] = ['checkpoint-2/rng_state_0.pth', 'checkpoint-2/rng_state_1.pth'];
    expect(await codesOf(files)).toEqual([]);
    expect(await codesOf({ ...files, [second]: files[first] as Uint8Array })).toHaveLength(1);
  });

  it('are not those that were renamed or copied', async () => {
    expect(await codesOf({ 'a.pt': archive('a'), 'b.pt': archive('a'), 'c.pt': archive('archive') })).toEqual([]);
  });
});

it('a lost beginning is found where data come before the object', async () => {
  const tensor = p.pickle(p.dict([p.str('weight'), float('0', [4])]));
  const records = torchRecords({ pickle: tensor, storages: { 0: 16 } });
  const file = buildZip([...records].reverse());
  expect((await inspectHostile(memoryTree('m', { 'x.pt': file }))).findings).toEqual([]);
  const report = await inspectHostile(memoryTree('m', { 'x.pt': overwrite(file, 0, new Uint8Array(40)) }));
  expect(report.findings.map(({ code }) => code)).toContain('zip-record-lost');
});

describe('legacy files', () => {
  const object = p.pickle(p.dict([p.str('w'), p.torchTensor({ storageType: 'FloatStorage', key: '94', shape: [6] })]));
  const file = buildTorchLegacy(object, [{ key: '94', numel: 6, data: patternBytes(24) }]);

  it('are read to the byte', async () => {
    const report = await inspectHostile(memoryTree('m', { 'x.pt': file }));
    expect(report.findings).toEqual([]);
    expect(report.files[0]?.format).toBe('torch-legacy');
    expect(report.components.weights).toMatchObject({ tensorBytes: 24, otherBytes: file.byteLength - 24 });
  });

  it('find each storage, also behind one that is no tensor of the state', async () => {
    const module = p.build(
      p.newobj(p.global('my', 'Net')),
      p.dict(
        [p.str('_parameters'), p.dict([p.str('weight'), float('2', [6])])],
        [p.str('_modules'), p.dict()],
        [p.str('cache'), float('1', [3])],
      ),
    );
    const storages = [
      { key: '1', numel: 3, data: patternBytes(12) },
      { key: '2', numel: 6, data: patternBytes(24) },
    ];
    const legacy = buildTorchLegacy(p.pickle(module), storages);
    const report = await inspectHostile(memoryTree('m', { 'x.pt': legacy }));
    expect(report.findings.map(({ code }) => code)).toEqual(['pickle-needs-code']);
    expect(report.components).toMatchObject({ weights: { tensorBytes: 24 }, container: { otherBytes: 12 } });
  });

  it('that are too short or too long are found', async () => {
    const short = await inspectHostile(memoryTree('m', { 'x.pt': file.subarray(0, file.byteLength - 3) }));
    expect(short.findings.map(({ code }) => code)).toContain('file-truncated');
    const long = new Uint8Array(file.byteLength + 5);
    long.set(file);
    expect((await inspectHostile(memoryTree('m', { 'x.pt': long }))).findings.map(({ code }) => code)).toContain('file-too-long');
  });
});
