/** Pairs of small checkpoints as they differ in practice: files by their paths below each side. */
import { hostileTexts } from './hostileReport.js';
import { buildSafetensors, type SafetensorsTensor } from './safetensorsBuilder.js';

export type CheckpointFiles = Record<string, string | Uint8Array>;

export interface CheckpointPair {
  a: CheckpointFiles;
  b: CheckpointFiles;
}

const layerKinds = [
  'input_layernorm.weight',
  'self_attn.q_proj.weight',
  'self_attn.k_proj.weight',
  'self_attn.v_proj.weight',
  'self_attn.o_proj.weight',
  'post_attention_layernorm.weight',
  'mlp.gate_proj.weight',
  'mlp.up_proj.weight',
  'mlp.down_proj.weight',
];

/** Values from 1 on, each times 1 + change. */
function floats(count: number, change: number): SafetensorsTensor {
  const values = Float32Array.from({ length: count }, (_, index) => (1 + (index % 7)) * (1 + change));
  return { dtype: 'F32', shape: [count], data: new Uint8Array(values.buffer) };
}

/** A model of so many layers; `change` is by how much the values of a tensor are off. */
function llama(layers: number, change: (layer: number, kind: number) => number): Record<string, SafetensorsTensor> {
  const tensors: Record<string, SafetensorsTensor> = { 'model.embed_tokens.weight': floats(64, change(-1, 0)) };
  for (let layer = 0; layer < layers; layer += 1)
    for (const [kind, name] of layerKinds.entries()) tensors[`model.layers.${layer}.${name}`] = floats(32, change(layer, kind));
  return { ...tensors, 'model.norm.weight': floats(16, 0), 'lm_head.weight': floats(64, change(layers, 0)) };
}

function checkpoint(
  step: number,
  learningRate: number,
  tensors: Record<string, SafetensorsTensor>,
  vocabulary: string,
): CheckpointFiles {
  return {
    'config.json': JSON.stringify({
      model_type: 'llama',
      architectures: ['LlamaForCausalLM'],
      rope_theta: 10_000 * (step / 500),
    }),
    'model.safetensors': buildSafetensors({ tensors, metadata: { format: 'pt' } }),
    'tokenizer.json': vocabulary,
    'trainer_state.json': JSON.stringify({
      global_step: step,
      epoch: step / 1000,
      log_history: [{ step, learning_rate: learningRate, loss: 2 }],
    }),
  };
}

/** Two saves of one run: the upper layers moved further, the norms did not. */
export function trainedPair(layers = 32): CheckpointPair {
  const moved = (layer: number, kind: number): number => {
    if (layer < 0 || kind === 0 || kind === 5 || layer < layers / 8) return 0;
    return 10 ** (-6.5 + (6 * layer) / layers + (kind % 3) / 2);
  };
  const after = llama(layers, moved);
  after[`model.layers.${Math.min(4, layers - 1)}.mlp.up_proj.weight`] = { dtype: 'F32', shape: [4, 8] };
  return {
    a: checkpoint(
      500,
      0.0003,
      llama(layers, () => 0),
      '{"model": {"vocab": {}}}',
    ),
    b: checkpoint(1000, 0.000287, after, '{"model": {"vocab": {"a": 0}}}'),
  };
}

/** More kinds of tensors than rows of a picture: experts of a mixture, of which a few moved. */
export function expertPair(): CheckpointPair {
  const tensors = (change: number): Record<string, SafetensorsTensor> => {
    const all: Record<string, SafetensorsTensor> = {};
    for (let layer = 0; layer < 8; layer += 1)
      for (let expert = 0; expert < 32; expert += 1)
        for (const part of ['w1', 'w2', 'w3'])
          all[`model.layers.${layer}.block_sparse_moe.experts.${expert}.${part}.weight`] = floats(
            8,
            (expert * layer) % 5 === 1 ? change : 0,
          );
    return all;
  };
  return { a: checkpoint(500, 0.0003, tensors(0), '{}'), b: checkpoint(1000, 0.0003, tensors(0.01), '{}') };
}

/** Tensors of all states, and names, settings and files that are no words. */
export function unlikePair(
  names: readonly string[] = ['model.norm.weight', 'lm_head.weight', 'model.embed_tokens.weight'],
): CheckpointPair {
  const [first = '', second = '', third = ''] = names;
  return {
    a: checkpoint(
      500,
      0.0003,
      {
        'model.layers.0.w.weight': floats(4, 0),
        [first]: { dtype: 'F32', shape: [8] },
        [second]: floats(16, 0),
        [`module.${third}`]: floats(5, 0),
      },
      '{}',
    ),
    b: checkpoint(
      500,
      0.0003,
      {
        'model.layers.0.w.weight': floats(4, 0),
        [first]: { dtype: 'BF16', shape: [2, 4] },
        'model.new.weight': floats(16, 0),
        [third]: floats(5, 0),
      },
      '{}',
    ),
  };
}

/** The same with hostile text in every place that a file can fill. */
export function hostilePair(): CheckpointPair {
  const { image, bidi, template } = hostileTexts;
  const pair = unlikePair([image, bidi, template]);
  const config = (value: string): string => JSON.stringify({ model_type: 'llama', [image]: value, [bidi]: [value] });
  return {
    a: { ...pair.a, 'config.json': config(template), [`${image.replaceAll('/', '')}.bin`]: 'a' },
    b: { ...pair.b, 'config.json': config(bidi), [`${bidi}.txt`]: 'b' },
  };
}

/** Two runs, the second of which parts from the first at its last save. */
export function runPair(): CheckpointPair {
  const run = (steps: readonly number[], rate: number): CheckpointFiles =>
    Object.fromEntries(
      steps.flatMap((step) =>
        Object.entries(
          checkpoint(
            step,
            step > 1000 ? rate : 0.0003,
            llama(2, () => 0),
            '{}',
          ),
        ).map(([name, file]) => [`checkpoint-${step}/${name}`, file]),
      ),
    );
  return { a: run([500, 1000, 1500], 0.0003), b: run([500, 1000, 1500, 2000], 0.0001) };
}
