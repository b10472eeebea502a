/** Which compressed JSON files are records: their beginnings are looked at, as those of plain ones are. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const record = (text: string): string => JSON.stringify({ text, id: 1 });
const document = JSON.stringify({ schema: { fields: [{ name: 'a', type: 'int' }] } }, null, 2);

it.each([
  ['lines', `${record('one')}\n${record('two')}\n`, 'dataset'],
  ['long lines', `${record('many words '.repeat(900))}\n${record('two')}\n`, 'dataset'],
  ['a list of records', `[${record('one')},${record('two')}]`, 'dataset'],
  ['one document', document, 'checkpoint'],
])('%s', async (_, text, kind) => {
  const report = await inspectAnyHostile(memoryTree('data.json.gz', { 'data.json.gz': gzipSync(utf8(text)) }));
  expect(report.kind).toBe(kind);
  expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});
