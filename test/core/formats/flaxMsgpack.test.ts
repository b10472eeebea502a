import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { bytes, concat, patternBytes, utf8 } from '../../builders/byteWriter.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { array, extension, pack, type Value } from '../../builders/msgpackBuilder.js';
import { zarray } from '../../builders/ocdbtBuilder.js';
import { inspectHostile, isNoticed } from '../../hostile/accountable.js';
import { fieldValues, sweepCuts, sweepFields } from '../../hostile/damage.js';
import { builtFile } from '../../hostile/fixtureFiles.js';

async function read(file: Uint8Array, name = 'state.msgpack', log?: ReadLog) {
  const { report, tensors } = await inspectCheckpoint(memoryTree(name, { [name]: file }, log), { path: name });
  return { report, tensors: listTensors(tensors, report.files), codes: report.findings.map(({ code }) => code) };
}

const f32 = (...shape: number[]): Value => array(shape, 'float32', patternBytes(4 * shape.reduce((a, b) => a * b, 1)));

const state: Record<string, Value> = {
  step: 7,
  params: { dense: { kernel: f32(3, 4), bias: array([4], 'bfloat16', patternBytes(8)) } },
  opt_state: { '0': { count: array([], 'int32', patternBytes(4), 3), mu: { dense: { kernel: f32(3, 4) } }, nu: { v: f32(2) } } },
  rng: array([2], 'uint32', patternBytes(8)),
  note: 'of some length that does not fit into the short form',
  lr: 0.5,
  loss: array([], 'float64', patternBytes(8), 3),
  nothing: null,
};

it.each(['model_best_12', 'ckpt-12', 'run12'])(
  'a file with any prefix is known by its content, and its step by its end (%s)',
  async (name) => {
    const { report, tensors } = await read(pack(state), name);
    expect(report).toMatchObject({ layout: 'flax-msgpack', framework: { name: 'flax' }, step: 12 });
    expect(tensors.map(({ component }) => component)).toContain('optimizer');
  },
);

