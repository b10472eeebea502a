/** Saves under the name of another step. */
import { describe, expect, it } from 'vitest';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { inspectFiles, json } from '../../builders/torchDirectory.js';
import { namespace, torchState } from '../../builders/torchStateBuilder.js';

type Files = Record<string, MemoryFile>;

const below = (fixture: string, folder: string): Files =>
  Object.fromEntries(
    Object.entries(fixtureBelow(fixture)).flatMap(([name, bytes]) =>
      name.startsWith(`${folder}/`) ? [[name.slice(folder.length + 1), bytes]] : [],
    ),
  );

const weights = torchState((tensor) => ({ args: namespace({ world_size: 1 }), iteration: 7, model: { w: tensor([4]) } }));
const composer = torchState((tensor) => ({
  state: { model: { w: tensor([4]) }, timestamp: { Timestamp: { batch: 7 } } },
  rng: [{ python: 1 }],
}));
const litgpt = torchState((tensor) => ({ model: { w: tensor([4]) }, iter_num: 14, step_count: 7 }));
const lightning = fixtureBelow('lightning/trainer-ema-callbacks')['checkpoints/epoch=0-step=4.ckpt'] as Uint8Array;
const olmo = (): Files => ({
  'model.pt': torchState((tensor) => ({ w: tensor([4]) })),
  'train.pt': torchState(() => ({ global_step: 7, world_size: 1 })),
});

const cases: [framework: string, files: (name: string) => Files, root: string | null, right: string, other: string][] = [
  ['Megatron, legacy', () => ({ 'mp_rank_00/model_optim_rng.pt': weights }), null, 'iter_0000007', 'iter_0000008'],
  [
    'Megatron Core',
    () => ({
      ...below('dcp/fsdp2-app-2r', 'step_3'),
      'common.pt': torchState(() => ({ iteration: 7 })),
      'metadata.json': json({ sharded_backend: 'torch_dist' }),
    }),
    null,
    'iter_0000007',
    'iter_0000008',
  ],
  ['DeepSpeed', () => below('deepspeed/zero1-bf16-w2', 'global_step6'), null, 'global_step6', 'global_step8'],
  ['Lightning', (name) => ({ [name]: lightning }), 'checkpoints', 'epoch=0-step=4.ckpt', 'epoch=0-step=5.ckpt'],
  ['Composer', (name) => ({ [name]: composer }), 'checkpoints', 'ep0-ba7-rank0.pt', 'ep0-ba8-rank0.pt'],
  ['LitGPT', () => ({ 'lit_model.pth': litgpt }), null, 'step-00000007', 'step-00000008'],
  ['OLMo', olmo, null, 'step7-unsharded', 'step8-unsharded'],
  [
    'nanotron',
    () => ({
      'checkpoint_metadata.json': json({ version: '1.4', tp: 1, dp: 1, metas: { last_train_step: 7 } }),
      'model_config.json': json({}),
    }),
    null,
    '7',
    '8',
  ],
];

describe('a save under the name of another step', () => {
  it.each(cases)('of %s', async (_, files, root, right, other) => {
    const stepsOf = async (name: string): Promise<string[]> =>
      (await inspectFiles(files(name), root ?? name)).findings
        .filter(({ code }) => code === 'step-differs')
        .map(({ message }) => message);
    expect(await stepsOf(right)).toEqual([]);
    const named = /\d+(?=\D*(?:rank0)?\D*$)/.exec(other.replace('-rank0', ''))?.[0];
    expect(await stepsOf(other)).toEqual([expect.stringContaining(`named for step ${Number(named)}, this file contains step`)]);
    // Any other name contains no step.
    expect(await stepsOf(root === null ? 'copy-8' : `renamed-${other.length}.${other.split('.').at(-1) ?? ''}`)).toEqual([]);
  });
});

describe('a checkpoint of Lightning', () => {
  const save = (version: string, step: number): MemoryFile =>
    torchState((tensor) => ({ 'pytorch-lightning_version': version, global_step: step, state_dict: { w: tensor([4]) } }));

  // Before 1.6 the file counts the step that comes next.
  it.each([
    ['1.5.10', 8, 0],
    ['1.5.10', 7, 0],
    ['1.5.10', 9, 1],
    ['1.5.10', 6, 1],
    ['1.6.0', 8, 1],
    ['2.5.0', 8, 1],
  ])('of version %s, with step 7 in its name and %i in the file', async (version, step, found) => {
    const name = 'epoch=0-step=7.ckpt';
    for (const files of [{ [name]: save(version, step) }, { [name]: save(version, step), 'last.ckpt': save(version, step) }]) {
      const { findings } = await inspectFiles(files, 'checkpoints');
      expect(findings.filter(({ code }) => code === 'step-differs')).toHaveLength(found);
    }
  });
});
