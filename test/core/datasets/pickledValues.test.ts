/** Values that an index or the metadata of an array declare to be pickles: loaders unpickle them. */
import { gzipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { limits } from '../../../src/core/bytes/limits.js';
import type { DatasetAccess } from '../../../src/core/datasets/datasetLayout.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { PickledSamples } from '../../../src/core/datasets/pickledValues.js';
import { addZarrTensor } from '../../../src/core/checkpoints/fileSets/zarrTensor.js';
import type { FileSink } from '../../../src/core/formats/sink/fileSink.js';
import { concat, utf8 } from '../../builders/byteWriter.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import { mdsIndex, mdsShard } from '../../builders/mdsBuilder.js';
import type { ReadLog } from '../../builders/memoryTree.js';
import { dict, global, pickle, reduce, str, tuple } from '../../builders/pickleBuilder.js';

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

const attack = pickle(reduce(global('os', 'system'), tuple(str('id'))));
const scanned = (report: DatasetReport): { message: string; effect: string | undefined }[] =>
  report.findings.filter(({ code }) => code === 'values-pickled').map(({ message, effect }) => ({ message, effect }));
const callsIn = (report: DatasetReport): (string | null | undefined)[] =>
  report.findings
    .filter(({ code, severity }) => code === 'pickle-calls-unexpected' && severity === 'error')
    .map(({ path }) => path);

it('samples of MDS are scanned, evenly spread, behind other columns', async () => {
  const columns = [
    { name: 'id', encoding: 'int', size: 8 },
    { name: 'text', encoding: 'str', size: null },
    { name: 'sample', encoding: 'pkl', size: null },
  ];
  const make = (values: readonly Uint8Array[]) =>
    mdsShard(
      'shard.00000.mds',
      columns,
      values.map((each) => [new Uint8Array(8), utf8('words'), each]),
    );
  const inspectShard = async (values: readonly Uint8Array[]) => {
    const { bytes, entry } = make(values);
    return inspectDataset({ 'index.json': mdsIndex(entry), 'shard.00000.mds': bytes });
  };
  const plain = Array.from({ length: 20 }, () => value);
  for (const place of [0, 19]) {
    const report = await inspectShard(plain.with(place, attack));
    expect(callsIn(report)).toEqual(['shard.00000.mds']);
    const offset = report.findings.find(({ code }) => code === 'pickle-calls-unexpected')?.offset ?? 0;
    const { bytes } = make(plain.with(place, attack));
    expect(Buffer.from(bytes).indexOf(attack)).toBeLessThan(offset);
    expect(Buffer.from(bytes).indexOf(attack) + attack.byteLength).toBeGreaterThan(offset);
  }
  const report = await inspectShard(plain);
  expect(callsIn(report)).toEqual([]);
  expect(scanned(report)[0]?.effect).toContain(`Scanned: ${limits.pickledSamplesPerShard} of 20 samples`);
});

it('of a large sample no more than its first bytes are read, and of many shards no more than the budget', async () => {
  const log: ReadLog = { reads: [] };
  const large = concat(attack, new Uint8Array(1024 * 1024));
  const { bytes, entry } = mdsShard('shard.00000.mds', [{ name: 's', encoding: 'pkl', size: null }], [[large]]);
  const report = await inspectDataset({ 'index.json': mdsIndex(entry), 'shard.00000.mds': bytes }, log);
  expect(callsIn(report)).toEqual(['shard.00000.mds']);
  expect(Math.max(...log.reads.map(({ length }) => length))).toBeLessThanOrEqual(2 * limits.pickledSampleBytes);

  const samples = new PickledSamples({} as DatasetAccess);
  const source = {
    sizeBytes: 0,
    read: () => Promise.reject(new FormatError('io', 'no read was planned')),
  } as unknown as ByteSource;
  samples.plan(Array.from({ length: limits.pickledSamples + 1 }, (_, at) => String(at)));
  const beyond = {
    path: String(limits.pickledSamples),
    content: source,
    isUnpacked: false,
    samples: 9,
    columns: [],
    pickled: ['s'],
  };
  expect(await samples.scan(beyond)).toMatchObject({ scanned: 0, samples: 9 });
});

it('samples of compressed shards of MDS are scanned', async () => {
  const { bytes, entry } = mdsShard('shard.00000.mds', [{ name: 's', encoding: 'pkl', size: null }], [[attack], [value]]);
  const zip = new Uint8Array(gzipSync(bytes));
  const zipped = {
    ...entry,
    compression: 'gz',
    zip_data: { basename: 'shard.00000.mds.gz', bytes: zip.byteLength, hashes: {} },
  };
  const report = await inspectDataset({ 'index.json': mdsIndex(zipped), 'shard.00000.mds.gz': zip });
  expect(callsIn(report)).toEqual(['shard.00000.mds.gz']);
});

it('leaves of LitData are named and scanned', async () => {
  const config = { compression: null, data_format: ['pickle'], data_spec: null, chunk_bytes: 100, chunk_size: null };
  const body = attack;
  const chunk = { chunk_bytes: 16 + body.byteLength, chunk_size: 1, dim: null, filename: 'chunk-0-0.bin' };
  const bytes = new Uint8Array(16 + body.byteLength);
  bytes.set(new Uint8Array(Uint32Array.of(1, 12, bytes.byteLength, body.byteLength).buffer));
  bytes.set(body, 16);
  const report = await inspectDataset({
    'index.json': utf8(JSON.stringify({ chunks: [chunk], config })),
    'chunk-0-0.bin': bytes,
  });
  expect(report).toMatchObject({ layout: 'litdata' });
  expect(codesOf(report)).toContain('values-pickled');
  expect(callsIn(report)).toEqual(['chunk-0-0.bin']);
  expect(scanned(report)[0]?.effect).toContain('Scanned: 1 of 1 sample');
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
