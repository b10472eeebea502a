import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

/** A real Trainer checkpoint of two ranks, in a folder where it may be damaged. */
let folder = '';
let checkpoint = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
  checkpoint = path.join(folder, 'checkpoint-2');
  cpSync('test/fixtures/frameworks/hf/trainer-ddp-2r/data/checkpoint-2', checkpoint, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(checkpoint, name);
const inspectIt = async (): Promise<CheckpointReport> => inspectHostile(await createNodeFileTree(checkpoint));
const codes = (report: CheckpointReport): string[] => report.findings.map((finding) => finding.code);

describe('an intact checkpoint', () => {
  it('can be resumed, and knows its ranks', async () => {
    const report = await inspectIt();
    expect(report.resume).toMatchObject({ verdict: 'complete', missing: [], blockedBy: [] });
    expect(report.topology.worldSize).toBe(2);
    expect(report.optimizerMatch).toMatchObject({ method: 'by-order-and-shape', matched: 12, total: 12 });
  });

  it('shows learning rate, betas, epoch and step without running anything', async () => {
    const facts = Object.fromEntries((await inspectIt()).facts.map((fact) => [fact.id, fact.value]));
    expect(facts).toMatchObject({ betas: '0.9, 0.999', step: '2', maxSteps: '2', weightDecay: '0.0' });
  });
});

describe('what is missing', () => {
  it.each([
    ['optimizer.pt', 'optimizer-missing', 'weights-only'],
    ['scheduler.pt', 'scheduler-missing', 'partial'],
    ['rng_state_0.pth', 'rng-rank-missing', 'partial'],
    ['rng_state_1.pth', 'rng-rank-missing', 'partial'],
    ['training_args.bin', 'file-missing', 'complete'],
    ['config.json', 'file-missing', 'complete'],
    ['model.safetensors', 'weights-missing', 'broken'],
    ['trainer_state.json', 'trainer-state-lost', 'broken'],
  ])('%s', async (name, code, verdict) => {
    rmSync(at(name));
    const report = await inspectIt();
    expect(codes(report)).toContain(code);
    expect(report.resume.verdict).toBe(verdict);
  });

  it('all random states', async () => {
    rmSync(at('rng_state_0.pth'));
    rmSync(at('rng_state_1.pth'));
    const report = await inspectIt();
    expect(report.resume).toMatchObject({ verdict: 'partial', missing: [{ component: 'rng' }] });
  });
});

describe('what is in the wrong place or of the wrong kind', () => {
  it('two files exchanged', async () => {
    renameSync(at('optimizer.pt'), at('x'));
    renameSync(at('scheduler.pt'), at('optimizer.pt'));
    renameSync(at('x'), at('scheduler.pt'));
    expect(codes(await inspectIt()).filter((code) => code === 'content-not-its-role')).toHaveLength(2);
  });

  it.each([
    ['a Git LFS pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 16060522496\n', 'file-is-lfs-pointer'],
    ['a web page', '<!DOCTYPE html><html><title>Sign in</title></html>', 'file-is-web-page'],
    ['an error message', '{"error":"Repository not found"}', 'file-is-web-page'],
    ['nothing', '', 'file-empty'],
    ['zeros', '\0'.repeat(20_000), 'file-zero-filled'],
  ])('%s in place of weights and of optimizer state', async (_, content, code) => {
    writeFileSync(at('model.safetensors'), content);
    writeFileSync(at('optimizer.pt'), content);
    const report = await inspectIt();
    expect(codes(report).filter((found) => found === code)).toHaveLength(2);
    expect(report.resume.verdict).toBe('broken');
  });

  it('the step of another checkpoint', async () => {
    writeFileSync(at('trainer_state.json'), '{"global_step": 40}');
    expect(codes(await inspectIt())).toContain('step-differs');
  });

  it('a file cut to half', async () => {
    truncateSync(at('optimizer.pt'), 75_000);
    const report = await inspectIt();
    expect(report.findings.find((finding) => finding.code === 'zip-directory-missing')).toMatchObject({
      path: 'optimizer.pt',
      severity: 'error',
    });
  });

  it('a leftover of an interrupted save', async () => {
    writeFileSync(at('model.safetensors.tmp'), 'x');
    expect(codes(await inspectIt())).toContain('leftover-file');
  });
});

describe('links', () => {
  it('a link to a file of the checkpoint counts once, a link to a directory is not followed', async () => {
    const before = (await inspectIt()).totalBytes;
    symlinkSync('model.safetensors', at('latest.safetensors'));
    symlinkSync('..', at('up'));
    symlinkSync('.', at('here'));
    const report = await inspectIt();
    expect(report.totalBytes).toBe(before);
    expect(report.findings.flatMap(({ code, path }) => (code.startsWith('link-') ? [[code, path]] : []))).toEqual([
      ['link-within', 'here'],
      ['link-not-followed', 'up'],
    ]);
    expect(report.files.find((file) => file.path === 'latest.safetensors')).toMatchObject({
      bytes: 0,
      link: 'model.safetensors',
    });
  });

  it('a link to a file elsewhere counts with its bytes, as in the Hugging Face cache', async () => {
    renameSync(at('model.safetensors'), path.join(folder, 'blob'));
    symlinkSync('../blob', at('model.safetensors'));
    const report = await inspectIt();
    expect(report.components.weights?.tensorBytes).toBe(70_016);
    expect(codes(report)).toContain('link-outside');
  });
});

describe('what the verdict rests on', () => {
  it('the headers of all files with state', async () => {
    expect((await inspectIt()).resume).toMatchObject({ basis: 'header', coverage: { counted: 7, of: 7, unit: 'files' } });
  });

  it('fewer where one cannot be read', async () => {
    writeFileSync(at('scheduler.pt'), '<!DOCTYPE html><html></html>');
    const { resume, checks } = await inspectIt();
    expect(resume.coverage).toEqual({ counted: 6, of: 7, unit: 'files' });
    expect(checks.done).toContain('torch files: directory of the archive, storages against the object, file size (4 of 5 files)');
    expect(checks.notDone).toContain('the contents of 1 file that could not be read');
  });

  it('fewer where an index lists a shard that is not there', async () => {
    const files = fixtureBelow('hf/llama-sharded-bf16');
    const whole = (await inspectCheckpoint(memoryTree('m', files), { path: 'm' })).report.resume.coverage;
    delete files['model-00002-of-00003.safetensors'];
    const { resume } = (await inspectCheckpoint(memoryTree('m', files), { path: 'm' })).report;
    expect(whole).toEqual({ counted: 3, of: 3, unit: 'files' });
    expect(resume.coverage).toEqual({ counted: 2, of: 3, unit: 'files' });
    delete files['model.safetensors.index.json'];
    const unindexed = (await inspectCheckpoint(memoryTree('m', files), { path: 'm' })).report.resume;
    expect(unindexed.coverage).toEqual({ counted: 2, of: 3, unit: 'files' });
  });

  it('fewer where a rank’s file is missing', async () => {
    const files = fixtureBelow('deepspeed/zero1-bf16-w2');
    const [shard] = Object.keys(files).filter((file) => file.includes('zero_pp_rank_1'));
    delete files[shard as string];
    const { coverage } = (await inspectCheckpoint(memoryTree('m', files), { path: 'm' })).report.resume;
    expect((coverage?.of ?? 0) - (coverage?.counted ?? 0)).toBe(1);
  });
});
