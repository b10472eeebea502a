import { describe, expect, it } from 'vitest';
import { endOfArrayName, isChunkKey, parseZarr } from '../../../src/core/formats/zarr.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { patternBytes, utf8 } from '../../builders/byteWriter.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { zarray } from '../../builders/ocdbtBuilder.js';
import { inspectHostile } from '../../hostile/accountable.js';

const json = (value: unknown): Uint8Array => utf8(JSON.stringify(value));

const version3 = (overrides: object = {}): Uint8Array =>
  json({
    zarr_format: 3,
    node_type: 'array',
    shape: [4, 6],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 6] } },
    codecs: [{ name: 'bytes' }],
    ...overrides,
  });

async function read(files: Record<string, Uint8Array>, rootName = 'step-5') {
  const { report, tensors } = await inspectOne(memoryTree(rootName, files), { path: rootName });
  const rows = listTensors(tensors, report.files).map(({ name, shape, bytes, component }) => ({ name, shape, bytes, component }));
  return { rows, report, codes: report.findings.map(({ code }) => code).filter((code) => code !== 'layout-unknown') };
}

describe('metadata', () => {
  it.each([
    ['<f4', 'f32', 4],
    ['|b1', 'bool', 1],
    ['<c16', 'c128', 16],
    ['bfloat16', 'bf16', 2],
    ['float8_e4m3fn', 'f8_e4m3', 1],
    ['int4', 'i4', 1],
  ])('of version 2 with %s', (dtype, ours, bytesEach) => {
    const array = parseZarr(json({ zarr_format: 2, dtype, shape: [3, 2], chunks: [2, 2], compressor: null, filters: null }));
    expect(array).toMatchObject({
      dtype: ours,
      shape: [3, 2],
      bytes: 6 * bytesEach,
      chunkBytes: 4 * bytesEach,
      chunks: 2,
      isEncoded: false,
    });
  });

  it('of version 3', () => {
    expect(parseZarr(version3())).toMatchObject({ dtype: 'f32', bytes: 96, chunks: 2, isEncoded: false });
    expect(parseZarr(version3({ codecs: [{ name: 'sharding_indexed' }] }))?.isEncoded).toBe(true);
    expect(parseZarr(version3({ data_type: { name: 'fancy', configuration: {} } }))).toMatchObject({
      dtype: 'fancy',
      bytes: undefined,
    });
    for (const data_type of ['string', { name: 'fixed_length_utf32', configuration: { length_bytes: 64 } }])
      expect(parseZarr(version3({ data_type }))).toMatchObject({ dtype: 'string', bytes: undefined });
    expect(parseZarr(version3({ node_type: 'group' }))).toBeUndefined();
  });

  it.each([
    ['no JSON', utf8('{')],
    ['no UTF-8', Uint8Array.of(0xff, 0xfe)],
    ['no object', json([1])],
    ['another version', json({ zarr_format: 9 })],
    ['no shape', version3({ shape: 'x' })],
    ['a negative size', version3({ shape: [-1, 6] })],
    ['a size that is no number', version3({ shape: [1e300, 6] })],
    ['another rank of chunks', version3({ chunk_grid: { name: 'regular', configuration: { chunk_shape: [1] } } })],
    ['a rank of 1,000', version3({ shape: Array.from({ length: 1000 }, () => 1) })],
  ])('with %s are a finding', async (_, bytes) => {
    const report = await inspectHostile(memoryTree('x', { 'a/zarr.json': bytes, 'a/c/0/0': patternBytes(48) }));
    expect(report.findings.map(({ code }) => code)).toContain('array-metadata-corrupt');
  });

  it('of sizes beyond counting do not go into the account', async () => {
    const huge = version3({ shape: [2 ** 50, 2 ** 50], chunk_grid: { name: 'regular', configuration: { chunk_shape: [0, 1] } } });
    const report = await inspectHostile(memoryTree('x', { 'a/zarr.json': huge, 'a/c/0/0': patternBytes(48) }));
    expect(report.components.weights?.logicalBytes).toBe(48);
  });
});

describe('keys of chunks', () => {
  const key = (text: string): [Uint8Array, number] => [utf8(text), utf8(text).byteLength];

  it.each(['0', '0.12', '0/12', '7/0/3'])('%s is one', (text) => expect(isChunkKey(key(text)[0], 0, text.length)).toBe(true));
  it.each(['', '.', '0.', '.0', '0..1', 'a', '0.a', '-1', '/0'])('%j is none', (text) =>
    expect(isChunkKey(key(text)[0], 0, text.length)).toBe(false),
  );
  it.each([
    ['w/c/0/1', 1],
    ['w/c', 1],
    ['w/0.1', 1],
    ['c/0/1', 0],
    ['c', 0],
    ['0', 0],
    ['a/c/0/c/0', 5],
    ['w/note', -1],
    ['abc', -1],
  ])('%s belongs to the array that ends at %d', (text, end) => expect(endOfArrayName(...key(text))).toBe(end));
});

