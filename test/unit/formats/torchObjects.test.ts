/** What pickled objects become: tensors with their storages, values as text, and nothing executed. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspect.js';
import { listTensors } from '../../../src/core/report/json.js';
import type { ObjectNode } from '../../../src/core/report/checkpointReport.js';
import { patternBytes } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTorchLegacy, buildTorchZip } from '../../builders/torchZipBuilder.js';
import { inspectHostile } from '../hostile/accountable.js';

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
    const { report, tensors } = await inspect(memoryTree('m', { 'x.pt': file }), { path: 'm' });
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
    const { report, tensors } = await inspect(
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

describe('legacy files', () => {
  const object = p.pickle(p.dict([p.str('w'), p.torchTensor({ storageType: 'FloatStorage', key: '94', shape: [6] })]));
  const file = buildTorchLegacy(object, [{ key: '94', numel: 6, data: patternBytes(24) }]);

  it('are read to the byte', async () => {
    const report = await inspectHostile(memoryTree('m', { 'x.pt': file }));
    expect(report.findings).toEqual([]);
    expect(report.files[0]?.format).toBe('torch-legacy');
    expect(report.components.weights).toMatchObject({ tensorBytes: 24, otherBytes: file.byteLength - 24 });
  });

  it('that are too short or too long are found', async () => {
    const short = await inspectHostile(memoryTree('m', { 'x.pt': file.subarray(0, file.byteLength - 3) }));
    expect(short.findings.map(({ code }) => code)).toContain('file-truncated');
    const long = new Uint8Array(file.byteLength + 5);
    long.set(file);
    expect((await inspectHostile(memoryTree('m', { 'x.pt': long }))).findings.map(({ code }) => code)).toContain('file-too-long');
  });
});
