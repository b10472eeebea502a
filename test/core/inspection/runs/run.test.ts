/** Directories of checkpoints: which are members, what is finished, and that every byte lands once. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../../../builders/diskTree.js';
import { fixtureBelow } from '../../../builders/frameworkFixtures.js';
import { memoryTree, type MemoryFile } from '../../../builders/memoryTree.js';
import { inspectCheckpoint } from '../../../builders/inspectCheckpoint.js';
import { linkWithoutTarget } from '../../../../src/core/files/fileTree.js';
import { headlineOf } from '../../../../src/core/pages/checkpoint/headline.js';
import { isTemporaryName, stepOfName } from '../../../../src/core/checkpoints/runs/stepOfName.js';
import { limits } from '../../../../src/core/bytes/limits.js';
import { inspectHostile } from '../../../hostile/accountable.js';

const sample = filesBelow(path.resolve('samples/llama-tiny-trainer'));
/** DeepSpeed goes by its pointer, where Trainer takes the directory with the highest step. */
const tags = filesBelow(path.resolve('samples/deepspeed-zero3'));
const text = (content: string): Uint8Array => new TextEncoder().encode(content);

async function runOf(files: Record<string, MemoryFile>) {
  const report = await inspectHostile(memoryTree('run', files));
  return { report, run: report.run, layouts: report.run?.checkpoints.map(({ path, step, finished }) => [path, step, finished]) };
}

/** The files with those of one directory or file once more under another name. */
function withCopy(files: Record<string, MemoryFile>, original: string, copy: string): Record<string, MemoryFile> {
  const copied = Object.entries(files).flatMap(([name, file]): [string, MemoryFile][] =>
    name === original || name.startsWith(`${original}/`) ? [[copy + name.slice(original.length), file]] : [],
  );
  return { ...files, ...Object.fromEntries(copied) };
}

describe('a copied checkpoint of a run', () => {
  const marked = [
    'checkpoint-30 - Copy',
    'checkpoint-30 (1)',
    'checkpoint-30_copy',
    'checkpoint-30 copy 2',
    'Copy of checkpoint-30',
    'checkpoint-30.bak',
  ];
  it.each(marked)('%s is no step and no run of its own, and says what it takes', async (copy) => {
    const { report, run } = await runOf(withCopy(sample, 'checkpoint-30', copy));
    expect(report.layout).toBe('run');
    expect(run?.checkpoints.map(({ path, copyOf }) => [path, copyOf])).toEqual([
      ['checkpoint-20', undefined],
      [copy, 'checkpoint-30'],
      ['checkpoint-30', undefined],
    ]);
    const bytes = run?.checkpoints.at(-1)?.bytes ?? 0;
    expect(report.storedTwice.items.filter(({ paths }) => paths[1] === copy)).toMatchObject([{ bytes, basis: 'sampled' }]);
    expect(report.findings).toMatchObject([{ code: 'checkpoint-copied', path: copy }]);
    expect(headlineOf(report).why).toMatch(/^2 checkpoints from step 20 to step 30, and 1 copy: /);
    expect(headlineOf(report).verdict).toMatch(/^The newest is checkpoint-30\. Resume: complete/);
  });

  it('of a step that is a bare number is one too', async () => {
    const bare = Object.fromEntries(Object.entries(sample).map(([name, file]) => [name.replace('checkpoint-', ''), file]));
    const { run } = await runOf(withCopy(bare, '30', '30 (1)'));
    expect(run?.checkpoints.map(({ path, copyOf }) => [path, copyOf])).toEqual([
      ['20', undefined],
      ['30 (1)', '30'],
      ['30', undefined],
    ]);
  });

  it('of a file is one too, as far as the copy came', async () => {
    const save = fixtureBelow('lightning/trainer-ema-callbacks');
    const path = Object.keys(save).find((name) => name.endsWith('.ckpt')) as string;
    const copy = path.replace('.ckpt', ' copy.ckpt');
    const files = withCopy(save, path, copy);
    const { run } = await runOf(files);
    expect(run?.checkpoints.filter(({ copyOf }) => copyOf !== undefined)).toMatchObject([{ path: copy, copyOf: path }]);
    const cut = { ...files, [copy]: (files[copy] as Uint8Array).subarray(0, 2000) };
    expect((await runOf(cut)).run?.checkpoints.filter(({ copyOf }) => copyOf !== undefined)).toMatchObject([{ path: copy }]);
  });

  it('that was changed is a checkpoint, and never the newest of its step', async () => {
    const files = withCopy(sample, 'checkpoint-30', 'checkpoint-30_copy');
    const changed = (files['checkpoint-30_copy/optimizer.pt'] as Uint8Array).slice();
    changed[100] = (changed[100] as number) ^ 1;
    const { report, run } = await runOf({ ...files, 'checkpoint-30_copy/optimizer.pt': changed });
    expect(run?.checkpoints.every(({ copyOf }) => copyOf === undefined)).toBe(true);
    expect(headlineOf(report).verdict).toMatch(/^The newest is checkpoint-30\./);
  });

  it('of hard links takes nothing', async () => {
    const linked = Object.fromEntries(Object.entries(sample).map(([name, bytes]) => [name, { bytes, entry: { fileId: name } }]));
    const { report, run } = await runOf(withCopy(linked, 'checkpoint-30', 'checkpoint-30_copy'));
    expect(run?.checkpoints.filter(({ copyOf }) => copyOf !== undefined)).toHaveLength(1);
    expect(report.storedTwice.items.filter(({ paths }) => paths[1] === 'checkpoint-30_copy')).toEqual([]);
  });

  it('is a checkpoint where the one that it is called after is gone', async () => {
    const files = Object.fromEntries(
      Object.entries(sample).map(([name, file]) => [name.replace('checkpoint-30/', 'checkpoint-30_copy/'), file]),
    );
    const { report } = await runOf(files);
    expect(headlineOf(report).verdict).toMatch(/^The newest is checkpoint-30_copy\. Resume: complete/);
  });
});

