import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { concat, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { buildGguf, ggufText, ggufValue, type GgufOptions } from '../../builders/ggufBuilder.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

const tensor = { name: 'w', dimensions: [4, 2], type: 0, offset: 0 };
const data = new Uint8Array(32);

async function findingsOf(options: GgufOptions): Promise<string[]> {
  const report = await inspectHostile(memoryTree('a.gguf', { 'a.gguf': buildGguf(options) }));
  return report.findings.map((finding) => finding.code);
}

describe('versions', () => {
  it.each([1, 2, 3] as const)('version %i', async (version) => {
    const tree = memoryTree('a.gguf', { 'a.gguf': buildGguf({ version, tensors: [tensor], data }) });
    const { report, tensors } = await inspectCheckpoint(tree, { path: 'a.gguf' });
    expect(report.findings).toEqual([]);
    expect(report.framework).toEqual({ name: 'gguf', version: String(version) });
    expect(listTensors(tensors, report.files)).toMatchObject([{ name: 'w', dtype: 'f32', shape: [2, 4], bytes: 32 }]);
  });

  it('version 4 is not read', async () => {
    const file = buildGguf({ tensors: [tensor], data });
    file[4] = 4;
    const report = await inspectHostile(memoryTree('a.gguf', { 'a.gguf': file }));
    expect(report.findings.map((finding) => finding.code)).toContain('unsupported-version');
  });
});

it('needs no padding where no tensor follows', async () => {
  const options: GgufOptions = {
    keyValues: [['general.architecture', ggufValue.text('bert')]],
    tensors: [],
    data: new Uint8Array(),
  };
  const padded = buildGguf(options);
  const header = 24 + 8 + 'general.architecture'.length + 4 + 8 + 'bert'.length;
  for (const file of [padded, padded.subarray(0, header)]) {
    const report = await inspectHostile(memoryTree('a.gguf', { 'a.gguf': file }));
    expect(report.findings.map(({ code }) => code)).not.toContain('file-truncated');
  }
});

describe('types', () => {
  it('tells the size of an unknown type by the next tensor', async () => {
    const tensors = [
      { ...tensor, type: 99 },
      { ...tensor, name: 'v', offset: 32 },
    ];
    const tree = memoryTree('a.gguf', { 'a.gguf': buildGguf({ tensors, data: new Uint8Array(64) }) });
    const { report, tensors: table } = await inspectCheckpoint(tree, { path: 'a.gguf' });
    expect(report.findings.map((finding) => finding.code)).toEqual(['dtype-unknown']);
    expect(listTensors(table, report.files)[0]).toMatchObject({ dtype: 'ggml_type_99', bytes: 32 });
  });

  it('names a removed type', async () => {
    const tree = memoryTree('a.gguf', { 'a.gguf': buildGguf({ tensors: [{ ...tensor, type: 4 }], data }) });
    const { report } = await inspectCheckpoint(tree, { path: 'a.gguf' });
    expect(report.findings[0]?.message).toContain('q4_2');
  });
});

describe('key-values', () => {
  it('shows long arrays by their length and first entries, and short floats', async () => {
    const keyValues = [
      ['general.architecture', ggufValue.text('llama')],
      ['general.file_type', ggufValue.u32(15)],
      ['scale_base', { type: 6, bytes: new Uint8Array(Float32Array.of(1e-5).buffer) }],
      ['huge', { type: 10, bytes: u64(2n ** 64n - 1n) }],
      [
        'tokens',
        ggufValue.array(
          8,
          Array.from({ length: 5000 }, (_, index) => ggufText(`t${index}`)),
        ),
      ],
    ] as const;
    const tree = memoryTree('a.gguf', { 'a.gguf': buildGguf({ keyValues, tensors: [tensor], data }) });
    const { report } = await inspectCheckpoint(tree, { path: 'a.gguf' });
    const children = report.objects[0]?.root.children ?? [];
    expect(children.find(({ key }) => key === 'tokens')).toMatchObject({ kind: 'list', count: 5000, text: '5000 entries' });
    expect(children.find(({ key }) => key === 'scale_base')?.text).toBe('0.00001');
    expect(children.find(({ key }) => key === 'huge')?.text).toBe('18446744073709551615');
    expect(report.facts).toMatchObject([{ value: 'llama' }, { value: 'mostly Q4_K, medium' }]);
  });

  it('a key that is there twice is damage', async () => {
    const keyValues = [
      ['__proto__', ggufValue.u8(1)],
      ['__proto__', ggufValue.u8(2)],
    ] as const;
    expect(await findingsOf({ keyValues, tensors: [tensor], data })).toEqual(['header-corrupt']);
  });

  it('reads no more of the file than twice its header', async () => {
    const log: ReadLog = { reads: [] };
    const tokens = ggufValue.array(
      8,
      Array.from({ length: 40_000 }, (_, index) => ggufText(`token${index}`)),
    );
    const large = { ...tensor, dimensions: [1024, 1024] };
    const file = buildGguf({ keyValues: [['t', tokens]], tensors: [large], data: new Uint8Array(4 << 20) });
    await inspectHostile(memoryTree('a.gguf', { 'a.gguf': file }, log));
    const bytesRead = log.reads.reduce((sum, { length }) => sum + length, 0);
    expect(bytesRead).toBeLessThanOrEqual(2 * (file.byteLength - (4 << 20)));
    expect(log.reads.length).toBeLessThan(6);
  });
});

describe('budgets', () => {
  it('a header of more key-values than are read is reported, and those before are shown', async () => {
    const keyValue = (number: number): Uint8Array => concat(ggufText(`k${number}`), u32(0), Uint8Array.of(1));
    const count = limits.ggufKeys + 1;
    const file = concat(
      utf8('GGUF'),
      u32(3),
      u64(0),
      u64(count),
      ...Array.from({ length: count }, (_, number) => keyValue(number)),
    );
    const report = await inspectHostile(memoryTree('model', { 'model.gguf': file }));
    expect(report.findings).toContainEqual(expect.objectContaining({ code: 'header-too-large' }));
    expect(report.objects[0]?.root.count).toBe(limits.ggufKeys);
  });
});

describe('damage', () => {
  it.each<[string, string, GgufOptions]>([
    ['a hole', 'tensor-gap', { tensors: [{ ...tensor, offset: 64 }], data: new Uint8Array(96) }],
    ['an overlap', 'tensor-overlap', { tensors: [tensor, { ...tensor, name: 'v', offset: 0 }], data }],
    ['missing data', 'file-truncated', { tensors: [tensor], data: new Uint8Array(16) }],
    ['missing padding', 'file-truncated', { tensors: [{ ...tensor, dimensions: [3] }], data: new Uint8Array(12) }],
    ['data of no tensor', 'file-too-long', { tensors: [tensor], data: new Uint8Array(96) }],
    ['a shape that overflows', 'tensor-shape-overflow', { tensors: [{ ...tensor, dimensions: [2n ** 52n, 2n ** 52n] }], data }],
    ['a million dimensions', 'header-corrupt', { tensors: [{ ...tensor, dimensions: new Array<number>(100).fill(1) }], data }],
    ['more tensors than bytes', 'file-truncated', { tensors: [tensor], data, tensorCount: 2n ** 40n }],
    ['a count beyond 2^53', 'header-corrupt', { tensors: [tensor], data, keyValueCount: 2n ** 63n }],
    ['a text of 2^50 bytes', 'file-truncated', { keyValues: [['a', ggufValue.text('b', 2n ** 50n)]], data }],
    ['an array of 2^50 u8', 'file-truncated', { keyValues: [['a', ggufValue.array(0, [], 2n ** 50n)]], data }],
    ['an alignment of 3', 'header-corrupt', { keyValues: [['general.alignment', ggufValue.u32(3)]], tensors: [tensor], data }],
    ['a value type that is none', 'header-corrupt', { keyValues: [['a', { type: 77, bytes: u32(0) }]], data }],
  ])('%s', async (_, code, options) => {
    expect(await findingsOf(options)).toContain(code);
  });

  it('arrays in arrays end', async () => {
    const nested = concat(...Array.from({ length: 50 }, () => concat(u32(9), u64(1))), u32(0), u64(0));
    expect(await findingsOf({ keyValues: [['a', { type: 9, bytes: nested }]], tensors: [tensor], data })).toContain(
      'header-corrupt',
    );
  });

  it('a split that is not here is named', async () => {
    const file = buildGguf({ tensors: [tensor], data });
    const report = await inspectHostile(memoryTree('m', { 'm-00001-of-00003.gguf': file, 'm-00003-of-00003.gguf': file }));
    const missing = report.findings.find((finding) => finding.code === 'shard-missing');
    expect(missing?.message).toContain('number 2');
    expect(report.layout).toBe('gguf');
  });

  it('a GGUF of another name is known by its first bytes', async () => {
    const report = await inspectHostile(memoryTree('d', { blob: buildGguf({ tensors: [tensor], data }) }));
    expect(report.files[0]?.format).toBe('gguf');
    expect((await inspectHostile(memoryTree('d', { 'x.gguf': utf8('not at all') }))).findings[0]?.code).toBe(
      'file-not-its-format',
    );
  });
});
