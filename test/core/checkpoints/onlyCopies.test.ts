/** Which files hold the only copy of the weights, before and after a user removes the optimizer. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { fixtureRoot } from '../../builders/frameworkFixtures.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree } from '../../builders/memoryTree.js';

async function reportOf(name: string, keep: (file: string) => boolean = () => true): Promise<CheckpointReport> {
  const folder = path.join(fixtureRoot, name, 'data');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter(keep);
  const tree = memoryTree(
    'save',
    Object.fromEntries(files.map((file) => [file, Uint8Array.from(readFileSync(path.join(folder, file)))])),
  );
  return (await inspectCheckpoint(tree, { path: 'save' })).report;
}

const isShard = (file: string): boolean => file.endsWith('_optim_states.pt');
const onlyIn = ({ files }: CheckpointReport): string[] =>
  files.filter(({ onlyCopyOfWeights }) => onlyCopyOfWeights === true).map((file) => file.path);
const codes = ({ findings }: CheckpointReport): string[] => findings.map(({ code }) => code);

describe('ZeRO-3', () => {
  it('has the trained weights in the files of the optimizer alone, and says so', async () => {
    const report = await reportOf('deepspeed/frozen-zero3-w2');
    expect(onlyIn(report)).toHaveLength(2);
    expect(onlyIn(report).every(isShard)).toBe(true);
    expect(report.files.find((file) => isShard(file.path))?.role).toMatch(/, only copy of the weights$/);
    expect(report.findings.find(({ code }) => code === 'weights-only-in-optimizer')).toMatchObject({ severity: 'note' });
  });

  it('without these files cannot be loaded', async () => {
    const report = await reportOf('deepspeed/frozen-zero3-w2', (file) => !isShard(file));
    expect(report.resume.verdict).toBe('broken');
  });
});

describe('ZeRO below stage 3', () => {
  it('has all weights in the model states as well', async () => {
    const report = await reportOf('deepspeed/zero1-bf16-w2');
    expect(onlyIn(report)).toEqual([]);
    expect(codes(report)).not.toContain('weights-only-in-optimizer');
  });

  it('without the files of the optimizer has its weights', async () => {
    const report = await reportOf('deepspeed/zero1-bf16-w2', (file) => !isShard(file));
    expect(report.resume.verdict).toBe('weights-only');
    expect(codes(report)).toContain('zero-shards-missing');
  });

  it('without some of them cannot be resumed', async () => {
    const report = await reportOf('deepspeed/zero1-bf16-w2', (file) => !/zero_pp_rank_1.*_optim_states/.test(file));
    expect(report.resume.verdict).toBe('broken');
    expect(codes(report)).toContain('rank-file-missing');
  });
});

it('a model with its master weights beside it is whole', async () => {
  expect(onlyIn(await reportOf('hf/trainer-pure-bf16'))).toEqual([]);
});

it('a GGUF with a vocabulary alone is a tokenizer, and no checkpoint', async () => {
  const report = await reportOf('gguf/vocab-only');
  expect(report).toMatchObject({ layout: 'gguf', resume: { verdict: 'none' } });
  expect(Object.keys(report.components)).toEqual(['tokenizer']);
  expect((await reportOf('gguf/split')).resume.verdict).toBe('weights-only');
});
