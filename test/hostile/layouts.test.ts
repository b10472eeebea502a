/** What ranks say of their job may be anything: sizes without bounds, texts, lists. Always a report, soon, with exact sums. */
import { describe, expect, it } from 'vitest';
import { utf8 } from '../builders/byteWriter.js';
import { memoryTree, type MemoryFile } from '../builders/memoryTree.js';
import * as p from '../builders/pickleBuilder.js';
import { namespace, torchState, type State } from '../builders/torchStateBuilder.js';
import { inspectHostile } from './accountable.js';

const huge = p.int(2n ** 62n);
const values: [name: string, value: State][] = [
  ['0', 0],
  ['-1', -1],
  ['3', 3],
  ['10^6', 1_000_000],
  ['2^53', Number.MAX_SAFE_INTEGER],
  ['2^62', huge],
  ['a fraction', 0.5],
  ['infinity', p.float(Infinity)],
  ['a text', '../../etc'],
  ['nothing', null],
  ['a list', [huge, huge, huge]],
  ['a dict', { a: { b: huge } }],
];

const deepSpeedState = (field: string, value: State): Uint8Array =>
  torchState((tensor) => ({
    module: { a: tensor([2]) },
    param_shapes: [{ a: [2] }],
    global_steps: 3,
    dp_world_size: 2,
    mp_world_size: 1,
    ds_version: '0.19.8',
    ds_config: { zero_optimization: { stage: 3 } },
    ...{ [field]: value },
  }));

const deepSpeed = (field: string, value: State): Record<string, MemoryFile> => ({
  latest: utf8(typeof value === 'string' ? value : 'tag'),
  'tag/zero_pp_rank_0_mp_rank_00_model_states.pt': deepSpeedState(field, value),
  'tag/zero_pp_rank_1_mp_rank_00_model_states.pt': deepSpeedState('x', 0),
  'tag/layer_0_expert_0_mp_rank_00_model_states.pt': torchState((tensor) => ({ a: tensor([2]) })),
  'tag/zero_pp_rank_0_mp_rank_00_optim_states.pt': torchState((tensor) => ({
    optimizer_state_dict: { zero_stage: 3, fp32_flat_groups: [tensor([2])], ...{ [field]: value } },
  })),
});

const megatron = (field: string, value: State): Record<string, MemoryFile> => ({
  'latest_checkpointed_iteration.txt': utf8(typeof value === 'string' ? value : '1'.repeat(400)),
  'iter_0000001/mp_rank_00_000/model_optim_rng.pt': torchState((tensor) => ({
    args: field === 'args' ? value : namespace({ [field]: value }),
    iteration: field === 'iteration' ? value : 1,
    model: { a: tensor([2]) },
  })),
});

const composer = (field: string, value: State): Record<string, MemoryFile> => ({
  'ep0-ba1-rank0.pt': torchState((tensor) => ({
    state: { model: { a: tensor([2]) }, timestamp: { batch: 1, ...{ [field]: value } }, metadata: value },
    rng: value,
  })),
  'ep0-ba1-rank9999999.pt': torchState(() => value),
});

const olmo = (field: string, value: State): Record<string, MemoryFile> => ({
  '.metadata.json': utf8('{"version": {"a": []}}'),
  'train/rank0.pt': torchState(() => ({ global_step: 1, world_size: 1, ...{ [field]: value } })),
  'train/rank9999999.pt': torchState(() => value),
  'model_and_optim/x': utf8('x'),
});

const layouts: [layout: string, save: (field: string, value: State) => Record<string, MemoryFile>, fields: string[]][] = [
  [
    'deepspeed',
    deepSpeed,
    [
      'global_steps',
      'dp_world_size',
      'mp_world_size',
      'param_shapes',
      'ds_config',
      'num_experts',
      'zero_stage',
      'checkpoint_parallel_dimensions',
    ],
  ],
  [
    'megatron-legacy',
    megatron,
    [
      'iteration',
      'args',
      'world_size',
      'tensor_model_parallel_size',
      'pipeline_model_parallel_size',
      'expert_model_parallel_size',
    ],
  ],
  ['composer', composer, ['batch']],
  ['olmo', olmo, ['global_step', 'world_size']],
];

describe.each(layouts)('%s', (layout, save, fields) => {
  it.each(fields)('%s', async (field) => {
    for (const [name, value] of values) {
      const report = await inspectHostile(memoryTree('save', save(field, value)));
      expect(report.layout, name).toBe(layout);
      const numbers: (number | null)[] = [report.step, report.parameters.unique];
      for (const size of Object.values(report.topology) as (number | null)[]) numbers.push(size);
      for (const number of numbers) expect(number === null || Number.isSafeInteger(number), `${name}: ${number}`).toBe(true);
    }
  });
});