describe('arrays in directories', () => {
  it('have the names of their directories below the checkpoint', async () => {
    const { rows, codes } = await read({
      'metadata.json': json({ step: 5, is_temporary: false }),
      'model/layer/weight/.zarray': zarray([4, 2], [2, 2]),
      'model/layer/weight/0.0': patternBytes(16),
      'model/layer/weight/1.0': patternBytes(16),
      'opt_state/inner_state/mu/weight/.zarray': zarray([2]),
      'opt_state/inner_state/mu/weight/0': patternBytes(8),
      'training_key/.zarray': zarray([2]),
      'training_key/0': patternBytes(8),
    });
    expect(rows).toEqual([
      { name: 'model.layer.weight', shape: [4, 2], bytes: 32, component: 'weights' },
      { name: 'opt_state.inner_state.mu.weight', shape: [2], bytes: 8, component: 'optimizer' },
      { name: 'training_key', shape: [2], bytes: 8, component: 'rng' },
    ]);
    expect(codes).toEqual([]);
  });

  it('keep slashes in the keys of Orbax, and have those of several checkpoints', async () => {
    const { rows } = await read({
      'a/_METADATA': json({ tree_metadata: {} }),
      'a/params.x/y/.zarray': zarray([1]),
      'a/params.x/y/0': patternBytes(4),
      'b/metadata.json': json({}),
      'b/params/x/.zarray': zarray([1]),
      'b/params/x/0': patternBytes(4),
    });
    expect(rows.map(({ name }) => name)).toEqual(['params.x/y', 'params.x']);
  });

  it('of version 3 lie in groups', async () => {
    const { rows, report, codes } = await read({
      'zarr.json': version3({ node_type: 'group' }),
      'w/zarr.json': version3(),
      'w/c/0/0': patternBytes(48),
      'w/c/1/0': patternBytes(48),
    });
    expect(rows).toEqual([{ name: 'w', shape: [4, 6], bytes: 96, component: 'weights' }]);
    expect(report.files.find(({ path }) => path === 'zarr.json')?.role).toBe('metadata of a group');
    expect(codes).toEqual([]);
  });

  it('are named after the directory that was opened', async () => {
    expect((await read({ '.zarray': zarray([1]), '0': patternBytes(4) }, 'weight')).rows).toMatchObject([{ name: 'weight' }]);
  });

  it('with a chunk of another size, an empty one or none say so', async () => {
    const of = async (chunks: Record<string, Uint8Array>) => (await read({ 'w/.zarray': zarray([4], [2]), ...chunks })).codes;
    expect(await of({ 'w/0': patternBytes(8), 'w/1': patternBytes(7) })).toEqual(['tensor-size-mismatch']);
    expect(await of({ 'w/0': patternBytes(8), 'w/1': patternBytes(0) })).toEqual(['tensor-size-mismatch', 'file-empty']);
    expect(await of({ 'w/0': patternBytes(8) })).toEqual(['chunks-not-stored']);
  });

  // TensorStore omits chunks that equal the fill value, and none where it is null.
  it('without a fill value lack the chunks that are not stored', async () => {
    expect((await read({ 'w/.zarray': zarray([4], [2], null), 'w/0': patternBytes(8) })).codes).toEqual(['chunks-missing']);
    const sharded = version3({ fill_value: null });
    expect(
      (await read({ 'zarr.json': version3({ node_type: 'group' }), 'w/zarr.json': sharded, 'w/c/0/0': patternBytes(48) })).codes,
    ).toEqual(['chunks-missing']);
  });

  // zarr-python 3.1.6: create_array(fill_value=None, zarr_format=2), `.zattrs` of `{}`, and no file for a chunk of zeros.
  it('without a fill value of zarr-python 3 may lack chunks of zeros', async () => {
    const { codes } = await read({ 'w/.zarray': zarray([4], [2], null), 'w/.zattrs': utf8('{}'), 'w/0': patternBytes(8) });
    expect(codes).toEqual(['chunks-not-stored']);
  });

  it('leave other files in their directories alone', async () => {
    const files = { 'w/.zarray': zarray([1]), 'w/0': patternBytes(4), 'w/shard_0.bin': patternBytes(9) };
    const { report } = await inspect(memoryTree('step-5', files), { path: 'step-5' });
    expect(report.kind === 'collection' && report.parts.map(({ path, kind, files: count }) => [path, kind, count])).toEqual([
      ['w', 'checkpoint', 2],
      ['w/shard_0.bin', 'dataset', 1],
    ]);
  });
});
