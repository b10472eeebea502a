/** Files and links that name the latest checkpoint: what loads by them, also where that is not the newest, or not in the listing. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { linkWithoutTarget } from '../../../../src/core/files/fileTree.js';
import { headlineOf } from '../../../../src/core/pages/checkpoint/headline.js';
import { filesBelow } from '../../../builders/diskTree.js';
import { memoryTree, type MemoryFile } from '../../../builders/memoryTree.js';
import { compileSchemaFile, schemaErrors } from '../../../builders/schemaErrors.js';
import { json, model, training } from '../../../builders/torchDirectory.js';
import { namespace, torchState } from '../../../builders/torchStateBuilder.js';
import { inspectHostile } from '../../../hostile/accountable.js';

type Files = Record<string, MemoryFile>;
const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const trainer: Files = filesBelow(path.resolve('samples/llama-tiny-trainer'));
const deepspeed: Files = filesBelow(path.resolve('samples/deepspeed-zero3'));

const directoryLink = (target: string): MemoryFile => ({
  entry: { link: { target, inside: false, isDirectory: true }, sizeBytes: 0 },
});
const dangling = (target: string): MemoryFile => ({
  entry: { link: { target, inside: false }, sizeBytes: 0, error: linkWithoutTarget },
});

/** The files with those of one directory once more under another name. */
function withSave(files: Files, original: string, copy: string): Files {
  const copied = Object.entries(files).flatMap(([name, file]): [string, MemoryFile][] =>
    name.startsWith(`${original}/`) ? [[copy + name.slice(original.length), file]] : [],
  );
  return { ...files, ...Object.fromEntries(copied) };
}

const without = (files: Files, prefix: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !name.startsWith(prefix)));

async function readRun(files: Files) {
  const report = await inspectHostile(memoryTree('run', files));
  const codes = report.findings.filter(({ severity }) => severity !== 'note').map(({ code }) => code);
  return { report, codes, verdict: headlineOf(report).verdict };
}

describe('a pointer to an older checkpoint than the newest', () => {
  it('of DeepSpeed is what loads, and the newer one may be unfinished', async () => {
    const { report, codes, verdict } = await readRun(withSave(deepspeed, 'global_step3', 'global_step6'));
    expect(report.run?.loaded).toEqual({ path: 'global_step3', pointer: 'latest' });
    expect(report.step).toBe(3);
    expect(codes).toContain('pointer-names-older');
    expect(codes).not.toContain('tag-pointer-missing');
    expect(verdict).toMatch(/^latest names global_step3, which loads; global_step6 is newer and may be unfinished\. Resume/);
    expect(report.findings.find(({ code }) => code === 'pointer-names-older')?.message).toContain('global_step6 is newer');
  });

  const iteration = (step: number): Uint8Array =>
    torchState((tensor) => ({
      args: namespace({ world_size: 1 }),
      checkpoint_version: 3,
      iteration: step,
      model: { 'embedding.weight': tensor([8, 4]) },
      optimizer: { optimizer: { state: { '0': { exp_avg: tensor([8, 4]) } } } },
    }));
  const actor = (step: number): Files => ({
    [`global_step_${step}/actor/model_world_size_1_rank_0.pt`]: model,
    [`global_step_${step}/actor/optim_world_size_1_rank_0.pt`]: torchState((tensor) => ({
      state: { '0': { exp_avg: tensor([4, 8]) } },
    })),
    [`global_step_${step}/actor/extra_state_world_size_1_rank_0.pt`]: torchState(() => ({ lr_scheduler: { last_epoch: 3 } })),
    [`global_step_${step}/actor/fsdp_config.json`]: json({ FSDP_version: 2, world_size: 1 }),
  });
  const own = (step: number): Files => ({ [`step-${step}/model.pt`]: model, [`step-${step}/optimizer.pt`]: training() });
  it.each<[string, string, (step: number) => Files]>([
    [
      'latest_checkpointed_iteration.txt',
      '100',
      (step) => ({ [`iter_0000${step}/mp_rank_00/model_optim_rng.pt`]: iteration(step) }),
    ],
    ['latest_checkpointed_iteration.txt', '100', actor],
    ['latest.txt', 'step-100', own],
  ])('in %s of other frameworks likewise', async (pointer, target, save) => {
    const { report, codes } = await readRun({ ...save(100), ...save(200), [pointer]: text(target) });
    const [first] = Object.keys(save(100));
    expect(report.run?.loaded).toEqual({ path: first?.split('/')[0], pointer });
    expect(codes).toContain('pointer-names-older');
    expect(report.step).toBe(100);
    const whole = await readRun({ ...save(100), ...save(200), [pointer]: text(target.replace('1', '2')) });
    expect(whole.report.run?.loaded).toBeUndefined();
    expect(whole.codes).not.toContain('pointer-names-older');
  });

  it('by a link likewise', async () => {
    const files = withSave(without(deepspeed, 'latest'), 'global_step3', 'global_step6');
    const link: MemoryFile = { entry: { link: { target: 'global_step3', inside: true, isDirectory: true }, sizeBytes: 0 } };
    expect((await readRun({ ...files, latest: link })).report.run?.loaded).toEqual({ path: 'global_step3', pointer: 'latest' });
    expect((await readRun({ ...files, best: link })).report.run?.loaded).toBeUndefined();
  });

  it('inside of a checkpoint is a finding as well', async () => {
    const inner = Object.fromEntries(Object.entries(deepspeed).map(([name, file]) => [name, file]));
    const files = { ...withSave(inner, 'global_step3', 'global_step6'), 'trainer_state.json': text('{"global_step": 6}') };
    const { codes } = await readRun(files);
    expect(codes).toContain('pointer-names-older');
  });

  it('means nothing where the framework looks for the highest step', async () => {
    const { report, codes, verdict } = await readRun({ ...trainer, latest: text('checkpoint-20') });
    expect(report.run?.loaded).toBeUndefined();
    expect({ codes, step: report.step }).toEqual({ codes: [], step: 30 });
    expect(verdict).toMatch(/^The newest is checkpoint-30\. Resume: complete\b(?! by)/);
  });
});

