/** Pairs of small checkpoints as they differ in practice: files by their paths below each side. */
import { hostileTexts } from './hostileReport.js';
import { buildSafetensors, type SafetensorsTensor } from './safetensorsBuilder.js';

export type CheckpointFiles = Record<string, string | Uint8Array>;

export interface CheckpointPair {
  a: CheckpointFiles;
  b: CheckpointFiles;
}

const [hidden, intermediate, vocabulary] = [8, 16, 8];

const layerKinds: readonly (readonly [string, readonly number[]])[] = [
  ['input_layernorm.weight', [hidden]],
  ['self_attn.q_proj.weight', [hidden, hidden]],
  ['self_attn.k_proj.weight', [hidden, hidden]],
  ['self_attn.v_proj.weight', [hidden, hidden]],
  ['self_attn.o_proj.weight', [hidden, hidden]],
  ['post_attention_layernorm.weight', [hidden]],
  ['mlp.gate_proj.weight', [intermediate, hidden]],
  ['mlp.up_proj.weight', [intermediate, hidden]],
  ['mlp.down_proj.weight', [hidden, intermediate]],
];

/** Values from 1 on, each times 1 + change. */
function floats(shape: readonly number[], change: number): SafetensorsTensor {
  const count = shape.reduce((product, size) => product * size, 1);
  const values = Float32Array.from({ length: count }, (_, index) => (1 + (index % 7)) * (1 + change));
  return { dtype: 'F32', shape, data: new Uint8Array(values.buffer) };
}

/** The same in bfloat16: the upper halves. */
function cut({ shape, data = new Uint8Array() }: SafetensorsTensor = floats([], 0)): SafetensorsTensor {
  return { dtype: 'BF16', shape, data: data.filter((_, index) => index % 4 > 1) };
}

/** A model of so many layers; `change` is by how much the values of a tensor are off. */
function llama(layers: number, change: (layer: number, kind: number) => number): Record<string, SafetensorsTensor> {
  const tensors: Record<string, SafetensorsTensor> = { 'model.embed_tokens.weight': floats([vocabulary, hidden], 0) };
  for (let layer = 0; layer < layers; layer += 1)
    for (const [kind, [name, shape]] of layerKinds.entries())
      tensors[`model.layers.${layer}.${name}`] = floats(shape, change(layer, kind));
  return { ...tensors, 'model.norm.weight': floats([hidden], 0), 'lm_head.weight': floats([vocabulary, hidden], 0) };
}

/** A config that the tensors of `llama` fit. */
function llamaConfig(layers: number, ropeTheta: number): object {
  return {
    model_type: 'llama',
    architectures: ['LlamaForCausalLM'],
    hidden_size: hidden,
    intermediate_size: intermediate,
    num_hidden_layers: layers,
    num_attention_heads: 2,
    num_key_value_heads: 2,
    vocab_size: vocabulary,
    rope_theta: ropeTheta,
    tie_word_embeddings: false,
  };
}

/** A config of a model that nothing is known of. */
const unknownConfig = { model_type: 'own' };

interface Save {
  step: number;
  learningRate: number;
  tensors: Record<string, SafetensorsTensor>;
  config: object;
  tokenizer?: string;
}

function checkpoint({
  step,
  learningRate,
  tensors,
  config,
  tokenizer = '{"model": {"vocab": {"a": 0}}}',
}: Save): CheckpointFiles {
  return {
    'config.json': JSON.stringify(config),
    'model.safetensors': buildSafetensors({ tensors, metadata: { format: 'pt' } }),
    'tokenizer.json': tokenizer,
    'trainer_state.json': JSON.stringify({
      global_step: step,
      epoch: step / 1000,
      log_history: [{ step, learning_rate: learningRate, loss: 2 }],
    }),
  };
}

