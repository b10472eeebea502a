/** MosaicML Streaming: encodings of tokens, several variable columns, damage, and how little is read. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { valueIn } from '../../../src/core/formats/mds/mdsShard.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { mdsIndex, mdsShard, type MdsColumnSpec } from '../../builders/mdsBuilder.js';
import type { ReadLog } from '../../builders/memoryTree.js';
import { concat, overwrite, u32 } from '../../builders/byteWriter.js';
import { runs } from '../../builders/seed.js';

const tokens = (dtype: 'i64' | 'u32' | 'u16', count: number): Uint8Array => {
  const values = Array.from({ length: count }, (_, at) => (at * 7919) % 50_000);
  if (dtype === 'i64') return new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  return new Uint8Array((dtype === 'u32' ? Uint32Array.from(values) : Uint16Array.from(values)).buffer);
};

/** `ndarray:uint32` of one dimension: width of the shape, its length, the values. */
const shaped = (count: number): Uint8Array => {
  const length = count < 256 ? [(1 << 2) | 0, count] : [(1 << 2) | 1, count % 256, Math.floor(count / 256)];
  return Uint8Array.from([...length, ...tokens('u32', count)]);
};

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe('tokens', () => {
  it.each(['i64', 'u32', 'u16'] as const)('tells the width of bare bytes from a sample: %s', async (dtype) => {
    const columns: MdsColumnSpec[] = [{ name: 'tokens', encoding: 'bytes', size: null }];
    const { bytes, entry } = mdsShard('shard.00000.mds', columns, [[tokens(dtype, 2048)], [tokens(dtype, 100)]]);
    const report = await inspectDataset({ 'index.json': mdsIndex(entry), 'shard.00000.mds': bytes });
    // int64 is what llm-foundry writes; that it is another width is a guess by values.
    const tokensFound = { count: 2148, exact: dtype === 'i64', basis: dtype === 'i64' ? 'index' : 'sampled' };
    expect(report).toMatchObject({ layout: 'mds', samples: 2, tokenDtype: dtype, tokens: tokensFound });
    expect(report.lengths).toMatchObject({ count: 2, minTokens: 100, maxTokens: 2048 });
    expect(codesOf(report).filter((code) => code !== 'token-dtype-wide')).toEqual([]);
  });

  it('takes the shapes of arrays off, whatever width they have', async () => {
    const counts = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(counts, async (lengths) => {
        const columns: MdsColumnSpec[] = [{ name: 'input_ids', encoding: 'ndarray:uint32', size: null }];
        const { bytes, entry } = mdsShard(
          'shard.00000.mds',
          columns,
          lengths.map((length) => [shaped(length)]),
        );
        const report = await inspectDataset({ 'index.json': mdsIndex(entry), 'shard.00000.mds': bytes });
        const sum = lengths.reduce((total, length) => total + length, 0);
        expect(report.tokens).toMatchObject({ count: sum, exact: true });
        expect(report.tokenDtype).toBe('u32');
      }),
      runs(50),
    );
  });

  it('counts in several variable columns by the sizes in the samples', async () => {
    const columns: MdsColumnSpec[] = [
      { name: 'attention_mask', encoding: 'ndarray:uint32', size: null },
      { name: 'id', encoding: 'int', size: 8 },
      { name: 'input_ids', encoding: 'ndarray:uint32', size: null },
      { name: 'note', encoding: 'str', size: null },
    ];
    const samples = [3, 300, 17].map((count) => [shaped(count), tokens('i64', 1), shaped(count), text('a note')]);
    const { bytes, entry } = mdsShard('shard.00000.mds', columns, samples);
    const report = await inspectDataset({ 'index.json': mdsIndex(entry), 'shard.00000.mds': bytes });
    expect(report).toMatchObject({ samples: 3, tokens: { count: 320, exact: true }, tokenDtype: 'u32' });
    expect(report.columns.map(({ name, bytes: size }) => [name, size])).toEqual([
      ['attention_mask', 4 * 320 + 7],
      ['id', 24],
      ['input_ids', 4 * 320 + 7],
      ['note', 18],
    ]);
    expect(report.bytes.masks).toBe(4 * 320 + 7);
  });
});

