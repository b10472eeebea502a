/** A verdict that rests on a file whose pickle makes an unexpected call. */
import { expect, it } from 'vitest';
import { headlineOf } from '../../../src/core/pages/checkpoint/headline.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import * as p from '../../builders/pickleBuilder.js';
import { inspectFiles } from '../../builders/torchDirectory.js';
import { buildTorchZip } from '../../builders/torchZipBuilder.js';

const call = p.reduce(p.global('os', 'system'), p.tuple(p.str('true')));
const calling = buildTorchZip({ pickle: p.pickle(p.dict([p.str('x'), call])), storages: {} });
const files = Object.fromEntries(
  Object.entries(fixtureBelow('hf/trainer-pure-bf16')).flatMap(([name, bytes]) =>
    name.startsWith('checkpoint-2/') ? [[name.slice(13), bytes]] : [],
  ),
);

it.each([
  ['scheduler.pt', 'unknown'],
  ['training_args.bin', 'complete'],
  ['notes.pkl', 'complete'],
])('%s: %s', async (name, verdict) => {
  expect((await inspectFiles(files, 'checkpoint-2')).resume.verdict).toBe('complete');
  const report = await inspectFiles({ ...files, [name]: calling }, 'checkpoint-2');
  expect(report.findings.map(({ code, path }) => [code, path])).toContainEqual(['pickle-calls-unexpected', name]);
  expect(report.resume.verdict).toBe(verdict);
  expect(report.resume.blockedBy).toEqual(verdict === 'unknown' ? ['pickle-calls-unexpected'] : []);
  expect(headlineOf(report).resume.startsWith('Resume: not known. Loading a file')).toBe(verdict === 'unknown');
});
