/** WebDataset: grouping, indexes, damage, and how little is read. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { usualRatio } from '../../../src/core/datasets/text/usualRatios.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import { latin1, utf8 } from '../../builders/byteWriter.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree, type MemoryFile, type ReadLog } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildTar, paxRecord, type TarFile } from '../../builders/tarBuilder.js';
import { tarBzip2Base64, tarXzBase64, xzBase64 } from '../../builders/packedPickles.js';
import { buildZip } from '../../builders/torchZipBuilder.js';
import { isExhaustive } from '../../builders/seed.js';
import { sweepCuts, sweepFields } from '../../hostile/damage.js';
import { builtFile } from '../../hostile/fixtureFiles.js';

async function datasetOf(files: Record<string, MemoryFile>, log?: ReadLog): Promise<DatasetReport> {
  const { report } = await inspectOne(memoryTree('data', files, log), { path: 'data' });
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  return report;
}

const codes = (report: DatasetReport): string[] => report.findings.map(({ code }) => code);
const file = (name: string, text = 'x'): TarFile => ({ name, data: utf8(text) });
const tokens = (name: string, count: number): TarFile => ({
  name,
  data: buildNpy({ descr: '<u2', shape: [count], data: new Uint8Array(2 * count) }),
});
const sample = (key: string): TarFile[] => [
  file(`${key}.txt`, 'car shar'),
  tokens(`${key}.npy`, 3),
  file(`${key}.json`, '{"a":1}'),
];

describe('a shard that cannot be read', () => {
  const text = 'car shar '.repeat(100);
  const shard = (first: number): Uint8Array => buildTar(Array.from({ length: 50 }, (_, at) => file(`${first + at}.txt`, text)));
  const pointer = utf8(`version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 70000\n`);

  it.each([
    ['empty', new Uint8Array(0)],
    ['a pointer', pointer],
    ['a web page', utf8(`<!DOCTYPE html>\n<html>${'<p>Sign in.</p>\n'.repeat(900)}</html>`)],
  ])('is no part of what the others stand for: %s', async (_, bytes) => {
    const files = { 's-000000.tar': shard(0), 's-000001.tar': shard(50), 's-000002.tar': shard(100), 's-000003.tar': bytes };
    const report = await datasetOf(files);
    const coverage = { counted: 3, of: 4, unit: 'shards' };
    expect(report.sampleCount).toMatchObject({ count: 150, exact: false, interval: [150, null], basis: 'header', coverage });
    expect(report.text?.bytes).toMatchObject({ count: 150 * text.length, exact: false, coverage });
    // Without a tokenizer, at what small and large vocabularies take of Latin without accents.
    const { value } = usualRatio('english', 'unknown');
    expect(report.tokens).toMatchObject({ count: Math.round((150 * text.length) / value), interval: [expect.any(Number), null] });
  });
});

describe('samples', () => {
  it('are files that follow each other with the same path up to the first dot', async () => {
    const members = [
      file('a/1.seg.png'),
      file('a/1.txt'),
      file('b/1.txt'),
      file('b/2.x'),
      file('noext'),
      file('__meta__.x__'),
      { name: 'd', type: '5' },
    ];
    expect((await datasetOf({ 'x-000000.tar': buildTar(members) })).samples).toBe(3);
  });

  it('have columns by what comes after the dot, and exact tokens in their arrays', async () => {
    const report = await datasetOf({ 'train-000000.tar': buildTar([...sample('1'), ...sample('2')]) });
    expect(report.tokens).toMatchObject({ count: 6, exact: true });
    expect([report.tokenDtype, report.bytesPerToken, report.splits[0]?.name]).toEqual(['u16', 2, 'train']);
    expect(report.columns.map(({ name, role, values }) => [name, role, values])).toEqual([
      ['txt', 'text', 2],
      ['npy', 'tokens', 6],
      ['json', 'value', 2],
    ]);
  });

  it('of images alone have no tokens; captions are raw text', async () => {
    const members = ['1', '2'].flatMap((key) => [
      file(`${key}.jpg`, 'jpeg'),
      file(`${key}.txt`, 'a car'),
      file(`${key}.json`, '{"caption":"no"}'),
    ]);
    const report = await datasetOf({ '0.tar': buildTar(members) });
    expect([report.tokens?.exact, report.text?.bytes.count, report.samples]).toEqual([false, 10, 2]);
  });

  it('come out of compressed archives as well', async () => {
    const report = await datasetOf({ '0.tar.gz': new Uint8Array(gzipSync(buildTar([...sample('1'), ...sample('2')]))) });
    expect([report.samples, report.tokens?.count]).toEqual([2, 6]);
  });
});

it('tables of img2dataset beside the archives hold no samples of their own', async () => {
  const table = readFileSync('test/fixtures/frameworks/datasets/parquet-text-shards/data/data/train-00002-of-00003.parquet');
  const report = await datasetOf({
    '00000.tar': buildTar([file('1.txt'), file('2.txt')]),
    '00000.parquet': new Uint8Array(table),
  });
  expect([report.layout, report.samples, report.shards.length]).toEqual(['webdataset', 2, 1]);
  expect(report.bytes.metadata).toBe(table.byteLength);
});

describe('the index', () => {
  const shard = buildTar(sample('1'));
  const index = (...shards: object[]): Uint8Array =>
    utf8(JSON.stringify({ __kind__: 'wids-shard-index-v1', wids_version: 1, shardlist: shards }));
  const given = { url: '0.tar', nsamples: 1, filesize: shard.byteLength };

  it('agrees, or a finding says that it does not', async () => {
    const read = async (...shards: object[]): Promise<string[]> =>
      codes(await datasetOf({ '0.tar': shard, 'index.json': index(...shards) }));
    expect(await read(given)).toEqual([]);
    expect(await read({ ...given, nsamples: 2 })).toEqual(['index-count-differs']);
    expect(await read({ ...given, filesize: 5 })).toEqual(['shard-size-differs']);
    expect(await read(given, { ...given, url: '1.tar' })).toEqual(['shards-listed-missing']);
    expect(await read({ ...given, url: '7.tar' })).toEqual(['shards-listed-missing', 'shard-unlisted']);
  });
});

describe('a large shard', () => {
  /** Members of 100 kB, none of them in memory. */
  const members = isExhaustive ? 100_000 : 20_000;
  const bytes = 100_000;
  const step = 512 + Math.ceil(bytes / 512) * 512;
  const headers = new Map<number, Uint8Array>();
  const header = (number: number): Uint8Array => {
    const known =
      headers.get(number) ??
      buildTar([{ name: `${number}.jpg`, sizeField: latin1(`${bytes.toString(8).padStart(11, '0')}\0`) }]).subarray(0, 512);
    headers.set(number, known);
    return known;
  };
  const source = {
    name: 'big.tar',
    sizeBytes: members * step + 1024,
    close: () => Promise.resolve(),
    read(offset: number, length: number) {
      const result = new Uint8Array(length);
      for (let number = Math.floor(offset / step); number < members && number * step < offset + length; number++) {
        const at = number * step - offset;
        const from = Math.max(0, -at);
        if (from < 512) result.set(header(number).subarray(from, Math.min(512, length - at)), at + from);
      }
      return Promise.resolve(result);
    },
  };

  it('of many members is counted with less than 1 % of its bytes', async () => {
    const report = await datasetOf({ 'big.tar': source });
    expect(report.sampleCount).toMatchObject({ count: members, exact: true });
    expect(report.io.bytesRead).toBeLessThan(report.totalBytes / 100);
    expect(report.findings).toEqual([]);
  });

  it('is one of a thousand: some are walked over, and the rest estimated', async () => {
    const small = buildTar(Array.from({ length: 1000 }, (_, number) => file(`${number}.txt`, 'car'.repeat(1 + (number % 7)))));
    const files = Object.fromEntries(
      Array.from({ length: 1000 }, (_, number) => [`${String(number).padStart(6, '0')}.tar`, small]),
    );
    const report = await datasetOf(files);
    expect(report.sampleCount).toMatchObject({ count: 1_000_000, exact: false, confidence: 0.95 });
    expect(report.tokens?.exact).toBe(false);
  });
});

