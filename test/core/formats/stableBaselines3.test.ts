/** Zip archives of Stable-Baselines3: what the library does not write, damage, and zips of other programs. */
import { unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { decodeBase64 } from '../../../src/core/bytes/base64.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import * as p from '../../builders/pickleBuilder.js';
import { utf8 } from '../../builders/byteWriter.js';
import { inspectHostile } from '../../hostile/accountable.js';

const members = unzipSync(fixtureBelow('stable-baselines3/ppo')['ppo.zip'] as Uint8Array);
const codes = ({ findings }: CheckpointReport): string[] => findings.map(({ code }) => code);

/** The archive with other members, or without those that are null. */
function read(changes: Record<string, Uint8Array | null> = {}, level: 0 | 6 = 0): Promise<CheckpointReport> {
  const all = Object.entries({ ...members, ...changes }).filter((entry): entry is [string, Uint8Array] => entry[1] !== null);
  return inspectHostile(memoryTree('m.zip', { 'm.zip': zipSync(Object.fromEntries(all), { level }) }));
}

describe('an archive', () => {
  it('is read in place, with the version and the step', async () => {
    const report = await read();
    expect(report).toMatchObject({
      layout: 'stable-baselines3',
      framework: { name: 'stable-baselines3', version: '2.9.2' },
      step: 64,
      findings: [{ code: 'pickle-needs-code' }, { code: 'pickle-needs-code' }],
      resume: { verdict: 'partial', missing: [{ component: 'rng' }] },
      components: { weights: { tensorBytes: 1004 }, optimizer: { tensorBytes: 2056 } },
    });
    expect(report.pickleImports.map(({ name }) => name)).toContain('stable_baselines3.common.policies.ActorCriticPolicy');
    expect(report.objects.some(({ root }) => root.children?.some(({ key }) => key === 'num_timesteps'))).toBe(true);
  });

  it('that was deflated has the same tensors, which share the bytes of their members', async () => {
    const [stored, deflated] = [await read(), await read({}, 6)];
    expect(deflated).toMatchObject({ layout: 'stable-baselines3', findings: stored.findings, tensorCount: stored.tensorCount });
    expect(deflated.parameters.unique).toBe(251);
    expect(deflated.components.unexplained).toBeUndefined();
  });

  it('names what its attributes would import', async () => {
    const pickle = p.pickle(p.reduce(p.global('os', 'system'), p.tuple(p.str('true'))));
    const data = JSON.stringify({ policy: { ':type:': 'x', ':serialized:': Buffer.from(pickle).toString('base64') } });
    const report = await read({ data: utf8(data) });
    expect(report.findings).toMatchObject([{ code: 'pickle-calls-unexpected', severity: 'error' }]);
    expect(report.pickleImports[0]).toMatchObject({ name: 'os.system', expected: false });
  });

  it.each(['extra', 'system_info.txt', 'callbacks.dat', 'a/b'])('names what a member imports that is called %s', async (name) => {
    const pickle = p.pickle(p.reduce(p.global('os', 'system'), p.tuple(p.str('true'))));
    for (const level of [0, 6] as const)
      expect((await read({ [name]: pickle }, level)).findings).toContainEqual(
        expect.objectContaining({ code: 'pickle-calls-unexpected', severity: 'error' }),
      );
  });

  it.each([
    ['attributes that are no JSON', { data: utf8('{') }, 'header-corrupt'],
    ['an attribute that is no base64', { data: utf8('{"a":{":serialized:":"="}}') }, 'header-corrupt'],
    ['an attribute that is no pickle', { data: utf8('{"a":{":serialized:":"AAAA"}}') }, 'header-corrupt'],
    ['a cut policy', { 'policy.pth': (members['policy.pth'] as Uint8Array).subarray(0, 2000) }, 'zip-directory-missing'],
    ['something else in place of the policy', { 'policy.pth': utf8('no torch file') }, 'header-corrupt'],
    ['no policy', { 'policy.pth': null, 'pytorch_variables.pth': null }, 'weights-missing'],
  ])('with %s has an error', async (_, changes, code) => {
    expect(codes(await read(changes))).toContain(code);
  });
});

it('another zip that begins with a member called data is a zip', async () => {
  const report = await inspectHostile(memoryTree('m.zip', { 'm.zip': zipSync({ data: utf8('{}'), 'a.txt': utf8('a') }) }));
  expect(report).toMatchObject({ layout: 'unknown', files: [{ format: 'zip' }] });
  expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

it('base64 is decoded as it is written, and refused otherwise', () => {
  for (const text of ['', 'f', 'fo', 'foo', 'foob', '\u00ff\u00fe\u0000'])
    expect(decodeBase64(Buffer.from(text, 'latin1').toString('base64'))).toEqual(new Uint8Array(Buffer.from(text, 'latin1')));
  for (const text of ['A', 'AA', 'A===', 'AA A', '=AAA', 'AA=A', 'A\u00e4AA']) expect(decodeBase64(text)).toBeUndefined();
});
