/** WebDataset: how members make samples, what is read of an archive, indexes, compressed and damaged archives. */
import { gzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { patternBytes, utf8 } from '../../builders/byteWriter.js';
import { codesOf, inspectDataset } from '../../builders/inspectDataset.js';
import type { ReadLog } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildTar, paxRecord, type TarFile } from '../../builders/tarBuilder.js';

const npy = (count: number): Uint8Array =>
  buildNpy({
    descr: '<u2',
    shape: [count],
    data: new Uint8Array(Uint16Array.from({ length: count }, (_, at) => at * 31).buffer),
  });

const sample = (key: string, tokens: number): TarFile[] => [
  { name: `${key}.txt`, data: utf8('some text of a sample') },
  { name: `${key}.json`, data: utf8('{"a": 1}') },
  { name: `${key}.tokens.npy`, data: npy(tokens) },
];

describe('samples', () => {
  it('are consecutive members with the same name up to the first dot', async () => {
    const names = ['a/one.x.jpg', 'a/one.cls', 'b/one.jpg', 'b/one.seg.png', '__meta__', 'two.jpg', '.hidden', 'a/one.jpg'];
    const report = await inspectDataset({ 'x.tar': buildTar(names.map((name) => ({ name, data: patternBytes(20) }))) });
    expect(report).toMatchObject({ layout: 'webdataset', samples: 4 });
    expect(report.sampleCount?.exact).toBe(true);
  });

  it('hold tokens in arrays, counted by their headers', async () => {
    const tar = buildTar([...sample('s0', 10), ...sample('s1', 300), ...sample('s2', 0)]);
    const report = await inspectDataset({ 'train-000000.tar': tar });
    expect(report).toMatchObject({ samples: 3, tokens: { count: 310, exact: true }, tokenDtype: 'u16' });
    expect(report.columns.map(({ name, values }) => [name, values])).toEqual([
      ['txt', 3],
      ['json', 3],
      ['tokens.npy', 310],
    ]);
    expect(report.bytes).toMatchObject({ tokens: 620, text: 63, values: 24 });
  });

  it('have long names and sizes in pax headers', async () => {
    const name = `${'deep/'.repeat(40)}key.txt`;
    const tar = buildTar([
      { name: 'pax', type: 'x', data: paxRecord('path', name) },
      { name: 'short', data: utf8('text') },
    ]);
    expect(await inspectDataset({ 'a.tar': tar })).toMatchObject({ samples: 1, bytes: { text: 4 } });
  });

  it('estimates tokens of text members', async () => {
    const tar = buildTar([{ name: 'a.txt', data: utf8('word '.repeat(100)) }]);
    const report = await inspectDataset({ 'a.tar': tar });
    expect(report.tokens?.exact).toBe(false);
    expect(report.text?.bytes).toMatchObject({ count: 500, exact: true });
  });
});

describe('an index of wids', () => {
  const tar = buildTar([...sample('s0', 10), ...sample('s1', 20)]);
  const index = (shards: { url: string; nsamples: number; filesize: number }[]): Uint8Array =>
    utf8(JSON.stringify({ __kind__: 'wids-shard-index-v1', wids_version: 1, shardlist: shards }));
  const right = { url: 'https://example.com/data/a.tar?x=1', nsamples: 2, filesize: tar.byteLength };

  it.each([
    ['agrees', [right], []],
    ['counts others', [{ ...right, nsamples: 3 }], ['index-count-differs']],
    ['has another size', [{ ...right, filesize: 7 }], ['shard-size-differs']],
    ['names a shard that is missing', [right, { ...right, url: 'b.tar' }], ['shards-listed-missing']],
    ['does not name a shard', [], ['shard-unlisted']],
  ])('that %s', async (_, shards, codes) => {
    expect(codesOf(await inspectDataset({ 'a.tar': tar, 'index.json': index(shards) }))).toEqual(codes);
  });
});

describe('archives', () => {
  const tar = buildTar([...sample('s0', 10), ...sample('s1', 20)]);

  it('are decompressed where they are small', async () => {
    const report = await inspectDataset({ 'a.tar.gz': gzipSync(tar) });
    expect(report).toMatchObject({ samples: 2, tokens: { count: 30, exact: true } });
  });

  it('say where they are cut', async () => {
    for (let length = 1; length < tar.byteLength; length += 1) {
      const report = await inspectDataset({ 'a.tar': tar.subarray(0, length), 'b.tar': tar });
      expect(
        report.findings.some(({ severity, path }) => severity === 'error' && path === 'a.tar'),
        String(length),
      ).toBe(true);
    }
  });

  it('say which header is damaged, and count what came before', async () => {
    const damaged = buildTar([...sample('s0', 10), { name: 's1.txt', data: utf8('x'), isDamaged: true }]);
    expect(codesOf(await inspectDataset({ 'a.tar': damaged, 'b.tar': tar }))).toContain('shard-corrupt');
  });

  it('allocate nothing for a size that only a header claims', async () => {
    const bent = buildTar([{ name: 's0.npy', data: npy(4), sizeField: Uint8Array.of(0x80, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0) }]);
    expect(codesOf(await inspectDataset({ 'a.tar': bent }))).toContain('shard-truncated');
  });
});

it('jumps over long bodies: below 1 % of the bytes, about a read a member', async () => {
  const count = 200;
  const log: ReadLog = { reads: [] };
  const tar = buildTar(Array.from({ length: count }, (_, at) => ({ name: `s${at}.npy`, data: npy(50_000) })));
  const report = await inspectDataset({ 'a.tar': tar }, log);
  expect(report.tokens).toMatchObject({ count: 50_000 * count, exact: true });
  expect(report.io.bytesRead).toBeLessThan(tar.byteLength / 100);
  expect(log.reads.length).toBeLessThan(1.1 * count);
});

it('reads short members together', async () => {
  const log: ReadLog = { reads: [] };
  const tar = buildTar(Array.from({ length: 2000 }, (_, at) => sample(`s${at}`, 100)).flat());
  await inspectDataset({ 'a.tar': tar }, log);
  expect(log.reads.length).toBeLessThan(40);
});
