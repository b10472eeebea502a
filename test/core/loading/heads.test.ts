/** Output layers of the classes that a config may name. Names and shapes are those of the classes of transformers 5.24. */
import { describe, expect, it } from 'vitest';
import {
  inspectModel,
  linear,
  renamed,
  tinyBert,
  tinyGpt2,
  tinyLlama,
  type Shapes,
  type TinyModel,
} from '../../builders/tinyModels.js';

const { 'lm_head.weight': llamaHead, ...llamaBody } = tinyLlama.tensors;

/** Verdict, and the first tensors that are missing and unexpected. */
async function checked({ config }: TinyModel, className: string, tensors: Shapes, settings: object = {}): Promise<unknown> {
  const { load } = await inspectModel({ ...config, ...settings, architectures: [className] }, tensors);
  return [load?.verdict, load?.missing[0]?.name, load?.unexpected[0]?.name];
}

const loads = ['loads', undefined, undefined];

describe('a class of a decoder', () => {
  it('has two output layers', async () => {
    const choice = linear('multiple_choice_head.summary', 1, 16);
    expect(await checked(tinyGpt2, 'GPT2DoubleHeadsModel', { ...tinyGpt2.tensors, ...choice })).toEqual(loads);
    expect(await checked(tinyGpt2, 'GPT2DoubleHeadsModel', tinyGpt2.tensors)).toEqual([
      'loads-with-warnings',
      'multiple_choice_head.summary.weight',
      undefined,
    ]);
    expect(await checked(tinyGpt2, 'GPT2DoubleHeadsModel', tinyGpt2.tensors, { summary_use_proj: false })).toEqual(loads);
  });

  it('has one for tokens under a name of its own', async () => {
    const tensors = { ...tinyGpt2.tensors, ...linear('classifier', 2, 16) };
    expect(await checked(tinyGpt2, 'GPT2ForTokenClassification', tensors)).toEqual(loads);
    expect(await checked(tinyLlama, 'LlamaForTokenClassification', { ...llamaBody, ...linear('score', 2, 16) })).toEqual(loads);
  });

  it('has the model under another name for answers', async () => {
    const answers = { ...renamed(llamaBody, (name) => name.replace('model.', 'transformer.')), ...linear('qa_outputs', 2, 16) };
    expect(await checked(tinyLlama, 'LlamaForQuestionAnswering', answers)).toEqual(loads);
  });

  it('has no output layer, and names without their beginning', async () => {
    const alone = renamed(llamaBody, (name) => name.slice('model.'.length));
    expect(await checked(tinyLlama, 'LlamaModel', alone)).toEqual(loads);
    expect(await checked(tinyLlama, 'LlamaModel', llamaBody)).toEqual(loads);
    const { 'norm.weight': _, ...fewer } = alone;
    expect(await checked(tinyLlama, 'LlamaModel', fewer)).toEqual(['loads-with-warnings', 'norm.weight', undefined]);
  });

  it('attends to another model where its config says so', async () => {
    const cross: Shapes = {
      'transformer.h.0.crossattention.c_attn.weight': [16, 32],
      'transformer.h.0.crossattention.c_attn.bias': [32],
      ...linear('transformer.h.0.crossattention.q_attn', 16),
      ...linear('transformer.h.0.crossattention.c_proj', 16),
      ...linear('transformer.h.0.ln_cross_attn', 16),
      'transformer.h.0.ln_cross_attn.weight': [16],
    };
    const both = { ...tinyGpt2.tensors, ...cross };
    expect(await checked(tinyGpt2, 'GPT2LMHeadModel', both, { add_cross_attention: true })).toEqual(loads);
    expect(await checked(tinyGpt2, 'GPT2LMHeadModel', tinyGpt2.tensors, { add_cross_attention: true })).toEqual([
      'loads-with-warnings',
      'transformer.h.0.crossattention.c_attn.weight',
      undefined,
    ]);
  });

  it('has an output layer that is not known here', async () => {
    const { load } = await inspectModel({ ...tinyLlama.config, architectures: ['LlamaForRewards'] }, llamaBody);
    expect(load).toMatchObject({
      verdict: 'unknown',
      why: 'The output layer of the class LlamaForRewards is not known here.',
    });
    const same = await inspectModel({ ...tinyLlama.config, architectures: ['LlamaForRewards'] }, tinyLlama.tensors);
    expect(same.load).toMatchObject({
      verdict: 'loads',
      notChecked: [{ what: 'config', detail: 'the class that config.json names: compared with the language model' }],
    });
    expect(llamaHead).toEqual([20, 16]);
  });
});

describe('a class of an encoder', () => {
  it('that is not known here is named', async () => {
    const { load } = await inspectModel({ ...tinyBert.config, architectures: ['BertForGhosts'] }, tinyBert.tensors);
    expect(load?.why).toBe('Which tensors the class BertForGhosts has is not known here.');
  });
});

describe('a class of a model that reads images', () => {
  const tower = {
    hidden_size: 16,
    intermediate_size: 24,
    num_hidden_layers: 1,
    num_attention_heads: 4,
    image_size: 8,
    patch_size: 4,
  };
  const { architectures: _, ...text } = tinyLlama.config;
  const llava: TinyModel = {
    config: {
      model_type: 'llava',
      text_config: text,
      vision_config: { model_type: 'clip_vision_model', ...tower, projection_dim: 8 },
    },
    tensors: {},
  };
  const inTower = (prefix: string): Shapes => ({
    [`${prefix}embeddings.class_embedding`]: [16],
    [`${prefix}embeddings.patch_embedding.weight`]: [16, 3, 4, 4],
    [`${prefix}embeddings.position_embedding.weight`]: [5, 16],
    ...(Object.assign(
      {},
      ...['q_proj', 'k_proj', 'v_proj', 'out_proj'].map((name) => linear(`${prefix}encoder.layers.0.self_attn.${name}`, 16)),
    ) as Shapes),
    ...linear(`${prefix}encoder.layers.0.mlp.fc1`, 24, 16),
    ...linear(`${prefix}encoder.layers.0.mlp.fc2`, 16, 24),
    ...(Object.assign(
      {},
      ...['pre_layrnorm', 'post_layernorm', 'encoder.layers.0.layer_norm1', 'encoder.layers.0.layer_norm2'].map((name) => ({
        [`${prefix}${name}.weight`]: [16],
        [`${prefix}${name}.bias`]: [16],
      })),
    ) as Shapes),
  });

  it('may have no output layer', async () => {
    const projector = { ...linear('multi_modal_projector.linear_1', 16), ...linear('multi_modal_projector.linear_2', 16) };
    const language = renamed(llamaBody, (name) => name.replace('model.', 'language_model.'));
    const tensors = { ...inTower('vision_tower.'), ...projector, ...language };
    expect(await checked(llava, 'LlavaModel', tensors)).toEqual(loads);
    const whole = renamed(tensors, (name) => `model.${name}`);
    expect(await checked(llava, 'LlavaForConditionalGeneration', { ...whole, 'lm_head.weight': [20, 16] })).toEqual(loads);
    expect(await checked(llava, 'LlavaForConditionalGeneration', whole)).toEqual([
      'loads-with-warnings',
      'lm_head.weight',
      undefined,
    ]);
  });
});
