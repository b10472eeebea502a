import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { bytes, concat, patternBytes, u32, utf8 } from '../../builders/byteWriter.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { protoField, varint } from '../../builders/tensorBundleBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

interface Initializer {
  name?: string;
  type?: number;
  shape?: readonly number[];
  raw?: Uint8Array;
  /** Another field, such as `int32_data`. */
  field?: Uint8Array;
  external?: Record<string, string>;
}

function initializer({ name = 'fc.weight', type = 1, shape = [4], raw, field, external }: Initializer): Uint8Array {
  const entries = Object.entries(external ?? {}).map(([key, value]) =>
    protoField(13, concat(protoField(1, utf8(key)), protoField(2, utf8(value)))),
  );
  return concat(
    ...shape.map((size) => protoField(1, size)),
    protoField(2, type),
    protoField(8, utf8(name)),
    raw === undefined ? new Uint8Array(0) : protoField(9, raw),
    field ?? new Uint8Array(0),
    ...entries,
    external === undefined ? new Uint8Array(0) : protoField(14, 1),
  );
}

const opset = protoField(8, protoField(2, 17));

function model(initializers: readonly Initializer[], extra: Uint8Array = new Uint8Array(0)): Uint8Array {
  const graph = concat(protoField(2, utf8('g')), ...initializers.map((each) => protoField(5, initializer(each))), extra);
  return concat(protoField(1, 9), protoField(2, utf8('pytorch')), protoField(3, utf8('2.15')), protoField(7, graph), opset);
}

async function inspectModel(files: Record<string, Uint8Array>) {
  const { report, tensors } = await inspectCheckpoint(memoryTree('m', files), { path: 'm' });
  return { report, tensors: listTensors(tensors, report.files), codes: report.findings.map(({ code }) => code) };
}

