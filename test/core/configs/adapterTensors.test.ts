/** Parameters of LoRA adapters, against what PEFT adds to the same models on the meta device. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adapterParameters } from '../../../src/core/configs/adapters/adapterTensors.js';
import { defaultAdapterTargets } from '../../../src/core/configs/adapters/adapterTargets.js';
import { decoderTensors } from '../../../src/core/configs/architectures/decoderTensors.js';
import { llamaShape } from '../../../src/core/configs/architectures/llamaShape.js';
import { readArchitecture } from '../../../src/core/configs/architectures/readArchitecture.js';
import type { TensorGroup, TensorKind } from '../../../src/core/configs/architectures/tensorGroup.js';
import { Fields } from '../../../src/core/configs/fields.js';
import type { AdapterPlan } from '../../../src/core/configs/trainingPlan.js';

interface Line {
  config: { model_type: string; architectures: string[] };
  /** Name, shape, copies, kind, and 1 for a tied one. */
  tensors: [string, number[], number, TensorKind, 1?][];
  cases: [PeftConfig, number | null][];
}

interface PeftConfig {
  r: number;
  target_modules?: string | string[];
  rank_pattern?: Record<string, number>;
  modules_to_save?: string[];
  exclude_modules?: string[];
  target_parameters?: string[];
  layers_to_transform?: number[];
  bias?: string;
  lora_bias?: boolean;
  use_dora?: boolean;
  task_type?: string;
}

const lines = readFileSync(join(import.meta.dirname, '../../fixtures/model-configs/adapters.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

function planOf(peft: PeftConfig, modelType: string): AdapterPlan {
  const targets = peft.target_modules ?? defaultAdapterTargets(modelType) ?? [];
  return {
    kind: peft.use_dora === true ? 'dora' : 'lora',
    rank: peft.r,
    targets: typeof targets === 'string' ? [targets] : targets,
    hasAdapterBias: peft.lora_bias ?? false,
    ...(peft.rank_pattern === undefined ? {} : { rankPattern: peft.rank_pattern }),
    ...(peft.modules_to_save === undefined ? {} : { savedModules: peft.modules_to_save }),
    ...(peft.exclude_modules === undefined ? {} : { excludedModules: peft.exclude_modules }),
    ...(peft.target_parameters === undefined ? {} : { targetParameters: peft.target_parameters }),
    ...(peft.layers_to_transform === undefined ? {} : { layers: peft.layers_to_transform }),
    ...(peft.bias === undefined ? {} : { bias: peft.bias }),
    ...(peft.task_type === undefined ? {} : { task: peft.task_type }),
  };
}

const cases = lines.flatMap(({ config, tensors, cases: all }) =>
  all.map(([peft, trainable]) => ({
    title: `${config.architectures.join()} ${JSON.stringify(peft)}`,
    config,
    modelType: config.model_type,
    groups: tensors.map(([name, shape, copies, kind, tied]): TensorGroup => {
      return { name, shape, copies, activeCopies: copies, kind, isTied: tied === 1 };
    }),
    plan: planOf(peft, config.model_type),
    trainable,
  })),
);

describe('an adapter', () => {
  it.each(cases)('$title', ({ modelType, groups, plan, trainable }) => {
    expect(adapterParameters(groups, plan, modelType)?.trainable).toBe(trainable);
  });

  // The same from the config alone: modules are named as transformers names them, but for experts, which are counted one by one.
  it.each(cases)('from its config: $title', ({ config, modelType, plan, trainable }) => {
    const groups = readArchitecture(Fields.fromValues({ ...config }))?.tensors.groups ?? [];
    expect(adapterParameters(groups, plan, modelType)?.trainable).toBe(trainable);
  });

  const sizes = { vocabulary: 128_256, hidden: 4096, layers: 32, heads: 32, keyValueHeads: 8, width: 14_336 };
  const { groups } = decoderTensors(llamaShape(sizes));

  it('of all linear layers of Llama 3 8B has 41,943,040 parameters at rank 16', () => {
    const targets = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'];
    const count = adapterParameters(groups, { kind: 'lora', rank: 16, targets });
    expect(count).toMatchObject({ trainable: 41_943_040, unmatched: [], unresolved: [] });
    expect(adapterParameters(groups, { kind: 'lora', rank: 16, targets: ['all-linear'] })?.trainable).toBe(41_943_040);
  });

  it('names targets that the model does not have, and those that are not understood', () => {
    const count = adapterParameters(groups, { kind: 'lora', rank: 16, targets: ['q_proj', 'Wqkv', '(?!.*v_proj).*'] });
    expect(count).toMatchObject({ trainable: null, unmatched: ['Wqkv'], unresolved: ['(?!.*v_proj).*'] });
    expect(adapterParameters(groups, { kind: 'lora', rank: 16, targets: ['Wqkv'] })?.trainable).toBeNull();
    expect(adapterParameters(groups, { kind: 'other', rank: 16, targets: ['q_proj'] })).toBeNull();
  });

  it('is not counted for layers that are only some of the stack', () => {
    const some: TensorGroup[] = [
      ...groups,
      { name: 'model.layers.N.extra.weight', shape: [8, 8], copies: 5, activeCopies: 5, kind: 'linear' },
    ];
    const adapter = { kind: 'lora', rank: 2, targets: ['extra'] } as const;
    expect(adapterParameters(some, adapter)?.trainable).toBe(5 * 2 * 16);
    expect(adapterParameters(some, { ...adapter, layers: [3] })).toMatchObject({
      trainable: null,
      unresolved: ['model.layers.N.extra'],
    });
  });

  it.each([0, -1, 0.5, 1e30, Number.NaN, Infinity])('of rank %d is no adapter', (rank) => {
    expect(adapterParameters(groups, { kind: 'lora', rank, targets: ['q_proj'] })?.trainable).toBeNull();
  });
});
