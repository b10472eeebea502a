import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { buildSafetensors, buildSafetensorsIndex, type SafetensorsFile } from '../../builders/safetensorsBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const two = { a: { dtype: 'F32', shape: [2, 3] }, b: { dtype: 'BF16', shape: [4] } } as const;

async function codes(file: SafetensorsFile): Promise<string[]> {
  const report = await inspectHostile(memoryTree('m', { 'x.safetensors': buildSafetensors(file) }));
  return report.findings.map((finding) => finding.code);
}

async function tensors(file: SafetensorsFile) {
  const { report, tensors: table } = await inspectOne(memoryTree('m', { 'x.safetensors': buildSafetensors(file) }), {
    path: 'm',
  });
  return listTensors(table, report.files).map(({ name, dtype, shape, bytes }) => ({ name, dtype, shape, bytes }));
}

describe('a shape of more dimensions than are kept', () => {
  it.each([65, 1_000])('of %d is reported with its rank', async (rank) => {
    const shape = Array.from({ length: rank }, () => 1);
    const report = await inspectHostile(
      memoryTree('m', { 'x.safetensors': buildSafetensors({ tensors: { a: { dtype: 'F32', shape } } }) }),
    );
    const finding = report.findings.find(({ code }) => code === 'tensor-rank-limit');
    expect(finding?.message).toContain(rank.toLocaleString('en-US'));
    const [listed] = await tensors({ tensors: { a: { dtype: 'F32', shape } } });
    expect(listed?.shape.length).toBe(limits.tensorRank);
  });
});

it('metadata of more texts than are kept are reported, and the tensors behind them are listed', async () => {
  const metadata = Object.fromEntries(Array.from({ length: limits.headerTexts + 1 }, (_, number) => [`k${number}`, '']));
  expect(await codes({ tensors: two, metadata })).toEqual(['header-too-large']);
  expect((await tensors({ tensors: two, metadata })).map(({ name }) => name)).toEqual(['a', 'b']);
});

describe('headers that are right', () => {
  it('lists tensors as stored', async () => {
    expect(await tensors({ tensors: two, metadata: { format: 'pt' } })).toEqual([
      { name: 'a', dtype: 'f32', shape: [2, 3], bytes: 24 },
      { name: 'b', dtype: 'bf16', shape: [4], bytes: 8 },
    ]);
    expect(await codes({ tensors: two })).toEqual([]);
  });

  it.each([
    ['padding', { tensors: two, headerPadding: 4_000 }],
    ['no alignment', { tensors: two, headerAlignment: 1 }],
    ['no tensors', { header: {} }],
    ['metadata alone', { header: { __metadata__: { format: 'pt' } } }],
    ['unknown fields', { headerText: '{"a":{"extra":[{"x":null}],"shape":[1],"dtype":"U8","data_offsets":[0,1]}}', payload: 1 }],
    [
      'space everywhere',
      { headerText: ' { "a" : { "dtype" : "U8" , "shape" : [ 1 , 1 ] , "data_offsets" : [ 0 , 1 ] } } ', payload: 1 },
    ],
    [
      'the spaces of Python’s json.dumps',
      {
        headerText: '{"__metadata__": {"format": "pt"}, "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}',
        payload: 24,
      },
    ],
    ['an empty tensor', { tensors: { a: { dtype: 'F32', shape: [0, 4] } } }],
    ['a scalar', { tensors: { a: { dtype: 'F64', shape: [] } } }],
  ] as [string, SafetensorsFile][])('takes %s', async (_, file) => {
    expect(await codes(file)).toEqual([]);
  });

  it('resolves escapes in names', async () => {
    const headerText = String.raw`{"q\"\\\u00e9\n":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`;
    expect(await tensors({ headerText, payload: 1 })).toMatchObject([{ name: 'q"\\é\n' }]);
  });

  it('knows every dtype of the reference', async () => {
    const names =
      'BOOL F4 F6_E2M3 F6_E3M2 U8 I8 F8_E5M2 F8_E4M3 F8_E8M0 F8_E4M3FNUZ F8_E5M2FNUZ I16 U16 F16 BF16 I32 U32 F32 C64 F64 I64 U64'.split(
        ' ',
      );
    expect(await codes({ tensors: Object.fromEntries(names.map((dtype) => [dtype, { dtype, shape: [8] }])) })).toEqual([]);
  });
});

