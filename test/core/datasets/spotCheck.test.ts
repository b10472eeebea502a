/** What a look at stored tokens finds, and how little of them it reads. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { concat, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { memoryTree, type MemoryFile, type ReadLog } from '../../builders/memoryTree.js';

async function datasetOf(files: Record<string, MemoryFile>, log?: ReadLog): Promise<DatasetReport> {
  const { report } = await inspect(memoryTree('data', files, log), { path: 'data' });
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  return report;
}

const codes = (report: DatasetReport): string[] => report.findings.map(({ code }) => code);
const bin = (ids: number[]): Uint8Array => new Uint8Array(Uint16Array.from(ids).buffer);
/** Code 8 is uint16. */
const idx = (lengths: number[], code = 8, width = 2): Uint8Array => {
  let at = 0;
  const pointers = lengths.map((length) => {
    const pointer = at;
    at += length * width;
    return u64(pointer);
  });
  const head = [utf8('MMIDIDX\0\0'), u64(1), Uint8Array.of(code), u64(lengths.length), u64(lengths.length + 1)];
  const documents = Array.from({ length: lengths.length + 1 }, (_, document) => u64(document));
  return concat(...head, ...lengths.map(u32), ...pointers, ...documents);
};
const config = (fields: object): Uint8Array => utf8(JSON.stringify(fields));

describe('ids', () => {
  const ids = Array.from({ length: 2000 }, (_, index) => index % 500);

  it('within the vocabulary are checked and said to be', async () => {
    const report = await datasetOf({ 'a.bin': bin(ids), 'a.idx': idx([2000]), 'config.json': config({ vocab_size: 500 }) });
    expect(codes(report)).toEqual([]);
    expect(report.checks.done.join()).toContain('against the vocabulary');
    expect(report.vocabulary).toEqual({ size: 500, source: 'vocab_size in config.json' });
  });

  it('outside of it are an error with the place of the first', async () => {
    const report = await datasetOf({ 'a.bin': bin(ids), 'a.idx': idx([2000]), 'config.json': config({ vocab_size: 400 }) });
    expect(report.findings).toMatchObject([{ code: 'token-outside-vocabulary', severity: 'error', path: 'a.bin' }]);
    expect(ids[(report.findings[0]?.offset ?? 0) / 2]).toBeGreaterThanOrEqual(400);
  });

  it('below zero are outside as well', async () => {
    const npy = buildNpy({
      descr: '<i4',
      shape: [2000],
      data: new Uint8Array(Int32Array.from(ids, (id) => (id === 7 ? -100 : id)).buffer),
    });
    const report = await datasetOf({ 'train.npy': npy, 'config.json': config({ vocab_size: 500 }) });
    expect(codes(report)).toContain('token-outside-vocabulary');
    expect(report.findings[0]?.message).toContain('ids -100 to 499');
  });

  it('of a small file are looked at once', async () => {
    const log: ReadLog = { reads: [] };
    const files = { 'a.bin': bin(ids), 'a.idx': idx([2000]), 'config.json': config({ vocab_size: 400 }) };
    const report = await datasetOf(files, log);
    expect(report.findings[0]?.message).toContain('400 of all 2,000 tokens');
    expect(log.reads.filter(({ path }) => path === 'a.bin')).toHaveLength(1);
  });

  it('with the high byte first are not taken for others', async () => {
    const swapped = new Uint8Array(4000).map((_, index) => (index % 2 === 1 ? 7 : 0));
    const npy = buildNpy({ descr: '>u2', shape: [2000], data: swapped });
    const report = await datasetOf({ 'train.npy': npy, 'config.json': config({ vocab_size: 500 }) });
    expect(codes(report)).toEqual([]);
    expect(report.checks.done.join()).not.toContain('against the vocabulary');
  });

  it('that are no integers are not looked at', async () => {
    const report = await datasetOf({
      'a.bin': new Uint8Array(Float32Array.from({ length: 2000 }, (_, at) => at / 7).buffer),
      'a.idx': idx([2000], 7, 4),
      'config.json': config({ vocab_size: 500 }),
    });
    expect(report.tokenDtype).toBe('f32');
    expect(report.checks.done.join()).not.toContain('against the vocabulary');
  });

  it('of a vocabulary above 65,536 do not fit into uint16', async () => {
    const report = await datasetOf({ 'a.bin': bin(ids), 'a.idx': idx([2000]), 'config.json': config({ vocab_size: 128_256 }) });
    expect(codes(report)).toEqual(['token-dtype-too-small']);
  });

  it('are not looked at where nothing says what they mean', async () => {
    const log: ReadLog = { reads: [] };
    const report = await datasetOf({ 'a.bin': bin(ids), 'a.idx': idx([2000]) }, log);
    // Its beginning, for what may be in place of tokens.
    expect(log.reads.filter(({ path }) => path === 'a.bin')).toMatchObject([{ offset: 0, length: 4000 }]);
    expect(report.checks.notDone.join()).toContain('vocabulary');
  });
});