describe('models', () => {
  it('say who wrote them and hold their data in several ways', async () => {
    const { report, tensors, codes } = await inspectModel({
      'model.onnx': model([
        { name: 'a.weight', raw: patternBytes(16) },
        { name: 'b.weight', type: 7, shape: [2], field: protoField(7, concat(varint(1), varint(300))) },
        { name: 'c.weight', type: 22, shape: [3], raw: patternBytes(2) },
      ]),
    });
    expect(codes).toEqual([]);
    expect(report).toMatchObject({ layout: 'onnx', framework: { name: 'pytorch', version: '2.15' } });
    expect(tensors).toMatchObject([
      { name: 'a.weight', dtype: 'f32', shape: [4], bytes: 16 },
      { name: 'b.weight', dtype: 'i64', shape: [2], bytes: 16 },
      { name: 'c.weight', dtype: 'i4', shape: [3], bytes: 2 },
    ]);
    // Two numbers of 8 bytes lie there as varints of 1 and 2 bytes.
    expect(report.components.weights).toMatchObject({ tensorBytes: 21, logicalBytes: 34 });
  });

  it('step over data and large nodes', async () => {
    const log: ReadLog = { reads: [] };
    const node = protoField(1, new Uint8Array(1 << 20));
    const file = model([{ shape: [1 << 18], raw: new Uint8Array(1 << 20) }], node);
    await inspectHostile(memoryTree('m.onnx', { 'm.onnx': file }, log));
    expect(log.reads.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(20_000);
  });
});

/** A NodeProto with these inputs and whole-number attributes. */
function node(
  operator: string,
  inputs: readonly string[],
  attributes: Readonly<Record<string, number>> = {},
  output = 'out',
): Uint8Array {
  const numbers = Object.entries(attributes).map(([name, value]) =>
    protoField(5, concat(protoField(1, utf8(name)), protoField(3, value), protoField(20, 2))),
  );
  return protoField(
    1,
    concat(
      ...inputs.map((name) => protoField(1, utf8(name))),
      protoField(2, utf8(output)),
      protoField(4, utf8(operator)),
      ...numbers,
    ),
  );
}

describe('quantized weights count by their logical shape, scales and zero points do not', () => {
  const zeros = (name: string, type: number, shape: readonly number[], raw: number): Initializer => ({
    name,
    type,
    shape,
    raw: new Uint8Array(raw),
  });
  it.each([
    [
      'QDQ int8, with an int32 bias and scales of activations',
      [
        zeros('w', 3, [40, 60], 2400),
        zeros('s', 1, [40], 160),
        zeros('z', 3, [40], 40),
        zeros('b', 6, [40], 160),
        zeros('a', 1, [], 4),
      ],
      [node('QuantizeLinear', ['x', 'a', '']), node('DequantizeLinear', ['w', 's', 'z']), node('DequantizeLinear', ['b', 'a'])],
      2440,
    ],
    ['QDQ int4', [zeros('w', 22, [40, 60], 1200), zeros('s', 1, [40], 160)], [node('DequantizeLinear', ['w', 's'])], 2400],
    [
      'MatMulNBits',
      [zeros('w', 2, [40, 2, 16], 1280), zeros('s', 1, [80], 320), zeros('z', 2, [40], 40)],
      [node('MatMulNBits', ['x', 'w', 's', 'z'], { K: 60, N: 40, bits: 4, block_size: 32 })],
      2400,
    ],
    [
      'GatherBlockQuantized',
      [zeros('w', 2, [40, 30], 1200), zeros('s', 1, [40], 160)],
      [node('GatherBlockQuantized', ['w', 'ids', 's'], { bits: 4 })],
      2400,
    ],
    [
      'QLinearConv',
      [zeros('w', 3, [4, 3, 2, 2], 48), ...['as', 'ws', 'ys'].map((name) => zeros(name, 1, [], 4)), zeros('b', 6, [4], 16)],
      [node('QLinearConv', ['x', 'as', 'az', 'w', 'ws', 'wz', 'ys', 'yz', 'b'])],
      52,
    ],
    [
      'DynamicQuantizeLSTM',
      [
        zeros('w', 3, [1, 8, 32], 256),
        zeros('r', 2, [1, 8, 32], 256),
        zeros('b', 1, [1, 64], 256),
        ...['ws', 'rs'].map((name) => zeros(name, 1, [1, 32], 128)),
        ...['wz', 'rz'].map((name) => zeros(name, 2, [1], 1)),
      ],
      [node('DynamicQuantizeLSTM', ['x', 'w', 'r', 'b', '', '', '', '', 'ws', 'wz', 'rs', 'rz'])],
      576,
    ],
    [
      'QAttention',
      [
        zeros('w', 2, [8, 24], 192),
        zeros('b', 1, [24], 96),
        zeros('xs', 1, [], 4),
        zeros('ws', 1, [24], 96),
        zeros('wz', 2, [], 1),
      ],
      [node('QAttention', ['x', 'w', 'b', 'xs', 'ws', '', '', 'wz'])],
      216,
    ],
    [
      'QEmbedLayerNormalization',
      [
        ...['word', 'position', 'gamma', 'beta'].map((name) => zeros(name, 2, [10, 4], 40)),
        ...['ws', 'ps', 'gs', 'bs'].map((name) => zeros(name, 1, [], 4)),
      ],
      [node('QEmbedLayerNormalization', ['x', '', 'word', 'position', '', 'gamma', 'beta', '', 'ws', 'ps', '', 'gs', 'bs'])],
      160,
    ],
    [
      'QOrderedMatMul',
      [zeros('w', 3, [4, 8], 32), zeros('b', 1, [8], 32), ...['as', 'ws', 'ys'].map((name) => zeros(name, 1, [8], 32))],
      [node('QOrderedMatMul', ['x', 'as', 'w', 'ws', 'ys', 'b'])],
      40,
    ],
    [
      'QGemm',
      [zeros('w', 3, [4, 8], 32), zeros('b', 6, [8], 32), ...['as', 'ws', 'ys'].map((name) => zeros(name, 1, [], 4))],
      [node('QGemm', ['x', 'as', 'az', 'w', 'ws', 'wz', 'b', 'ys', 'yz'])],
      40,
    ],
    [
      'MatMulInteger and DynamicQuantizeMatMul',
      [zeros('v', 3, [4, 8], 32), zeros('w', 2, [8, 4], 32), zeros('ws', 1, [4], 16), zeros('vz', 3, [], 1)],
      [node('MatMulInteger', ['x', 'v', 'xz', 'vz']), node('DynamicQuantizeMatMul', ['y', 'w', 'ws'])],
      64,
    ],
    [
      'QLinearAdd and QLinearConcat',
      [zeros('w', 2, [4, 8], 32), zeros('v', 2, [4, 8], 32), ...['as', 'bs', 'cs', 'ys'].map((name) => zeros(name, 1, [3], 12))],
      [
        node('QLinearAdd', ['x', 'as', 'az', 'w', 'bs', 'bz', 'cs', 'cz']),
        node('QLinearConcat', ['ys', 'yz', 'q', 'as', 'az', 'v', 'bs', 'bz']),
      ],
      64,
    ],
    [
      'an embedding that is gathered, then unpacked',
      [zeros('w', 2, [100, 8], 800), zeros('s', 1, [8], 32), zeros('z', 2, [], 1)],
      [
        node('Gather', ['w', 'ids'], {}, 'rows'),
        node('Identity', ['rows'], {}, 'same'),
        node('DequantizeLinear', ['same', 's', 'z']),
      ],
      800,
    ],
    [
      'a shape that an operator reads',
      [zeros('shape', 7, [2], 16), zeros('w', 1, [3], 12)],
      [node('Reshape', ['w', 'shape'])],
      3,
    ],
  ] as [string, Initializer[], Uint8Array[], number][])('%s', async (_, initializers, nodes, unique) => {
    const { report } = await inspectModel({ 'model.onnx': model(initializers, concat(...nodes)) });
    expect(report.parameters.unique).toBe(unique);
  });

  it('and a damaged node takes nothing with it', async () => {
    const file = model([zeros('w', 1, [3], 12)], protoField(1, new Uint8Array([0x0a, 0x7f, 0x01])));
    expect((await inspectModel({ 'model.onnx': file })).report.parameters.unique).toBe(3);
  });
});

describe('external data', () => {
  const external = (location: string, offset = 0): Initializer => ({
    external: { location, offset: String(offset), length: '16' },
  });

  it('may have any name', async () => {
    const { report, codes } = await inspectModel({ 'm.onnx': model([external('fc.weight')]), 'fc.weight': patternBytes(16) });
    expect(codes).toEqual([]);
    expect(report.files.find(({ path }) => path === 'fc.weight')).toMatchObject({
      role: 'data of m.onnx',
      components: { weights: 16 },
    });
  });

  it('may be called as torch files are', async () => {
    const { report, codes } = await inspectModel({ 'm.onnx': model([external('w.bin')]), 'w.bin': patternBytes(16) });
    expect(codes).toEqual([]);
    expect(report.components.weights).toMatchObject({ tensorBytes: 16 });
  });

  it.each([
    ['case', 'M.data', 'm.data'],
    ['normal form', 'mod\u00e8le.data', 'mode\u0300le.data'],
  ])('is matched where the name differs in %s, with a finding', async (_, named, file) => {
    const { report, codes } = await inspectModel({ 'm.onnx': model([external(named)]), [file]: patternBytes(16) });
    expect(codes).toEqual(['index-shard-spelled-otherwise']);
    expect(report.files.find(({ path }) => path === file)?.role).toBe('data of m.onnx');
  });

  it.each<[string, string, Initializer, Record<string, Uint8Array>]>([
    ['that is missing', 'index-shard-missing', external('m.data'), {}],
    ['that ends early', 'file-truncated', external('m.data', 8), { 'm.data': patternBytes(16) }],
    ['with bytes of no tensor', 'file-too-long', external('m.data'), { 'm.data': patternBytes(100_000) }],
    ['outside of the directory', 'index-path-unsafe', external('../m.data'), { 'm.data': patternBytes(16) }],
    [
      'at an offset that is none',
      'header-corrupt',
      { external: { location: 'm.data', offset: '-1' } },
      { 'm.data': patternBytes(16) },
    ],
    [
      'of another size',
      'tensor-size-mismatch',
      { external: { location: 'm.data', length: '8' } },
      { 'm.data': patternBytes(16) },
    ],
  ])('%s', async (_, code, tensor, files) => {
    const report = await inspectHostile(memoryTree('m', { 'm.onnx': model([tensor]), ...files }));
    expect(report.findings.map((finding) => finding.code)).toContain(code);
  });

  it('is not missed where the model alone is inspected', async () => {
    const report = await inspectHostile(memoryTree('m.onnx', { 'm.onnx': model([external('m.data')]) }));
    expect(report.findings.map(({ code }) => code)).not.toContain('index-shard-missing');
  });

  it('that no model refers to stays unexplained', async () => {
    const { report } = await inspectModel({ 'm.onnx': model([{ raw: patternBytes(16) }]), other: patternBytes(50) });
    expect(report.components.unexplained?.otherBytes).toBe(50);
  });
});

describe('damage', () => {
  it.each<[string, string, Uint8Array]>([
    ['another file', 'file-not-its-format', utf8('this is no model')],
    ['no graph', 'header-corrupt', concat(protoField(1, 9), opset)],
    ['a field beyond its message', 'header-corrupt', concat(protoField(1, 9), protoField(7, bytes(0x2a, 100)), opset)],
    ['a shape that overflows', 'tensor-size-mismatch', model([{ shape: [2 ** 40, 2 ** 12], raw: patternBytes(16) }])],
    ['raw data of another size', 'tensor-size-mismatch', model([{ raw: patternBytes(12) }])],
    ['a wire type that is none', 'header-corrupt', concat(protoField(1, 9), bytes(0x0f), u32(0))],
    ['a name of a megabyte', 'header-too-large', model([{ name: 'x'.repeat(1 << 20), raw: patternBytes(16) }])],
  ])('%s', async (_, code, file) => {
    const report = await inspectHostile(memoryTree('m', { 'm.onnx': file }));
    expect(report.findings.map((finding) => finding.code)).toContain(code);
  });

  it('of one model leaves the others', async () => {
    const { tensors, codes } = await inspectModel({ 'a.onnx': utf8('no model'), 'b.onnx': model([{ raw: patternBytes(16) }]) });
    expect(codes).toEqual(['file-not-its-format']);
    expect(tensors).toHaveLength(1);
  });
});

describe('weights in nodes', () => {
  const attribute = (name: string, field: number, value: Uint8Array): Uint8Array =>
    protoField(5, concat(protoField(1, utf8(name)), protoField(field, value)));
  const nodeOf = (operator: string, output: string, ...attributes: Uint8Array[]): Uint8Array =>
    protoField(1, concat(protoField(2, utf8(output)), protoField(4, utf8(operator)), ...attributes));
  const constant = (output: string, tensor: Initializer): Uint8Array =>
    nodeOf('Constant', output, attribute('value', 5, initializer({ name: '', ...tensor })));
  const weight = { shape: [4], raw: patternBytes(16) };

  it('are those of Constant, in the graph, in branches and in functions, and initializers of branches', async () => {
    const branch = concat(constant('w', weight), protoField(5, initializer({ ...weight, name: 'own' })));
    const branches = nodeOf('If', 'out', attribute('then_branch', 6, branch), attribute('else_branch', 6, branch));
    const functions = protoField(25, concat(protoField(1, utf8('norm')), protoField(7, constant('scale', weight).subarray(2))));
    const file = concat(model([], concat(constant('top', weight), branches)), functions);
    const { report, tensors, codes } = await inspectModel({ 'model.onnx': file });
    expect(codes).toEqual([]);
    expect(tensors.map(({ name }) => name).sort()).toEqual([
      'norm.scale',
      'out.else_branch.own',
      'out.else_branch.w',
      'out.then_branch.own',
      'out.then_branch.w',
      'top',
    ]);
    expect(report.parameters.stored).toBe(24);
    expect(report.resume.verdict).toBe('weights-only');
  });

  it('are neither scalars, nor sizes and axes, nor values of other operators', async () => {
    const other = nodeOf('ConstantOfShape', 'zeros', attribute('value', 5, initializer(weight)));
    const sizes = concat(
      constant('epsilon', { shape: [], raw: patternBytes(4) }),
      constant('axes', { type: 7, shape: [2], raw: patternBytes(16) }),
    );
    const { tensors } = await inspectModel({ 'model.onnx': model([weight], concat(sizes, other)) });
    expect(tensors.map(({ name }) => name)).toEqual(['fc.weight']);
  });

  it('may be none: a graph of operators alone is valid', async () => {
    const { report, codes } = await inspectModel({ 'model.onnx': model([], nodeOf('Relu', 'y')) });
    expect(codes).toEqual([]);
    expect(report.resume.verdict).toBe('none');
    expect(report.components.weights).toBeUndefined();
  });
});
