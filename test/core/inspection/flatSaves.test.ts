/** Saves of several trainers whose files are beside each other in one directory. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { memoryTree } from '../../builders/memoryTree.js';

type Files = Record<string, Uint8Array>;

/** The files that are directly in the directories of a fixture. */
const flat = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path.slice(path.lastIndexOf('/') + 1), bytes]));

const trainer = flat(fixtureBelow('hf/trainer-ddp-2r'));
const distributed = flat(fixtureBelow('dcp/zstd-2r'));
const state = Object.values(fixtureBelow('lightning/trainer-ema-callbacks'))[0] as Uint8Array;
const lightning: Files = { 'epoch=0-step=4.ckpt': state };

async function reportOf(files: Files, part?: string) {
  return (await inspect(memoryTree('saves', files), { path: 'saves', ...(part !== undefined && { part }) })).report;
}

async function rowsOf(files: Files): Promise<unknown[]> {
  const report = await reportOf(files);
  if (report.kind !== 'collection') throw new Error(`this is a ${report.kind}: ${report.layout}`);
  const bytes = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(report.parts.reduce((sum, part) => sum + part.totalBytes, report.other.bytes)).toBe(bytes);
  return report.parts.map(({ path, name, layout }) => `${path} ${name} ${layout}`).sort();
}

describe('saves beside each other', () => {
  const ofTrainer = ' checkpoint huggingface-trainer';
  const ofDcp = ' torch-distributed torch-distributed';
  const ofLightning = 'epoch=0-step=4.ckpt checkpoint lightning';

  it.each<[string, Files, string[]]>([
    ['Trainer, Lightning and DCP', { ...trainer, ...lightning, ...distributed }, [ofTrainer, ofDcp, ofLightning]],
    ['Trainer and Lightning', { ...trainer, ...lightning }, [ofTrainer, ofLightning]],
    ['Trainer and DCP', { ...trainer, ...distributed }, [ofTrainer, ofDcp]],
    ['Lightning and DCP', { ...lightning, ...distributed }, [ofDcp, ofLightning]],
  ])('%s are a checkpoint each', async (_name, files, rows) => {
    expect(await rowsOf(files)).toEqual(rows);
  });

  it('have a report each, by the name of its row', async () => {
    const files = { ...trainer, ...lightning, ...distributed };
    const own = await reportOf(files, 'checkpoint');
    expect(own).toMatchObject({ layout: 'huggingface-trainer', totalBytes: (await reportOf(trainer)).totalBytes });
    const other = await reportOf(files, 'torch-distributed');
    expect(other).toMatchObject({ layout: 'torch-distributed', totalBytes: (await reportOf(distributed)).totalBytes });
  });

  it('below a directory are told apart, too', async () => {
    const below = Object.fromEntries(
      Object.entries({ ...trainer, ...lightning }).map(([path, bytes]) => [`out/a/${path}`, bytes]),
    );
    expect(await rowsOf(below)).toEqual([
      'out/a checkpoint huggingface-trainer',
      'out/a/epoch=0-step=4.ckpt checkpoint lightning',
    ]);
  });

  it('of DCP beside the checkpoints of a run are none of the run', async () => {
    const run = Object.fromEntries(
      ['checkpoint-2', 'checkpoint-4'].flatMap((step) =>
        Object.entries(trainer).map(([path, bytes]) => [`${step}/${path}`, bytes]),
      ),
    );
    expect(await rowsOf({ ...run, ...distributed })).toEqual([' checkpoint run', ofDcp]);
  });
});

describe('one save', () => {
  it.each<[string, Files, string]>([
    [
      'of Trainer with distributed state in directories',
      { ...trainer, ...below('pytorch_model_fsdp_0', distributed) },
      'huggingface-trainer',
    ],
    ['of DCP with a config', { ...distributed, 'config.json': trainer['config.json'] as Uint8Array }, 'torch-distributed'],
    ['of Lightning with its settings', { ...lightning, 'hparams.yaml': new TextEncoder().encode('lr: 1\n') }, 'lightning'],
  ])('%s stays one', async (_name, files, layout) => {
    expect(await reportOf(files)).toMatchObject({ kind: 'checkpoint', layout });
  });
});

function below(directory: string, files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`${directory}/${path}`, bytes]));
}
