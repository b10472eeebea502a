/** Which compressed JSON files are records: their beginnings are looked at, as those of plain ones are. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { concat, u32, utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { global, pickle, reduce, str, tuple } from '../../builders/pickleBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const record = (text: string): string => JSON.stringify({ text, id: 1 });
const document = JSON.stringify({ schema: { fields: [{ name: 'a', type: 'int' }] } }, null, 2);

/** Texts that do not compress, so that the first bytes of the file hold a part of it. */
function longDocument(indent: number): string {
  const items = Array.from({ length: 5_000 }, (_, at) => ({ id: at, score: (at * 2_654_435_761) % 4_294_967_296 }));
  return JSON.stringify({ version: 3, items }, null, indent);
}

it.each([
  ['lines', `${record('one')}\n${record('two')}\n`, 'dataset'],
  ['long lines', `${record('many words '.repeat(900))}\n${record('two')}\n`, 'dataset'],
  ['a list of records', `[${record('one')},${record('two')}]`, 'dataset'],
  ['one document', document, 'checkpoint'],
  ['one document that is longer than its beginning', longDocument(2), 'checkpoint'],
  ['one that is one line', longDocument(0), 'checkpoint'],
])('%s', async (_, text, kind) => {
  const report = await inspectAnyHostile(memoryTree('data.json.gz', { 'data.json.gz': gzipSync(utf8(text)) }));
  expect(report.kind).toBe(kind);
  expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

it.each([
  ['data.jsonl', (text: string) => utf8(text)],
  ['data.jsonl.gz', (text: string) => gzipSync(utf8(text))],
] as const)('one document over many lines in %s is no damage of each', async (name, bytesOf) => {
  const codesOf = async (text: string): Promise<string[]> =>
    (await inspectAnyHostile(memoryTree('d', { [name]: bytesOf(text) }))).findings.map(({ code }) => code);
  expect(await codesOf(document)).toEqual(['name-of-another-format']);
  expect(await codesOf(longDocument(2))).toEqual(['name-of-another-format']);
  expect(await codesOf(`${record('one')}\n${record('two')}\n`)).toEqual([]);
  expect(await codesOf(`${record('one').slice(0, 9)}\n${record('two')}\n`)).toEqual(['line-corrupt']);
});

/** Blocks of Zstandard as they are, without compression. */
function zstd(text: string, blockBytes = 100_000): Uint8Array {
  const bytes = utf8(text);
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.byteLength || at === 0; at += blockBytes) {
    const block = bytes.subarray(at, at + blockBytes);
    const header = (block.byteLength << 3) | (at + blockBytes >= bytes.byteLength ? 1 : 0);
    blocks.push(Uint8Array.of(header & 255, (header >> 8) & 255, header >> 16), block);
  }
  return concat(u32(0xfd2fb528), Uint8Array.of(0, 0x58), ...blocks);
}

const skippable = (bytes: number): Uint8Array => concat(u32(0x184d2a50), u32(bytes), new Uint8Array(bytes));

describe.each([
  ['jsonl.zst', [3, 50_000]],
  ['json.zst', [50_000]],
] as const)('frames of Zstandard in data.%s', (extension, blockSizes) => {
  const records = Array.from({ length: 200 }, (_, at) => `${record(`words ${at} `.repeat(40))}\n`);
  const all = records.join('');
  it.each<readonly [string, Uint8Array]>([
    ['one behind the other', concat(...records.map((line) => zstd(line)))],
    ['within a line', concat(zstd(all.slice(0, 30_005)), zstd(all.slice(30_005)))],
    ['behind an empty one', concat(zstd(''), zstd(all))],
    ['behind user data', concat(skippable(8), zstd(all))],
    ['behind much user data', concat(skippable(5_000), zstd(all))],
    [
      'around user data',
      concat(zstd(records.slice(0, 9).join('')), skippable(100), zstd(records.slice(9).join('')), skippable(9)),
    ],
    ...blockSizes.map((bytes) => [`of blocks of ${bytes} B`, zstd(all, bytes)] as const),
  ])('%s', async (_, bytes) => {
    const report = await inspectAnyHostile(memoryTree('data', { [`data.${extension}`]: bytes }));
    expect(report).toMatchObject({ kind: 'dataset', layout: 'jsonl', samples: 200, findings: [] });
  });
});

it('one document in a block of Zstandard that is longer than the beginning is none of records', async () => {
  for (const bytes of [zstd(longDocument(2)), zstd(longDocument(0)), concat(skippable(5_000), zstd(document))]) {
    const report = await inspectAnyHostile(memoryTree('data.json.zst', { 'data.json.zst': bytes }));
    expect(report.kind).toBe('checkpoint');
  }
});

it('pickles behind user data of Zstandard are scanned', async () => {
  const call = pickle(reduce(global('os', 'system'), tuple(str('true'))));
  const frame = concat(u32(0xfd2fb528), Uint8Array.of(0, 0x58, (call.byteLength << 3) | 1, 0, 0), call);
  const report = await inspectAnyHostile(memoryTree('m', { 'model.pkl': concat(skippable(9), frame) }));
  expect(report.findings.map(({ code }) => code)).toContain('pickle-calls-unexpected');
});