describe('a link within a run', () => {
  const link = (target: string, entry?: string): MemoryFile => ({
    entry: {
      link: { target, inside: true, ...(entry === undefined ? { isDirectory: true } : { entry }) },
      sizeBytes: 0,
    },
  });

  it('to a checkpoint has its files in the report', async () => {
    const { report, run } = await runOf({ ...sample, last: link('checkpoint-30') });
    expect(run?.pointers).toEqual([{ path: 'last', target: 'checkpoint-30', exists: true }]);
    expect(report.findings).toMatchObject([{ code: 'link-within', path: 'last' }]);
  });

  it('to a file that is a checkpoint is that checkpoint, and no newer one', async () => {
    const save = fixtureBelow('lightning/trainer-ema-callbacks');
    const [path = '', bytes = new Uint8Array()] = Object.entries(save)[0] ?? [];
    const earlier = path.replace('step=4', 'step=2');
    const last = 'checkpoints/last.ckpt';
    const { report, run } = await runOf({ [path]: bytes, [earlier]: bytes, [last]: link('epoch=0-step=4.ckpt', path) });
    expect(run?.checkpoints.map((checkpoint) => checkpoint.path)).toEqual([earlier, path]);
    expect(run?.pointers).toEqual([{ path: last, target: 'epoch=0-step=4.ckpt', exists: true }]);
    expect(headlineOf(report).verdict).toContain(`The newest is ${path}.`);
    const single = await runOf({ [path]: bytes, [last]: link('epoch=0-step=4.ckpt', path) });
    expect(single.report).toMatchObject({ kind: 'checkpoint', layout: 'lightning' });
  });
});