describe('a link to a checkpoint outside of the directory', () => {
  it.each(['../scratch/checkpoint-30', '/scratch/run/checkpoint-30'])('%s is not followed, and not missing', async (target) => {
    const files = { ...without(trainer, 'checkpoint-30/'), 'checkpoint-30': directoryLink(target) };
    const { report, codes, verdict } = await readRun(files);
    expect(report.run?.pointers).toEqual([{ path: 'checkpoint-30', target, exists: true, followed: false }]);
    expect(codes).toEqual(['newer-link-not-followed']);
    expect(verdict).toMatch(
      /^The newest that was read is checkpoint-20; checkpoint-30 was not followed\. Resume: complete\b(?! by)/,
    );
    expect(schemaErrors(compileSchemaFile('docs/report.schema.json'), report)).toEqual([]);
  });

  it('is no finding where it is no newer one', async () => {
    const { codes } = await readRun({ ...trainer, best: directoryLink('../scratch/checkpoint-30') });
    expect(codes).toEqual([]);
  });

  it('is where a pointer file leads, too', async () => {
    const files = { ...deepspeed, latest: text('global_step6'), global_step6: directoryLink('/scratch/global_step6') };
    expect((await readRun(files)).codes).not.toContain('pointer-target-missing');
    const more = withSave(files, 'global_step3', 'global_step2');
    const { report, codes } = await readRun(more);
    expect(report.run?.pointers).toContainEqual({ path: 'latest', target: 'global_step6', exists: true, followed: false });
    expect(codes).not.toContain('pointer-target-missing');
    expect(codes).toContain('newer-link-not-followed');
  });
});

describe('a link that leads to nothing', () => {
  it('is ignored by a framework that looks for the highest step', async () => {
    const { report, codes, verdict } = await readRun({ ...trainer, last: dangling('/gone') });
    expect(codes).toEqual(['pointer-target-missing']);
    expect(report.resume.pointer).toBeUndefined();
    expect(verdict).toMatch(/^The newest is checkpoint-30\. Resume: complete\b(?! by)/);
  });

  it('keeps one that goes by it from finding its checkpoint', async () => {
    const files = withSave(without(deepspeed, 'latest'), 'global_step3', 'global_step2');
    const { report } = await readRun({ ...files, latest: dangling('/gone/global_step9') });
    expect(report.resume.pointer).toMatchObject({ path: 'latest', fault: 'target-missing' });
  });
});
