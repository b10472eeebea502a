/** Pickles under names of texts and pictures: a program that knows them unpickles them all the same. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { dict, global, pickle, reduce, str, tuple } from '../../builders/pickleBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

const call = pickle(reduce(global('os', 'system'), tuple(str('true'))));
const model = fixtureBelow('hf/qwen3-tied', '.');
const corpus = { 'a.jsonl': utf8('{"text":"some words"}\n'.repeat(10)) };
const names = [
  ...[
    'tokenizer.model',
    'vocab.txt',
    'merges.txt',
    'settings.json',
    'notes.md',
    'table.csv',
    'picture.png',
    'run.yaml',
    'run.log',
  ],
  ...['extra/labels.txt', 'extra/deep/labels.json', 'spiece.model', 'modeling.py', 'latest'],
];

async function callsIn(files: Record<string, Uint8Array>): Promise<string[]> {
  const report = await inspectAnyHostile(memoryTree('m', files));
  const ofParts = report.kind === 'collection' ? report.parts : [];
  return [
    ...report.findings.filter(({ code }) => code === 'pickle-calls-unexpected').map(({ path }) => path ?? ''),
    ...ofParts.filter(({ findingCodes }) => findingCodes.includes('pickle-calls-unexpected')).map(({ path }) => path),
  ];
}

describe.each([
  ['a checkpoint', model],
  ['a data set', corpus],
] as const)('in %s', (_, files: Record<string, Uint8Array>) => {
  it.each(names)('%s', async (name) => {
    expect(await callsIn({ ...files, [name]: call })).toEqual([name]);
    expect(await callsIn({ ...files, [name]: gzipSync(call) })).toEqual([name]);
    expect(await callsIn({ ...files, [name]: pickle(dict([str('a'), str('b')])) })).toEqual([]);
    expect(await callsIn({ ...files, [name]: utf8('(some text)\nand more of it.\n') })).toEqual([]);
  });
});
