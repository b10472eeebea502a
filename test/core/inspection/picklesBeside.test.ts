/** Pickles beside what a reader claims are scanned too: in data sets, and among the other files of a collection. */
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { utf8 } from '../../builders/byteWriter.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { dict, global, pickle, reduce, str, tuple } from '../../builders/pickleBuilder.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

/** An array of one object: NumPy pickles the list of them. */
function npyOf(pickled: Uint8Array): Uint8Array {
  const text = "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".padEnd(117) + '\n';
  return new Uint8Array([0x93, ...utf8('NUMPY'), 1, 0, text.length, 0, ...utf8(text), ...pickled]);
}

type Files = Record<string, Uint8Array>;

const call = pickle(reduce(global('os', 'system'), tuple(str('true'))));
const harmless = pickle(dict([str('mean'), str('0.5')]));
const corpus = { 'corpus/a.jsonl': utf8('{"text":"some words"}\n'.repeat(10)) };
const models = { ...fixtureBelow('hf/qwen3-tied', 'a'), ...fixtureBelow('hf/gpt2-tied', 'b') };

/** Code and path of each finding that is about a call or an import, and what was not done. */
async function seenIn(files: Files) {
  const report = await inspectAnyHostile(memoryTree('team', files));
  const findings = report.findings.filter(({ code }) => code.startsWith('pickle-')).map(({ code, path }) => `${code} ${path}`);
  return { kind: report.kind, findings, notDone: report.checks.notDone };
}

describe.each([
  ['a data set', corpus, 'dataset', 'corpus/'],
  ['a collection', models, 'collection', 'shared/'],
  ['a collection with a data set', { ...models, ...corpus }, 'collection', 'shared/'],
] as const)('beside the files of %s', (_, files: Files, kind, folder) => {
  it.each([
    ['a pickle', 'stats.pkl', call],
    ['a pickle without an extension that promises one', 'index.dat', call],
    ['a compressed one', 'vocabulary.joblib', gzipSync(call)],
    ['one without an extension', 'scaler', call],
    ['one in an archive', 'model.zip', zipSync({ 'a/data.pkl': call })],
    ['an array of objects', 'labels.npy', npyOf(call)],
  ])('%s that calls something is an error', async (_what, name, bytes) => {
    const path = `${folder}${name}`;
    expect(await seenIn({ ...files, [path]: bytes })).toMatchObject({ kind, findings: [`pickle-calls-unexpected ${path}`] });
  });

  it('one that names something without a call is a warning', async () => {
    const path = `${folder}stats.pkl`;
    const seen = await seenIn({ ...files, [path]: pickle(global('os', 'system')) });
    expect(seen).toMatchObject({ kind, findings: [`pickle-import-unexpected ${path}`] });
  });

  it('a harmless one is nothing', async () => {
    expect(await seenIn({ ...files, [`${folder}stats.pkl`]: harmless })).toMatchObject({ kind, findings: [] });
  });
});

it('of very many among the files of a checkpoint those with names of pickles, and small ones, are looked at', async () => {
  const large = new Uint8Array(4096).fill(1);
  const many = Array.from({ length: limits.sniffedFiles + 500 }, (_, at) => [`a/other-${at}.unknown`, large] as const);
  const files = { ...fixtureBelow('hf/qwen3-tied', 'a'), ...Object.fromEntries(many) };
  const padded = new Uint8Array(3000);
  padded.set(call);
  const { findings } = await seenIn({ ...files, 'a/z.joblib': padded, 'a/zz.what': call });
  expect(findings.filter((finding) => finding.startsWith('pickle-calls'))).toEqual([
    'pickle-calls-unexpected a/z.joblib',
    'pickle-calls-unexpected a/zz.what',
  ]);
});

it('of very many beside data small ones are looked at first', async () => {
  const large = new Uint8Array(4096).fill(1);
  const many = Array.from({ length: limits.picklesBeside + 3 }, (_, at) => [`shared/a${at}.unknown`, large] as const);
  const { findings } = await seenIn({ ...models, ...Object.fromEntries(many), 'shared/z.what': call });
  expect(findings).toEqual(['pickle-calls-unexpected shared/z.what']);
});

it('of very many among the other files of a collection the first are looked at, which is said', async () => {
  const many = Array.from({ length: limits.picklesBeside + 3 }, (_, at) => [`shared/${at}.pkl`, harmless] as const);
  const { notDone } = await seenIn({ ...models, ...Object.fromEntries(many) });
  expect(notDone.join()).toContain('the imports of 3 other pickles');
});