describe('headers that are wrong', () => {
  it.each([
    [
      'a hole',
      {
        tensors: { a: { dtype: 'U8', shape: [4], offsets: [0, 4] }, b: { dtype: 'U8', shape: [4], offsets: [8, 12] } },
        payload: 12,
      },
      'tensor-gap',
    ],
    [
      'an overlap',
      {
        tensors: { a: { dtype: 'U8', shape: [4], offsets: [0, 4] }, b: { dtype: 'U8', shape: [4], offsets: [2, 6] } },
        payload: 6,
      },
      'tensor-overlap',
    ],
    ['offsets beyond the end', { tensors: { a: { dtype: 'U8', shape: [9] } }, payload: 4 }, 'file-truncated'],
    ['bytes behind the end', { tensors: two, trailing: new Uint8Array(9) }, 'file-too-long'],
    [
      'a size that does not fit the shape',
      { tensors: { a: { dtype: 'F32', shape: [3], offsets: [0, 8] } }, payload: 8 },
      'tensor-size-mismatch',
    ],
    ['reversed offsets', { tensors: { a: { dtype: 'U8', shape: [4], offsets: [4, 0] } }, payload: 4 }, 'tensor-size-mismatch'],
    [
      'a shape that overflows',
      { headerText: '{"a":{"dtype":"U8","shape":[9007199254740991,9007199254740991],"data_offsets":[0,1]}}', payload: 1 },
      'tensor-shape-overflow',
    ],
    ['an unknown dtype', { headerText: '{"a":{"dtype":"Q9","shape":[1],"data_offsets":[0,1]}}', payload: 1 }, 'dtype-unknown'],
    [
      'a name twice',
      {
        headerText: '{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}',
        payload: 2,
      },
      'tensor-name-duplicate',
    ],
    [
      'a float in a shape',
      { headerText: '{"a":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}}', payload: 1 },
      'header-corrupt',
    ],
    ['broken JSON', { headerText: '{"a":{"dtype":"U8"', payload: 1 }, 'header-corrupt'],
    ['metadata that is no text', { headerText: '{"__metadata__":{"a":1}}' }, 'header-corrupt'],
    [
      'wrong UTF-8',
      {
        headerBytes: Uint8Array.from([
          ...new TextEncoder().encode('{"a'),
          0xff,
          ...new TextEncoder().encode('":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}'),
        ]),
        payload: 1,
      },
      'header-corrupt',
    ],
  ] as [string, SafetensorsFile, string][])('finds %s', async (_, file, code) => {
    expect(await codes(file)).toContain(code);
  });

  it('reports an unknown dtype once for a tensor, however its header is written', async () => {
    const headerText = '{"a":{"dtype":"Q9","shape":[1], "data_offsets":[0,1]}}';
    expect(await codes({ headerText, payload: 1 })).toEqual(['dtype-unknown']);
  });

  it('says at which byte the header broke', async () => {
    const report = await inspectHostile(memoryTree('m', { 'x.safetensors': buildSafetensors({ headerText: '{"a":1}' }) }));
    expect(report.findings[0]).toMatchObject({ code: 'header-corrupt', path: 'x.safetensors', offset: 8 + 5 });
  });
});

describe('what is read', () => {
  it('a declared header of 500 MiB in 16 bytes is refused after one read of 8 bytes and a look at the file', async () => {
    const log: ReadLog = { reads: [] };
    const file = new Uint8Array(16);
    new DataView(file.buffer).setBigUint64(0, 500n * 1024n * 1024n, true);
    const tree = memoryTree('m', { 'x.safetensors': file }, log);
    const { report } = await inspectOne(tree, { path: 'm' });
    expect(report.findings.map((finding) => finding.code)).toEqual(['file-truncated']);
    expect(Math.max(...log.reads.map((read) => read.length))).toBeLessThanOrEqual(16);
  });

  it('two reads a shard, and no byte of payload', async () => {
    const log: ReadLog = { reads: [] };
    const shard = buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [1000, 100] } } });
    const headerBytes = shard.byteLength - 400_000;
    const { report } = await inspectOne(memoryTree('m', { 'model-00001-of-00001.safetensors': shard }, log), { path: 'm' });
    expect(log.reads).toHaveLength(2);
    expect(report.io.bytesRead).toBe(headerBytes);
  });
});

describe('the index', () => {
  const shard = (name: string): Uint8Array => buildSafetensors({ tensors: { [name]: { dtype: 'F32', shape: [2] } } });
  const first = 'model-00001-of-00002.safetensors';
  const second = 'model-00002-of-00002.safetensors';
  const index = 'model.safetensors.index.json';
  const found = async (files: Record<string, Uint8Array>): Promise<string[]> =>
    (await inspectHostile(memoryTree('m', files))).findings.map(({ code }) => code);

  it('agrees with its shards', async () => {
    expect(
      await found({ [first]: shard('a'), [second]: shard('b'), [index]: buildSafetensorsIndex({ a: first, b: second }, 16) }),
    ).toEqual([]);
  });

  it.each([
    [
      'a shard that is not there',
      { [first]: shard('a'), [index]: buildSafetensorsIndex({ a: first, b: second }, 16) },
      'index-shard-missing',
    ],
    [
      'a tensor that its shard does not have',
      { [first]: shard('a'), [second]: shard('c'), [index]: buildSafetensorsIndex({ a: first, b: second }, 16) },
      'index-tensor-missing',
    ],
    [
      'a tensor that it does not list',
      { [first]: shard('a'), [second]: shard('b'), [index]: buildSafetensorsIndex({ a: first }, 16) },
      'index-tensor-unlisted',
    ],
    [
      'another total size',
      { [first]: shard('a'), [second]: shard('b'), [index]: buildSafetensorsIndex({ a: first, b: second }, 17) },
      'index-total-size-differs',
    ],
    [
      'a path outside',
      { [first]: shard('a'), [index]: buildSafetensorsIndex({ a: first, b: '../../etc/passwd' }, 8) },
      'index-path-unsafe',
    ],
    [
      'two shards exchanged',
      { [first]: shard('b'), [second]: shard('a'), [index]: buildSafetensorsIndex({ a: first, b: second }, 16) },
      'index-tensor-missing',
    ],
    [
      'bytes behind its end',
      {
        [first]: shard('a'),
        [second]: shard('b'),
        [index]: Uint8Array.from([...buildSafetensorsIndex({ a: first, b: second }, 16), 1, 2, 3]),
      },
      'json-corrupt',
    ],
    [
      'itself broken',
      { [first]: shard('a'), [second]: shard('b'), [index]: new TextEncoder().encode('{"weight_map":{"a"') },
      'json-corrupt',
    ],
  ])('finds %s', async (_, files, code) => {
    expect(await found(files as unknown as Record<string, Uint8Array>)).toContain(code);
  });

  it('misses a shard without an index too', async () => {
    expect(await found({ [first]: shard('a') })).toContain('shard-missing');
  });
});