describe('a damaged or partial dataset', () => {
  const columns: MdsColumnSpec[] = [{ name: 'tokens', encoding: 'ndarray:int32:4', size: 16 }];
  const shards = ['shard.00000.mds', 'shard.00001.mds'].map((name) =>
    mdsShard(name, columns, [[tokens('u32', 4)], [tokens('u32', 4)]]),
  );
  const [first, second] = shards as [ReturnType<typeof mdsShard>, ReturnType<typeof mdsShard>];

  it('names shards that are missing, and counts those that are here', async () => {
    const report = await inspectDataset({ 'index.json': mdsIndex(first.entry, second.entry), 'shard.00000.mds': first.bytes });
    expect(codesOf(report)).toEqual(['shards-listed-missing']);
    expect(report).toMatchObject({ samples: 2, tokens: { count: 8 } });
  });

  it('names shards that the index does not', async () => {
    const files = { 'index.json': mdsIndex(first.entry), 'shard.00000.mds': first.bytes, 'shard.00001.mds': second.bytes };
    const report = await inspectDataset(files);
    expect(codesOf(report)).toEqual(['shard-unlisted']);
    expect(report.tokens).toMatchObject({ count: 8 });
  });

  it('says that shards without an index were not finished', async () => {
    expect(codesOf(await inspectDataset({ 'shard.00000.mds': first.bytes }))).toEqual(['dataset-unfinished']);
  });

  it('refuses paths that leave the directory', async () => {
    const entry = { ...first.entry, raw_data: { basename: '../../secret', bytes: 1, hashes: {} } };
    expect(codesOf(await inspectDataset({ 'index.json': mdsIndex(entry), 'shard.00000.mds': first.bytes }))).toContain(
      'index-path-unsafe',
    );
  });

  it.each([
    ['more bytes than the index says', concat(first.bytes, new Uint8Array(4)), 'shard-size-differs'],
    ['fewer bytes than the index says', first.bytes.subarray(0, first.bytes.byteLength - 4), 'shard-size-differs'],
    ['offsets that fall', overwrite(first.bytes, 8, u32(8)), 'shard-corrupt'],
    ['samples that end behind the shard', overwrite(first.bytes, 12, u32(first.bytes.byteLength + 1)), 'shard-truncated'],
    ['a first sample behind the shard', overwrite(first.bytes, 4, u32(first.bytes.byteLength + 1)), 'shard-truncated'],
  ])('finds %s', async (_, bytes, code) => {
    const report = await inspectDataset({ 'index.json': mdsIndex(first.entry), 'shard.00000.mds': bytes });
    expect(codesOf(report)).toContain(code);
  });

  it.each([1, 3])('finds that the index says %i samples of two', async (samples) => {
    const { bytes, entry } = mdsShard(
      'shard.00000.mds',
      [{ name: 'id', encoding: 'str', size: null }],
      [[text('a note')], [text('a note')]],
    );
    const report = await inspectDataset({ 'index.json': mdsIndex({ ...entry, samples }), 'shard.00000.mds': bytes });
    expect(codesOf(report)).toContain('index-count-differs');
  });

  it('finds columns that do not fill their sample', async () => {
    const variable: MdsColumnSpec[] = [
      { name: 'input_ids', encoding: 'ndarray:uint32', size: null },
      { name: 'note', encoding: 'str', size: null },
    ];
    const { bytes, entry } = mdsShard('shard.00000.mds', variable, [[shaped(3), text('a note')]]);
    const sizesAt = new DataView(bytes.buffer).getUint32(4, true);
    for (const size of [5, 7]) {
      const files = { 'index.json': mdsIndex(entry), 'shard.00000.mds': overwrite(bytes, sizesAt + 4, u32(size)) };
      expect(codesOf(await inspectDataset(files))).toContain('shard-corrupt');
    }
  });

  it('finds a compressed shard that decompresses to less than the index says', async () => {
    const name = 'shard.00000.mds.gz';
    const zip = new Uint8Array(gzipSync(first.bytes.subarray(0, first.bytes.byteLength - 1)));
    const entry = { ...first.entry, compression: 'gz', zip_data: { basename: name, bytes: zip.byteLength, hashes: {} } };
    expect(codesOf(await inspectDataset({ 'index.json': mdsIndex(entry), [name]: zip }))).toContain('shard-truncated');
  });

  it('finds lines whose offsets are of another number of samples', async () => {
    const lines = text('{"a": 1}\n{"a": 2}\n');
    const meta = concat(u32(2), u32(0), u32(9), u32(18));
    const file = (basename: string, { byteLength }: Uint8Array) => ({ basename, bytes: byteLength, hashes: {} });
    const inspectSamples = async (samples: number): Promise<string[]> => {
      const settings = { format: 'json', columns: { a: 'int' }, compression: null, hashes: [], samples };
      const files = { raw_data: file('shard.00000.json', lines), raw_meta: file('shard.00000.json.meta', meta) };
      const index = mdsIndex({ ...settings, ...files });
      return codesOf(await inspectDataset({ 'index.json': index, 'shard.00000.json': lines, 'shard.00000.json.meta': meta }));
    };
    expect(await inspectSamples(2)).not.toContain('index-count-differs');
    expect(await inspectSamples(3)).toContain('index-count-differs');
  });

  it('has no value of a sample that ends in its sizes', () => {
    const column = { name: 'a', encoding: 'str', fixedBytes: null };
    expect(valueIn(concat(u32(1), text('b')), [column], 'a')).toEqual(text('b'));
    expect(valueIn(new Uint8Array(3), [column], 'a')).toBeUndefined();
  });

  it('allocates nothing for numbers that only the index claims', async () => {
    const entry = { ...first.entry, samples: 2 ** 40, raw_data: { basename: 'shard.00000.mds', bytes: 2 ** 50, hashes: {} } };
    const report = await inspectDataset({ 'index.json': mdsIndex(entry), 'shard.00000.mds': first.bytes });
    expect(codesOf(report)).toContain('shard-size-differs');
  });
});

it('reads offsets only, of shards of any size', async () => {
  const columns: MdsColumnSpec[] = [{ name: 'tokens', encoding: 'ndarray:uint16:2048', size: 4096 }];
  const { bytes, entry } = mdsShard(
    'shard.00000.mds',
    columns,
    Array.from({ length: 1000 }, () => [tokens('u16', 2048)]),
  );
  const log: ReadLog = { reads: [] };
  const report = await inspectDataset({ 'index.json': mdsIndex(entry), 'shard.00000.mds': bytes }, log);
  expect(report.tokens).toMatchObject({ count: 2_048_000, exact: true });
  expect(report.io.bytesRead).toBeLessThan(bytes.byteLength / 500);
  expect(log.reads.filter(({ path }) => path.endsWith('.mds')).length).toBeLessThanOrEqual(3);
});