describe('damage', () => {
  const whole = buildTar([...sample('1'), ...sample('2')]);

  it('is reported wherever the archive is cut', async () => {
    // The two blocks that end an archive may be absent.
    const cut = builtFile('a.tar', whole.subarray(0, whole.byteLength - 1024));
    expect(await sweepCuts(cut, { edge: 8, nearEdge: 20, headers: 60, rest: 60 }, (length) => length > 0)).toBeGreaterThan(60);
  });

  it('of any field leaves an exact account', async () => {
    const budgets = { edge: 2, nearEdge: 40, headers: 60, rest: 80 };
    expect(await sweepFields(builtFile('a.tar', whole), budgets)).toBeGreaterThan(80);
  });

  it('in the middle keeps the samples before it', async () => {
    const report = await datasetOf({ 'a.tar': buildTar([...sample('1'), { ...file('2.txt'), isDamaged: true }]) });
    expect(codes(report)).toEqual(['shard-corrupt']);
  });
});

describe('an archive that ends behind an extended header', () => {
  const pax: TarFile = { name: 'PaxHeaders/b.txt', type: 'x', data: paxRecord('mtime', '1795228.25') };
  const long: TarFile = { name: '././@LongLink', type: 'L', data: utf8(`${'b'.repeat(120)}.txt\0`) };

  it.each([
    ['pax', pax],
    ['GNU', long],
  ])('is truncated: %s', async (_, extension) => {
    const none = new Uint8Array(0);
    const whole = { 'a-0.tar': buildTar([file('a.txt'), extension, file('b.txt')]) };
    expect(codes(await datasetOf(whole))).toEqual([]);
    const cut = buildTar([file('a.txt'), extension], none);
    expect(codes(await datasetOf({ 'a-0.tar': cut }))).toContain('shard-truncated');
    // Also where the file ends within the extended header.
    expect(codes(await datasetOf({ 'a-0.tar': cut.subarray(0, cut.byteLength - 512) }))).toContain('shard-truncated');
  });

  it.each([
    ['pax', pax],
    ['GNU', long],
  ])('with blocks of zeros in place of its member is damaged: %s', async (_, extension) => {
    expect(codes(await datasetOf({ 'a-0.tar': buildTar([file('a.txt'), extension]) }))).toContain('shard-corrupt');
  });
});

