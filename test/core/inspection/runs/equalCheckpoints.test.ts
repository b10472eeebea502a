/** Copies of checkpoints under any name: sizes and bytes tell, not what the copy is called. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '../../../../src/core/bytes/limits.js';
import { filesBelow } from '../../../builders/diskTree.js';
import { memoryTree, type MemoryFile, type ReadLog } from '../../../builders/memoryTree.js';
import { inspectHostile } from '../../../hostile/accountable.js';

type Files = Record<string, MemoryFile>;
const sample: Files = filesBelow(path.resolve('samples/llama-tiny-trainer'));

function copyOf(original: string, copy: string): Files {
  return Object.fromEntries(
    Object.entries(sample).flatMap(([name, file]): [string, MemoryFile][] =>
      name.startsWith(`${original}/`) ? [[copy + name.slice(original.length), file]] : [],
    ),
  );
}

async function copiesIn(files: Files) {
  const report = await inspectHostile(memoryTree('run', files));
  const copies = report.run?.checkpoints.flatMap(({ path: at, copyOf: original }) =>
    original === undefined ? [] : [[at, original]],
  );
  return { report, copies };
}

it.each([
  ['checkpoint-30', 'checkpoint-30-backup'],
  ['checkpoint-30', 'checkpoint-30-keep'],
  ['checkpoint-20', 'checkpoint-020'],
])('a copy of %s named %s', async (original, copy) => {
  const { report, copies } = await copiesIn({ ...sample, ...copyOf(original, copy) });
  expect(copies).toEqual([[copy, original]]);
  expect(report.findings.map(({ code, path: at }) => [code, at])).toContainEqual(['checkpoint-copied', copy]);
  expect(report.step).toBe(30);
});

it('a copy under the name of another step is a finding, and stays in its place: loaders take it for that step', async () => {
  const { report, copies } = await copiesIn({ ...sample, ...copyOf('checkpoint-20', 'checkpoint-50') });
  expect(copies).toEqual([]);
  expect(report.findings.map(({ code, path: at }) => [code, at])).toContainEqual(['checkpoint-copied', 'checkpoint-50']);
  expect(report.storedTwice.items.map(({ paths }) => paths)).toContainEqual(['checkpoint-20', 'checkpoint-50']);
});

it('is none where a file has other bytes, or where no other checkpoint has its sizes', async () => {
  const name = 'checkpoint-50/optimizer.pt';
  const copy = copyOf('checkpoint-20', 'checkpoint-50');
  const changed = Uint8Array.from(copy[name] as Uint8Array, (byte, at) => (at % 64 === 40 ? byte ^ 1 : byte));
  for (const files of [{ ...sample, ...copy, [name]: changed }, sample]) {
    const { report } = await copiesIn(files);
    expect(report.findings.map(({ code }) => code)).not.toContain('checkpoint-copied');
  }
});

it('is looked for among the last checkpoints alone (copyProbes), two reads each', async () => {
  const of = (name: string): Uint8Array => sample[`checkpoint-20/${name}`] as Uint8Array;
  const names = ['trainer_state.json', 'scheduler.pt'] as const;
  const entries = Array.from({ length: limits.copyProbes + 10 }, (_, at) =>
    names.map((name): [string, MemoryFile] => [`checkpoint-${1000 + at}/${name}`, of(name)]),
  );
  const log: ReadLog = { reads: [] };
  await inspectHostile(memoryTree('run', Object.fromEntries(entries.flat()), log));
  const largest = of('trainer_state.json').byteLength > of('scheduler.pt').byteLength ? 'trainer_state.json' : 'scheduler.pt';
  const places = new Set([1, 2].map((third) => Math.floor((of(largest).byteLength * third) / 3)));
  const probes = log.reads.filter(
    ({ path: file, offset, length }) => file.endsWith(largest) && length === 256 && places.has(offset),
  );
  expect(probes).toHaveLength(2 * limits.copyProbes);
});
