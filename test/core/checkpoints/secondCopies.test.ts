/** Second copies of the files of a checkpoint: none of them is part of its state. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

type Files = Record<string, Uint8Array>;

const distributed = 'dcp/titan-last-bf16';
const trainer = 'hf/trainer-pure-bf16';
const deepspeed = 'deepspeed/zero1-bf16-w2';

const inspectFiles = (files: Files): Promise<CheckpointReport> => inspectHostile(memoryTree('m', files));
const directoryOf = (files: Files, name: string): string => {
  const path = Object.keys(files).find((each) => each.endsWith(`/${name}`)) ?? name;
  return path.slice(0, path.length - name.length);
};

/** What a report has to have in common with that of the files without the copy. */
const stateOf = ({ parameters, resume, components, topology, layout, step }: CheckpointReport): unknown => {
  const { unexplained: _, ...own } = components;
  return { parameters, resume, components: own, topology, layout, step };
};

async function expectLeftover(
  fixture: string,
  original: string,
  name: string,
  bytes: (whole: Uint8Array) => Uint8Array,
): Promise<void> {
  const files = fixtureBelow(fixture);
  const path = directoryOf(files, original) + name;
  const whole = files[directoryOf(files, original) + original] as Uint8Array;
  const [plain, copied] = [await inspectFiles(files), await inspectFiles({ ...files, [path]: bytes(whole) })];
  expect(stateOf(copied)).toEqual(stateOf(plain));
  // What a cut archive imports cannot be listed, which holds for a leftover too.
  const own = copied.findings.filter((finding) => finding.path === path && finding.code !== 'pickle-not-scanned');
  expect(own).toMatchObject([{ code: 'leftover-file', severity: 'note' }]);
  expect(copied.findings.filter((finding) => finding.path !== path)).toEqual(plain.findings);
  expect(copied.totalBytes).toBe(plain.totalBytes + bytes(whole).byteLength);
}

describe('what rsync was receiving', () => {
  it.each([
    [distributed, '__0_0.distcp', '.__0_0.distcp.Ab12Cd'],
    [distributed, '.metadata', '..metadata.k2Jd8s'],
    [trainer, 'model.safetensors', '.model.safetensors.Xy12Ab'],
    [trainer, 'optimizer.pt', '.optimizer.pt.Ab12Cd'],
    [trainer, 'config.json', '.config.json.QwErTy'],
    [deepspeed, 'mp_rank_00_model_states.pt', '.mp_rank_00_model_states.pt.k2Jd8s'],
    ['orbax/v1-pytree', 'manifest.ocdbt', '.manifest.ocdbt.k2Jd8s'],
  ])('%s: %s as %s', (fixture, original, name) =>
    expectLeftover(fixture, original, name, (whole) => whole.slice(0, whole.byteLength / 2)),
  );

  it('is state neither where the file that it was to be is not there', async () => {
    const files = fixtureBelow(trainer);
    const path = `${directoryOf(files, 'model.safetensors')}.model-2.safetensors.Xy12Ab`;
    const report = await inspectFiles({ ...files, [path]: new Uint8Array(35_000) });
    expect(report.findings.filter((finding) => finding.path === path)).toMatchObject([{ code: 'leftover-file' }]);
  });
});

describe('a backup or a second copy', () => {
  const whole = (bytes: Uint8Array): Uint8Array => bytes;

  it.each([
    [distributed, '__0_0.distcp', '__0_0.distcp.bak'],
    [distributed, '__0_0.distcp', '__0_0.distcp~'],
    [distributed, '__0_0.distcp', '__0_0.distcp.~1~'],
    [distributed, '__0_0.distcp', '__0_0.distcp.1'],
    [distributed, '__0_0.distcp', '__0_0 (1).distcp'],
    [distributed, '.metadata', '.metadata.bak'],
    [trainer, 'model.safetensors', 'model.safetensors.orig'],
    [trainer, 'model.safetensors', '.model.safetensors.abcdef'],
    [trainer, 'model.safetensors', 'model copy 2.safetensors'],
    [trainer, 'optimizer.pt', 'optimizer (1).pt'],
    [trainer, 'optimizer.pt', 'optimizer.pt.bak'],
    [trainer, 'optimizer.pt', 'optimizer - Copy.pt'],
    [trainer, 'optimizer.pt', 'Copy of optimizer.pt'],
    [trainer, 'config.json', 'config.json.old'],
    [trainer, 'trainer_state.json', 'trainer_state (2).json'],
    [deepspeed, 'mp_rank_00_model_states.pt', 'mp_rank_00_model_states (1).pt'],
    [deepspeed, 'bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt', 'bf16_zero_pp_rank_0_mp_rank_00_optim_states (1).pt'],
    ['hf/llama-sharded-bf16', 'model-00002-of-00003.safetensors', 'Copy of model-00002-of-00003.safetensors'],
    ['orbax/v1-pytree', '_METADATA', '_METADATA.bak'],
    ['orbax/v1-pytree', 'manifest.ocdbt', 'manifest (1).ocdbt'],
  ])('%s: %s as %s', (fixture, original, name) => expectLeftover(fixture, original, name, whole));

  it.each(['model (1).safetensors', 'optimizer.pt.bak'])('%s is state where it is the only one', async (name) => {
    const files = fixtureBelow(trainer);
    const original = name.replace(/ \(1\)|\.bak/, '');
    const path = directoryOf(files, original) + original;
    const { [path]: bytes, ...others } = files;
    const report = await inspectFiles({ ...others, [directoryOf(files, original) + name]: bytes as Uint8Array });
    expect(report.findings.map(({ code }) => code)).not.toContain('leftover-file');
    expect(report.components[original === 'optimizer.pt' ? 'optimizer' : 'weights']).toBeDefined();
  });
});