describe('a pickle that executes something', () => {
  const attack = new Uint8Array(Buffer.from('gAJjb3MKc3lzdGVtClgCAAAAaWSFUi4=', 'base64'));
  const objects = buildNpy({ descr: '|O', shape: [1], data: attack });
  const packed = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

  it.each<[member: string, data: Uint8Array]>([
    ['a.zip', buildZip([{ name: 'data.pkl', data: attack }])],
    ['a.npz', buildZip([{ name: 'x.npy', data: objects }])],
    ['a.npy', objects],
    ['a.bin', attack],
    ['a.gz', gzipSync(attack)],
    ['a.xz', packed(xzBase64)],
    ['a.txt', attack],
    ['a.json', attack],
    ['a.jpg', attack],
    ['a.txt', new TextEncoder().encode("cos\nsystem\n(S'id'\ntR.")],
  ])('is found in a member of any name: %s', async (name, data) => {
    const report = await datasetOf({ 's-0.tar': buildTar([...sample('0'), { name, data }]) });
    expect(codes(report)).toContain('pickle-calls-unexpected');
  });

  it.each(['x.pt.tar', 'x.pth.tar'])('is found in an archive with the name of a checkpoint: %s', async (name) => {
    const report = await datasetOf({ [name]: buildTar([{ name: 'model.pkl', data: attack }]) });
    expect(codes(report)).toEqual(['pickle-calls-unexpected']);
  });

  it.each([
    ['x.tar.bz2', tarBzip2Base64],
    ['x.tbz2', tarBzip2Base64],
    ['x.tar.xz', tarXzBase64],
    ['x.txz', tarXzBase64],
  ])('is found in %s', async (name, base64) => {
    expect(codes(await datasetOf({ [name]: packed(base64) }))).toEqual(['pickle-calls-unexpected']);
  });

  it('texts of any beginning are none', async () => {
    const texts = ['(a note)', 'cos(x) is\nthe cosine\n', '.', 'Noon.', ']['].map((text, at) => ({
      name: `${at}.txt`,
      data: new TextEncoder().encode(text),
    }));
    expect(codes(await datasetOf({ 's-0.tar': buildTar(texts) }))).toEqual([]);
  });

  it('is found behind many members that may be anything', async () => {
    const others = Array.from({ length: 200 }, (_, at) => file(`${at}.bin`));
    const report = await datasetOf({ 's-0.tar': buildTar([...others, { name: 'z.pkl', data: attack }]) });
    expect(codes(report)).toContain('pickle-calls-unexpected');
  });
});