describe('a run', () => {
  it('lists its checkpoints in the order of their steps', async () => {
    const { report, layouts } = await runOf(sample);
    expect(report.layout).toBe('run');
    expect(report.step).toBe(30);
    expect(layouts).toEqual([
      ['checkpoint-20', 20, true],
      ['checkpoint-30', 30, true],
    ]);
  });

  it('keeps tensors in their files where the order of names is not that of steps', async () => {
    const files = Object.fromEntries(
      Object.entries(sample).map(([name, bytes]) => [
        name.replace('checkpoint-30/', 'a-step-30/').replace('checkpoint-20/', 'b-step-20/'),
        bytes,
      ]),
    );
    const { report, tensors } = await inspectCheckpoint(memoryTree('run', files), { path: 'run' });
    expect(report.run?.checkpoints.map(({ path }) => path)).toEqual(['b-step-20', 'a-step-30']);
    for (let row = 0; row < tensors.size; row++) {
      const piece = tensors.firstPieceOf(row);
      const file = report.files[tensors.pieceFile(piece)];
      expect(tensors.pieceOffset(piece) + tensors.pieceSize(piece)).toBeLessThanOrEqual(file?.bytes ?? 0);
      expect(file?.format).toMatch(/safetensors|torch/);
    }
  });

  it('that is the only thing in a directory is read as itself', async () => {
    const files = Object.fromEntries(Object.entries(sample).map(([name, bytes]) => [`outputs/llama/${name}`, bytes]));
    const { report, layouts } = await runOf(files);
    expect(report.layout).toBe('run');
    expect(layouts).toEqual([
      ['outputs/llama/checkpoint-20', 20, true],
      ['outputs/llama/checkpoint-30', 30, true],
    ]);
    const one = Object.fromEntries(Object.entries(files).filter(([name]) => name.includes('checkpoint-30')));
    const single = await inspectHostile(memoryTree('home', one));
    expect([single.layout, single.step, single.files[0]?.path.startsWith('outputs/llama/checkpoint-30/')]).toEqual([
      'huggingface-trainer',
      30,
      true,
    ]);
    expect(single.findings).toEqual([]);
  });

  it('has the findings of the newest where there are too many, and counts the others', async () => {
    const steps = Array.from({ length: limits.findingsPerCode + 20 }, (_, at) => at + 1);
    const broken = steps.flatMap((step) => [
      [`checkpoint-${step}/trainer_state.json`, text('{}')],
      [`checkpoint-${step}/model.safetensors`, text('no header')],
    ]);
    const { report } = await runOf(Object.fromEntries(broken) as Record<string, MemoryFile>);
    const damage = report.findings.filter(({ code }) => code === 'file-not-its-format');
    expect(damage).toHaveLength(limits.findingsPerCode + 1);
    expect(damage[0]?.path).toBe(`checkpoint-${steps.length}/model.safetensors`);
    expect(damage.at(-1)).toMatchObject({ more: 20, message: '20 more of the same kind.', path: null });
  });

  it('says when a pointer names a save that was interrupted', async () => {
    const { report } = await runOf({ ...withCopy(tags, 'global_step3', 'global_step6-tmp'), latest: text('global_step6') });
    expect(report.findings.map(({ code }) => code)).toContain('pointer-target-unfinished');
    expect(report.resume.pointer).toEqual({ path: 'latest', target: 'global_step6', fault: 'target-unfinished' });
    expect(headlineOf(report).verdict).toContain(
      'It loads by an explicit path only. latest names global_step6, whose save was interrupted.',
    );
  });

  it.each(['latest', 'last_checkpoint', 'latest_checkpointed_iteration.txt'])(
    'resumes by an explicit path alone where %s names a checkpoint that is missing',
    async (pointer) => {
      const files = withCopy(tags, 'global_step3', 'global_step6');
      const { report } = await runOf({ ...files, latest: text('global_step6'), [pointer]: text('global_step40') });
      expect(report.resume).toMatchObject({
        verdict: 'partial',
        pointer: { path: pointer, target: 'global_step40', fault: 'target-missing' },
      });
      expect(headlineOf(report).verdict).toContain(
        `It loads by an explicit path only. ${pointer} names global_step40, which is missing.`,
      );
    },
  );

  it('resumes whichever way where the best checkpoint alone is missing', async () => {
    const { report } = await runOf({
      ...sample,
      best: { entry: { link: { target: 'checkpoint-40', inside: false }, sizeBytes: 0, error: linkWithoutTarget } },
    });
    expect(report.findings.map(({ code }) => code)).toContain('pointer-target-missing');
    expect(headlineOf(report).verdict).toContain('Resume: complete.');
  });

  it('has the tensors of all of them, each in its own file', async () => {
    const { report, tensors } = await inspectCheckpoint(memoryTree('run', sample), { path: 'run' });
    expect(tensors.size).toBe(report.tensorCount);
    for (let row = 0; row < tensors.size; row++) {
      for (let piece = tensors.firstPieceOf(row); piece < tensors.endPieceOf(row); piece++) {
        const file = report.files[tensors.pieceFile(piece)];
        expect(file?.path).toMatch(/^checkpoint-(20|30)\//);
        expect(tensors.pieceOffset(piece) + tensors.pieceSize(piece)).toBeLessThanOrEqual(file?.bytes ?? 0);
      }
    }
  });

  it('counts parameters once, of the newest that was finished', async () => {
    const one = await inspectHostile(
      memoryTree('checkpoint-30', filesBelow(path.resolve('samples/llama-tiny-trainer/checkpoint-30'))),
    );
    const { report } = await runOf(sample);
    expect(report.parameters.unique).toBe(one.parameters.unique);
  });

  it('follows the files and links that say which is the newest', async () => {
    const { run } = await runOf({
      ...sample,
      latest: text('checkpoint-30\n'),
      'latest.txt': text('40'),
      best: { entry: { link: { target: 'checkpoint-20', inside: true, isDirectory: true }, sizeBytes: 0 } },
      'notes.txt': { entry: { link: { target: 'checkpoint-20/trainer_state.json', inside: true }, sizeBytes: 0 } },
    });
    expect(run?.pointers).toEqual([
      { path: 'best', target: 'checkpoint-20', exists: true },
      { path: 'latest', target: 'checkpoint-30', exists: true },
      { path: 'latest.txt', target: '40', exists: false },
    ]);
  });

  it('takes links to data or code for no pointers, also broken ones', async () => {
    const link = (target: string, exists: boolean): MemoryFile => ({
      entry: {
        link: { target, inside: false, isDirectory: exists },
        sizeBytes: 0,
        ...(exists ? {} : { error: 'the target is missing' }),
      },
    });
    const { run } = await runOf({
      ...sample,
      dataset: link('/mnt/data/corpus', false),
      code: link('/srv/project', true),
      best_model: link('/old/checkpoint-10', false),
      newest: link('/old/model', false),
    });
    expect(run?.pointers.map(({ path }) => path)).toEqual(['best_model', 'newest']);
  });

  it('tells a save that was interrupted', async () => {
    const files = Object.fromEntries(
      Object.entries(sample).map(([name, bytes]) => [name.replace('checkpoint-30/', 'tmp-checkpoint-30/'), bytes]),
    );
    const { report, layouts } = await runOf(files);
    expect(layouts).toEqual([
      ['checkpoint-20', 20, true],
      ['tmp-checkpoint-30', 30, false],
    ]);
    expect(report.step).toBe(20);
  });

  it('counts the model that the trainer left beside its checkpoints as one of them', async () => {
    const model = Object.fromEntries(
      Object.entries(sample)
        .filter(([name]) => /^checkpoint-30\/(model\.safetensors|config\.json)$/.test(name))
        .map(([name, bytes]) => [name.slice('checkpoint-30/'.length), bytes]),
    );
    const { layouts, report } = await runOf({ ...sample, ...model, 'log.txt': text('step 1\n') });
    // No trainer goes on from an export: the newest checkpoint still says whether the run resumes.
    expect(report).toMatchObject({ step: 30, resume: { verdict: 'complete' } });
    expect(headlineOf(report).resume).toMatch(/^The newest is checkpoint-30\. Resume: complete/);
    expect(layouts).toEqual([
      ['checkpoint-20', 20, true],
      ['checkpoint-30', 30, true],
      ['', null, true],
    ]);
  });
});

it.each([
  ['checkpoint-1000', 1000],
  ['iter_0000005', 5],
  ['global_step20', 20],
  ['step_00000100', 100],
  ['epoch=0-step=4.ckpt', 4],
  ['ep1-ba100', 100],
  ['1000', 1000],
  ['20.orbax-checkpoint-tmp', 20],
  ['tmp-checkpoint-7', 7],
  ['mp_rank_00', null],
  ['optimizer_0', null],
  ['pytorch_model_fsdp_0', null],
  ['84a516841ba77a5b4648de2cd0dfcb30ea46dbb4', null],
  ['default', null],
])('the step of %s is %s', (name, step) => {
  expect(stepOfName(name)).toBe(step);
});

it.each(['20.orbax-checkpoint-tmp', 'tmp-checkpoint-7', 'step10-tmp', 'ckpt-unfinished'])('%s is temporary', (name) => {
  expect(isTemporaryName(name)).toBe(true);
});
