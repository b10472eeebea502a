/** TFRecord and ArrayRecord: built, damaged, large. */
import { readFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { maskedCrc } from '../../../src/core/formats/tensorflow/tfRecord.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { concat, overwrite, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree, type MemoryFile, type ReadLog } from '../../builders/memoryTree.js';
import { repeatedSource } from '../../builders/repeatedSource.js';
import { inspectAnyHostile, isNoticed } from '../../hostile/accountable.js';
import { fieldValues, sweepFields } from '../../hostile/damage.js';
import { builtFile } from '../../hostile/fixtureFiles.js';
import { sweep } from '../../hostile/sweep.js';

async function datasetOf(files: Record<string, MemoryFile>, log?: ReadLog): Promise<DatasetReport> {
  const { report } = await inspectOne(memoryTree('data', files, log), { path: 'data' });
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  return report;
}

const codes = (report: DatasetReport): string[] => report.findings.map(({ code }) => code);
const field = (number: number, bytes: Uint8Array): Uint8Array => concat(Uint8Array.of(number * 8 + 2, bytes.byteLength), bytes);
const feature = (name: string, kind: number, values: Uint8Array): Uint8Array =>
  field(1, concat(field(1, utf8(name)), field(2, field(kind, values))));
const example = (...features: Uint8Array[]): Uint8Array => field(1, concat(...features));
const record = (data: Uint8Array): Uint8Array => {
  const length = u64(data.byteLength);
  return concat(length, u32(maskedCrc(length)), data, u32(maskedCrc(data)));
};

describe('TFRecord', () => {
  const packed = record(
    example(feature('input_ids', 3, field(1, Uint8Array.of(1, 0x80, 1, 3))), feature('text', 1, field(1, utf8('car')))),
  );
  const unpacked = record(example(feature('input_ids', 3, Uint8Array.of(8, 5, 8, 6))));

  it('counts packed and unpacked numbers', async () => {
    const report = await datasetOf({ 'a.tfrecord': concat(packed, unpacked) });
    expect([report.samples, report.tokens?.count, report.tokens?.exact]).toEqual([2, 5, true]);
    expect(report.columns.map(({ name, role }) => [name, role])).toEqual([
      ['input_ids', 'tokens'],
      ['text', 'text'],
    ]);
  });

  it('reads gzip, empty files and records that are no examples', async () => {
    expect((await datasetOf({ 'a.tfrecord.gz': new Uint8Array(gzipSync(packed)) })).tokens?.count).toBe(3);
    const deflated = new Uint8Array(deflateSync(packed));
    expect(await datasetOf({ 'a.tfrecord': deflated })).toMatchObject({ findings: [], tokens: { count: 3 } });
    expect((await datasetOf({ 'a.tfrecord': deflated.subarray(0, -3) })).findings).toMatchObject([{ code: 'shard-truncated' }]);
    expect(codes(await datasetOf({ 'a.tfrecord': new Uint8Array(0), 'b.tfrecord': packed }))).toContain('shard-empty');
    expect((await datasetOf({ 'a.tfrecord': record(utf8('raw bytes')) })).bytes).toEqual({ values: 9, framing: 16 });
  });

  it('do not count a file without any bytes as a whole shard', async () => {
    const names = [0, 1, 2].map((shard) => `train.tfrecord-0000${shard}-of-00003`);
    const [first = '', second = '', third = ''] = names;
    const report = await datasetOf({ [first]: packed, [second]: new Uint8Array(0), [third]: packed });
    const bound = { exact: false, interval: [2, null], coverage: { counted: 2, of: 3, unit: 'shards' } };
    expect(report.sampleCount).toMatchObject(bound);
    expect(report.tokens).toMatchObject({ exact: false, interval: [6, null] });
    expect((await datasetOf({ 'a.tfrecord': new Uint8Array(0) })).sampleCount).toMatchObject({
      count: 0,
      exact: false,
      interval: [0, null],
    });
  });

  it('compares with the description of TensorFlow Datasets', async () => {
    const info = (lengths: string[]): Uint8Array =>
      utf8(JSON.stringify({ name: 'x', splits: [{ name: 'train', shardLengths: lengths }] }));
    const shards = { 'x-train.tfrecord-00000-of-00002': packed, 'x-train.tfrecord-00001-of-00002': concat(packed, unpacked) };
    expect(codes(await datasetOf({ ...shards, 'dataset_info.json': info(['1', '2']) }))).toEqual([]);
    expect(codes(await datasetOf({ ...shards, 'dataset_info.json': info(['1', '3']) }))).toEqual(['index-count-differs']);
    expect(codes(await datasetOf({ 'x-train.tfrecord-00000-of-00002': packed, 'dataset_info.json': info(['1', '3']) }))).toEqual([
      'shards-listed-missing',
      'shard-count-differs',
    ]);
    expect(
      codes(await datasetOf({ 'x-train.tfrecord-00000-of-00003': packed, 'x-train.tfrecord-00002-of-00003': packed })),
    ).toEqual(['shard-count-differs']);
  });

  it('leaves the logs of TensorBoard alone', async () => {
    const { report } = await inspectOne(memoryTree('x', { 'events.out.tfevents.1.host': packed }), { path: 'x' });
    expect(report.kind).toBe('checkpoint');
  });

  it('samples what is large, in few reads, and takes exact numbers from the description', async () => {
    const big = (name: string): MemoryFile => repeatedSource(name, packed, 10_000_000);
    const log: ReadLog = { reads: [] };
    const report = await datasetOf({ 'x-train.tfrecord-00000-of-00001': big('x') }, log);
    expect(report.sampleCount).toMatchObject({ exact: false, confidence: null });
    expect(Math.abs((report.samples ?? 0) - 10_000_000)).toBeLessThan(200_000);
    expect(Math.abs((report.tokens?.count ?? 0) - 30_000_000)).toBeLessThan(600_000);
    expect(log.reads.length).toBeLessThan(16);
    expect(report.io.bytesRead).toBeLessThan(3_000_000);
    const info = utf8(JSON.stringify({ splits: [{ name: 'train', shardLengths: ['10000000'] }] }));
    const given = await datasetOf({ 'x-train.tfrecord-00000-of-00001': big('x'), 'dataset_info.json': info });
    expect(given.sampleCount).toMatchObject({ count: 10_000_000, exact: true });
  });

  it('gives an exact account wherever it is cut, and says so within a record', async () => {
    const whole = concat(packed, unpacked, packed);
    const borders = new Set([0, packed.byteLength, packed.byteLength + unpacked.byteLength]);
    for (let length = 0; length < whole.byteLength; length++) {
      const report = await inspectAnyHostile(memoryTree('cut', { 'a.tfrecord': whole.subarray(0, length) }));
      expect(isNoticed(report), String(length)).toBe(!borders.has(length));
    }
  });

  it('survives every field replaced', async () => {
    const whole = concat(packed, unpacked);
    const budgets = { edge: 4, nearEdge: 60, headers: 0, rest: 60 };
    expect(await sweepFields(builtFile('a.tfrecord', whole), budgets)).toBeGreaterThan(60);
  });
});

describe('ArrayRecord', () => {
  const folder = 'test/fixtures/frameworks/datasets/array-record/data';
  const file = (shard: number): Uint8Array =>
    new Uint8Array(readFileSync(path.join(folder, `c4-train.array_record-0000${shard}-of-00002`)));

  it('is counted in four reads', async () => {
    const log: ReadLog = { reads: [] };
    const report = await datasetOf({ 'a.array_record': file(0) }, log);
    expect([report.samples, report.shards[0]?.logicalBytes]).toEqual([65, 14548]);
    expect(log.reads.length).toBeLessThanOrEqual(5);
    expect(report.io.bytesRead).toBeLessThan(3000);
  });

  it('says so wherever it is cut', async () => {
    const whole = file(0);
    for (const length of [0, 1, 40, 100, 12658, 20000, 65535, 65536, 65537, 70000, 131071]) {
      const report = await inspectAnyHostile(memoryTree('cut', { 'a.array_record': whole.subarray(0, length) }));
      expect(isNoticed(report), String(length)).toBe(true);
    }
  });

  it('survives fields of postscript and footer replaced', async () => {
    for (const whole of [file(0), file(1)]) {
      const footer = whole === file(0) ? 12658 : 16725;
      const offsets = [...range(0, 80), ...range(footer - 10, footer + 420), ...range(65536, 65536 + 110)];
      await sweep({
        damage: 'field',
        file: `array_record with its footer at ${footer}`,
        bytes: whole,
        size: whole.byteLength - 7,
        values: fieldValues,
        tiers: [{ offsets: [0, footer, 65536] }, { offsets, budget: 150 }],
        exhaustive: 20_000,
        visit: async (offset, value) => {
          await inspectAnyHostile(memoryTree('field', { 'a.array_record': overwrite(whole, offset, value.bytes) }));
          return null;
        },
      });
    }
  });
});

const maxtext = '../shared/fixtures/public/maxtext';

// Not defined rather than skipped where the data are not there: the runner counts a skipped test as a failure.
if (existsSync(maxtext))
  it('reads the datasets of MaxText', async () => {
    const { report } = await inspect(await createNodeFileTree(maxtext), { path: maxtext });
    if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}`);
    // Whether their runs of zeros take space depends on how the files were copied: that is a note.
    expect(report.parts.map(({ layout, findings: { error = 0, warning = 0 } }) => [layout, error, warning])).toEqual([
      ['array-record', 2, 0],
      ['tfrecord', 0, 0],
    ]);
  });
else console.warn('MaxText’s own datasets are not beside this checkout: they are not tested.');

function* range(from: number, to: number): Generator<number> {
  for (let value = from; value < to; value++) yield value;
}