/** Two saves of one run: the upper layers moved further, the norms did not, and one tensor has another dtype. */
export function trainedPair(layers = 32): CheckpointPair {
  const moved = (layer: number, kind: number): number => {
    if (kind === 0 || kind === 5 || layer < layers / 8) return 0;
    return 10 ** (-6.5 + (6 * layer) / layers + (kind % 3) / 2);
  };
  const after = llama(layers, moved);
  const name = `model.layers.${Math.min(4, layers - 1)}.mlp.up_proj.weight`;
  after[name] = cut(after[name]);
  return {
    a: checkpoint({
      step: 500,
      learningRate: 0.0003,
      tensors: llama(layers, () => 0),
      config: llamaConfig(layers, 10_000),
      tokenizer: '{"model": {"vocab": {"b": 0}}}',
    }),
    b: checkpoint({
      step: 1000,
      learningRate: 0.000287,
      tensors: after,
      config: llamaConfig(layers, 20_000),
    }),
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
            [8],
            (expert * layer) % 5 === 1 ? change : 0,
          );
    return all;
  };
  return {
    a: checkpoint({ step: 500, learningRate: 0.0003, tensors: tensors(0), config: unknownConfig }),
    b: checkpoint({ step: 1000, learningRate: 0.0003, tensors: tensors(0.01), config: unknownConfig }),
  };
}

/** A tensor of each state: same, of another dtype and shape, on one side alone, and under another name. */
export function unlikePair(
  names: readonly string[] = ['model.norm.weight', 'lm_head.weight', 'model.embed_tokens.weight'],
): CheckpointPair {
  const [changed = '', removed = '', renamed = ''] = names;
  const save = { step: 500, learningRate: 0.0003, config: unknownConfig };
  const same = { 'model.layers.0.w.weight': floats([4], 0) };
  return {
    a: checkpoint({
      ...save,
      tensors: {
        ...same,
        [changed]: { dtype: 'F32', shape: [8] },
        [removed]: floats([16], 0),
        [`module.${renamed}`]: floats([5], 0),
      },
    }),
    b: checkpoint({
      ...save,
      tensors: {
        ...same,
        [changed]: { dtype: 'BF16', shape: [2, 4] },
        'model.new.weight': floats([16], 0),
        [renamed]: floats([5], 0),
      },
    }),
  };
}

/** A model, and one with a level before all of its names, more rows in its embedding and none of its own on the output; it may lack a tensor. */
export function resizedPair(lacks = ''): CheckpointPair {
  const config = { ...llamaConfig(2, 10_000), tie_word_embeddings: true };
  const rows = vocabulary + 2;
  const { 'lm_head.weight': _, ...moved } = llama(2, (layer) => layer / 100);
  moved['model.embed_tokens.weight'] = floats([rows, hidden], 0);
  const tensors = Object.fromEntries(
    Object.entries(moved).flatMap(([name, tensor]) => (name === lacks ? [] : [[`policy.${name}`, tensor]])),
  );
  return {
    a: checkpoint({ step: 500, learningRate: 0.0003, tensors: llama(2, () => 0), config }),
    b: checkpoint({ step: 1000, learningRate: 0.0003, tensors, config: { ...config, vocab_size: rows } }),
  };
}

/** An unlike pair with hostile text in every place that a file can fill. */
export function hostilePair(): CheckpointPair {
  const { image, bidi, template } = hostileTexts;
  const pair = unlikePair([image, bidi, template]);
  const config = (value: string): string => JSON.stringify({ ...unknownConfig, [image]: value, [bidi]: [value] });
  return {
    a: { ...pair.a, 'config.json': config(template), [`${image.replaceAll('/', '')}.bin`]: 'a' },
    b: { ...pair.b, 'config.json': config(bidi), [`${bidi}.txt`]: 'b' },
  };
}

/** Two runs, the second of which parts from the first at its last save. */
export function runPair(): CheckpointPair {
  const run = (steps: readonly number[], rate: number): CheckpointFiles =>
    Object.fromEntries(
      steps.flatMap((step) => {
        const learningRate = step > 1000 ? rate : 0.0003;
        const save = checkpoint({ step, learningRate, tensors: llama(2, () => 0), config: llamaConfig(2, 10_000) });
        return Object.entries(save).map(([name, file]) => [`checkpoint-${step}/${name}`, file]);
      }),
    );
  return { a: run([500, 1000, 1500], 0.0003), b: run([500, 1000, 1500, 2000], 0.0001) };
}
