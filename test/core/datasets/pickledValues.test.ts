/** Values that an index or the metadata of an array declare to be pickles: loaders unpickle them. */
import { expect, it } from 'vitest';
import { addZarrTensor } from '../../../src/core/checkpoints/fileSets/zarrTensor.js';
import type { FileSink } from '../../../src/core/formats/sink/fileSink.js';
import { utf8 } from '../../builders/byteWriter.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { mdsIndex, mdsShard } from '../../builders/mdsBuilder.js';
import { dict, pickle } from '../../builders/pickleBuilder.js';

const value = pickle(dict());

it('columns of MDS are named once for all shards', async () => {
  const make = (name: string, encoding: string) => mdsShard(name, [{ name: 'sample', encoding, size: null }], [[value]]);
  const [first, second] = [make('shard.00000.mds', 'pkl'), make('shard.00001.mds', 'pkl')];
  const files = { 'shard.00000.mds': first.bytes, 'shard.00001.mds': second.bytes };
  const report = await inspectDataset({ 'index.json': mdsIndex(first.entry, second.entry), ...files });
  expect(report.findings.filter(({ code }) => code === 'values-pickled')).toMatchObject([
    { severity: 'warning', path: 'index.json', message: 'Metadata declare values that are pickles: sample.' },
  ]);
  const plain = make('shard.00000.mds', 'bytes');
  expect(codesOf(await inspectDataset({ 'index.json': mdsIndex(plain.entry), 'shard.00000.mds': plain.bytes }))).not.toContain(
    'values-pickled',
  );
});

it('leaves of LitData are named', async () => {
  const config = { compression: null, data_format: ['pickle'], data_spec: null, chunk_bytes: 100, chunk_size: null };
  const chunk = { chunk_bytes: 12 + value.byteLength, chunk_size: 1, dim: null, filename: 'chunk-0-0.bin' };
  const bytes = new Uint8Array(12 + value.byteLength);
  bytes.set(new Uint8Array(Uint32Array.of(1, 12, bytes.byteLength).buffer));
  bytes.set(value, 12);
  const report = await inspectDataset({
    'index.json': utf8(JSON.stringify({ chunks: [chunk], config })),
    'chunk-0-0.bin': bytes,
  });
  expect(report).toMatchObject({ layout: 'litdata' });
  expect(codesOf(report)).toContain('values-pickled');
});

it.each([
  ['pickle', ['values-pickled']],
  ['vlen-utf8', []],
])('arrays of zarr 2 with the filter %s', (id, codes) => {
  const found: string[] = [];
  const sink = { tensor: () => undefined, finding: ({ code }: { code: string }) => found.push(code) } as unknown as FileSink;
  const metadata = { zarr_format: 2, dtype: '|O', shape: [1], chunks: [1], compressor: null, filters: [{ id }], fill_value: 0 };
  addZarrTensor(sink, ['x'], utf8(JSON.stringify(metadata)), { pieces: [], count: 1, bytes: 10 });
  expect(found.filter((code) => code === 'values-pickled')).toEqual(codes);
});