describe('a tree of flax', () => {
  it('has its arrays under their keys, and the numbers beside them', async () => {
    const { tensors, report, codes } = await read(pack(state));
    expect(tensors.map(({ name, dtype, shape, component }) => [name, dtype, shape, component])).toEqual([
      ['params/dense/kernel', 'f32', [3, 4], 'weights'],
      ['params/dense/bias', 'bf16', [4], 'weights'],
      ['opt_state/0/count', 'i32', [], 'optimizer'],
      ['opt_state/0/mu/dense/kernel', 'f32', [3, 4], 'optimizer'],
      ['opt_state/0/nu/v', 'f32', [2], 'optimizer'],
      ['rng', 'u32', [2], 'rng'],
      ['loss', 'f64', [], 'trainerState'],
    ]);
    expect(report.components.weights).toMatchObject({ tensorBytes: 56, logicalBytes: 56 });
    expect(report).toMatchObject({ layout: 'flax-msgpack', parameters: { stored: 16, unique: 16 } });
    expect(report.components.optimizer?.parts).toMatchObject({ firstMoment: 48, secondMoment: 8, otherState: 4 });
    expect(codes).toEqual([]);
  });

  it('joins arrays that were split', async () => {
    const split: Value = {
      __msgpack_chunked_array__: true,
      shape: { '0': 3, '1': 4 },
      chunks: { '0': f32(8), '1': f32(4) },
    };
    const { tensors, codes } = await read(pack({ params: { a: split, b: f32(1) } }));
    expect(tensors).toMatchObject([
      { name: 'params/a', dtype: 'f32', shape: [3, 4], bytes: 48 },
      { name: 'params/b', shape: [1] },
    ]);
    expect(codes).toEqual([]);
  });

  it('of a step has it in its name', async () => {
    expect((await read(pack(state), 'checkpoint_12')).report).toMatchObject({ layout: 'flax-msgpack', step: 12 });
  });

  it('reads a head for each array and nothing of it', async () => {
    const log: ReadLog = { reads: [] };
    const large = f32(100_000);
    await read(pack({ params: { a: large, b: large, c: large } }), 'a.msgpack', log);
    expect(log.reads.length).toBeLessThanOrEqual(5);
    expect(log.reads.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(20_000);
  });

  it('with an array of another size than its shape says is damaged', async () => {
    const { codes, report } = await read(pack({ params: { w: array([5], 'float32', patternBytes(16)) } }));
    expect(codes).toEqual(['tensor-size-mismatch']);
    expect(report.components.weights?.tensorBytes).toBe(16);
  });

  it('with bytes behind it says so', async () => {
    const file = pack(state);
    const { codes, report } = await read(concat(file, patternBytes(9)));
    expect(codes).toEqual(['file-too-long']);
    expect(report.components.unexplained?.otherBytes).toBe(9);
  });
});

describe('a hostile tree', () => {
  it.each([
    ['nested for ever', concat(...Array.from({ length: 5000 }, () => concat(bytes(0x81), pack('a'))))],
    ['an array nested for ever', concat(pack('a'), new Uint8Array(5000).fill(0x91))],
    ['a map of 2^32 members', concat(bytes(0xdf, 0xff, 0xff, 0xff, 0xff), pack('a'), pack(1))],
    ['a text of 2^32 bytes', concat(bytes(0x81), pack('a'), bytes(0xdb, 0xff, 0xff, 0xff, 0xff))],
    ['an array of rank 2^32', pack({ a: extension(concat(bytes(0x93, 0xdd, 0xff, 0xff, 0xff, 0xff))) })],
    ['an array with a shape of texts', pack({ a: extension(pack([['x'], 'float32', patternBytes(4)])) })],
    ['an array that is no tuple', pack({ a: extension(pack(7)) })],
    ['a type that there is not', concat(bytes(0x81), pack('a'), bytes(0xc1))],
    ['a key that is an array', concat(bytes(0x81), pack([1]), pack(1))],
    ['a root that is a number', pack(7)],
    ['nothing', new Uint8Array(0)],
  ])('with %s is a finding', async (_, file) => {
    expect(isNoticed(await inspectHostile(memoryTree('a.msgpack', { 'a.msgpack': file })))).toBe(true);
  });

  it('survives every cut, and says that it was cut', async () => {
    const file = pack(state);
    const budgets = { edge: 16, nearEdge: 60, headers: 0, rest: 100 };
    expect(await sweepCuts(builtFile('a.msgpack', file), budgets)).toBeGreaterThan(100);
  });

  it('survives every field replaced', async () => {
    const file = pack(state);
    const values = [0, 0xff, 0xdf, 0xc6].map((byte) => ({ name: `byte ${byte}`, bytes: bytes(byte) }));
    const budgets = { edge: 8, nearEdge: 60, headers: 0, rest: 150 };
    expect(await sweepFields(builtFile('a.msgpack', file), budgets, { values: [...fieldValues, ...values] })).toBeGreaterThan(
      150,
    );
  });
});

describe('a checkpoint of t5x', () => {
  it('has its large arrays in directories beside the tree', async () => {
    const { report, tensors } = await inspectCheckpoint(
      memoryTree('checkpoint_1000', {
        checkpoint: pack({
          version: 3,
          optimizer: { target: { encoder: 'PLACEHOLDER://target.encoder.kernel' }, state: { step: 1000 } },
        }),
        'target.encoder.kernel/.zarray': zarray([4]),
        'target.encoder.kernel/0': patternBytes(16),
        'state.param_states.encoder.kernel.v_row/.zarray': zarray([2]),
        'state.param_states.encoder.kernel.v_row/0': patternBytes(8),
      }),
      { path: 'checkpoint_1000' },
    );
    expect(report).toMatchObject({ layout: 'flax-msgpack', framework: { name: 't5x' }, step: 1000 });
    expect(listTensors(tensors, report.files).map(({ name, component }) => [name, component])).toEqual([
      ['state.param_states.encoder.kernel.v_row', 'optimizer'],
      ['target.encoder.kernel', 'weights'],
    ]);
    expect(report.findings).toEqual([]);
  });
});

describe('MessagePack without an array is data of another program', () => {
  const table = { name: 'intervals', values: [1.5, 2.5], note: extension(utf8('8 bytes!'), 5) };
  it.each<[what: string, file: Uint8Array]>([
    ['a map', pack(table)],
    ['a list', pack([table, 'a'])],
    ['maps one behind the other', concat(pack(table), pack(table))],
    ['lists one behind the other', concat(pack([1, 2]), pack([]))],
  ])('%s', async (_, file) => {
    for (const name of ['intervals.msgpack', 'intervals.dat']) {
      const { report, codes } = await read(file, name);
      expect(report.resume.verdict, name).not.toBe('broken');
      expect(report.layout, name).toBe('unknown');
      expect(
        codes.filter((code) => code !== 'layout-unknown'),
        name,
      ).toEqual([]);
      expect(codes, name).not.toContain('file-too-long');
      expect(
        report.findings.filter(({ severity }) => severity === 'error'),
        name,
      ).toEqual([]);
    }
  });

  it.each<[what: string, name: string, file: Uint8Array, code: string]>([
    ['a model of transformers', 'flax_model.msgpack', pack(table), 'weights-missing'],
    ['a map, and bytes that are none', 'a.msgpack', concat(pack(table), utf8('text')), 'file-too-long'],
    ['a list that is cut', 'a.msgpack', pack([table, 'a']).subarray(0, -1), 'file-not-its-format'],
    ['a map that is cut', 'a.msgpack', pack(table).subarray(0, -1), 'file-truncated'],
    ['a text', 'a.msgpack', utf8('a note'), 'file-not-its-format'],
  ])('but not %s', async (_, name, file, code) => {
    expect((await read(file, name)).codes).toContain(code);
  });
});