describe('padding', () => {
  it('is recognized by runs of the padding token, not by single ends of documents', async () => {
    const row = [...Array.from({ length: 75 }, (_, index) => index + 1), ...new Array<number>(25).fill(0)];
    const ids = Array.from({ length: 400 }, () => row).flat();
    const report = await datasetOf({ 'a.bin': bin(ids), 'a.idx': idx([ids.length]), 'config.json': config({ pad_token_id: 0 }) });
    expect(report.padding?.share).toBeCloseTo(0.25, 1);
    expect(report.padding).toMatchObject({ exact: false });
    const single = await datasetOf({
      'a.bin': bin(ids.map((id, index) => (index % 50 === 0 ? 0 : id + 1))),
      'a.idx': idx([ids.length]),
      'config.json': config({ pad_token_id: 0 }),
    });
    expect(single.padding?.share).toBe(0);
  });
});

describe('a large file', () => {
  it('costs a read of its beginning, one of its first bytes and sixteen of 4 KiB', async () => {
    const tokens = 500_000_000;
    const source = {
      name: 'a.bin',
      sizeBytes: 2 * tokens,
      read: (_offset: number, length: number) => Promise.resolve(new Uint8Array(length).fill(0x90)),
      close: () => Promise.resolve(),
    };
    const log: ReadLog = { reads: [] };
    await datasetOf({ 'a.bin': source, 'a.idx': idx([tokens]), 'config.json': config({ vocab_size: 50_304 }) }, log);
    const own = log.reads.filter(({ path }) => path === 'a.bin');
    expect(own.length).toBe(18);
    expect(own.reduce((sum, { length }) => sum + length, 0)).toBe(17 * 4096 + 4);
  });
});

describe('shards', () => {
  const shard = (tokens: number): Uint8Array => bin(new Array<number>(tokens).fill(1));
  const pairs = (sizes: number[]): Record<string, Uint8Array> =>
    Object.fromEntries(
      sizes.flatMap((size, index) => [
        [`s${index}.bin`, shard(size)],
        [`s${index}.idx`, idx([size])],
      ]),
    );

  it('of unequal sizes are noted, a last one that is left over is not', async () => {
    expect(codes(await datasetOf(pairs([100, 100, 100, 100, 20])))).toEqual([]);
    expect(codes(await datasetOf(pairs([100, 100, 100, 900, 100])))).toEqual(['shards-unequal']);
  });

  it('of different dtypes are a warning', async () => {
    const wide = new Uint8Array(Int32Array.from([1, 2]).buffer);
    const report = await datasetOf({ ...pairs([4]), 'w.bin': wide, 'w.idx': idx([2], 4, 4) });
    expect([report.tokenDtype, report.tokens?.count]).toEqual(['mixed', 6]);
    expect(codes(report)).toContain('token-dtypes-mixed');
  });
});
