/** The file that names the latest tag: DeepSpeed loads nothing without it. */
import { describe, expect, it } from 'vitest';
import { fixtureBelow } from '../../../builders/frameworkFixtures.js';
import type { MemoryFile } from '../../../builders/memoryTree.js';
import { inspectFiles, json, without } from '../../../builders/torchDirectory.js';

type Files = Record<string, MemoryFile>;

const plain = (): Files => fixtureBelow('deepspeed/zero1-bf16-w2');
const universal = (): Files => fixtureBelow('deepspeed/universal-zero3-w2');
const trainer = (): Files => ({ ...plain(), 'trainer_state.json': json({ global_step: 6 }) });
const below = (files: Files, from: string, to: string): Files =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) => (name.startsWith(from) ? [[to + name.slice(from.length), file]] : [])),
  );

async function pointersOf(files: Files, rootName = 'run'): Promise<[severity: string, message: string][]> {
  const { findings } = await inspectFiles(files, rootName);
  return findings.filter(({ code }) => code.endsWith('tag-pointer-missing')).map(({ severity, message }) => [severity, message]);
}

const message = (file: string, tag: string): string => `${file} is missing, which names ${tag} as the latest tag.`;

describe('a tag without the file that names it', () => {
  it('is a warning beside a tag of DeepSpeed', async () => {
    expect(await pointersOf(plain())).toEqual([]);
    expect(await pointersOf(without(plain(), 'latest'))).toEqual([['warning', message('latest', 'global_step6')]]);
  });

  it('is a warning beside a universal checkpoint, which has a pointer of its own', async () => {
    expect(await pointersOf(universal())).toEqual([]);
    const files = { ...without(universal(), 'latest_universal'), latest: json('global_step4') };
    expect(await pointersOf(files)).toEqual([['warning', message('latest_universal', 'global_step4_universal')]]);
  });

  it('is an error in a checkpoint of Trainer', async () => {
    expect(await pointersOf(trainer(), 'checkpoint-6')).toEqual([]);
    const files = without(trainer(), 'latest');
    expect(await pointersOf(files, 'checkpoint-6')).toEqual([['error', message('latest', 'global_step6')]]);
    expect((await inspectFiles(files, 'checkpoint-6')).resume.verdict).toBe('broken');
  });

  it('that is of a checkpoint of Trainer names a tag that is there', async () => {
    const report = await inspectFiles({ ...trainer(), latest: json('global_step9').subarray(1, -1) }, 'checkpoint-6');
    const named = report.findings.filter(({ code }) => code.endsWith('tag-missing') || code.startsWith('pointer-target'));
    expect(named.map(({ code, severity, path }) => [code, severity, path])).toEqual([['trainer-tag-missing', 'error', 'latest']]);
    expect(report.resume.verdict).toBe('broken');
  });

  it('leaves what loads by an explicit tag alone', async () => {
    const { resume } = await inspectFiles(without(plain(), 'latest'));
    expect(resume.pointer).toEqual({ path: 'latest', target: 'global_step6', fault: 'pointer-missing' });
  });

  it('is a warning of a run of several tags', async () => {
    const two = { ...plain(), ...below(plain(), 'global_step6/', 'global_step8/') };
    expect(await pointersOf(two)).toEqual([]);
    expect(await pointersOf(without(two, 'latest'))).toEqual([['warning', message('latest', 'global_step6')]]);
  });

  it('is none where the tag is opened alone, or each save has its own', async () => {
    expect(await pointersOf(below(plain(), 'global_step6/', ''), 'global_step6')).toEqual([]);
    expect(await pointersOf({ ...below(plain(), '', 'epoch_1/'), ...below(plain(), '', 'epoch_2/') })).toEqual([]);
  });
});

it('the state of DeepSpeed in a checkpoint of Trainer is of its step', async () => {
  const at = async (step: number): Promise<unknown[]> => {
    const files = { ...plain(), 'trainer_state.json': json({ global_step: step }) };
    const { findings } = await inspectFiles(files, `checkpoint-${step}`);
    return findings.filter(({ code }) => code === 'step-differs').map(({ message: text }) => text);
  };
  expect(await at(6)).toEqual([]);
  expect(await at(8)).toEqual(['The save is named for step 6, this file contains step 8.']);
});
