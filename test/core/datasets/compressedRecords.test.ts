/** Which compressed JSON files are records: their beginnings are looked at, as those of plain ones are. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
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
