/** Errors that people reported in public, as directories: what fails when they are loaded, and a finding that names the cause that their answers named. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import type { LoadVerdict } from '../../../src/core/checkpoints/loadReport.js';
import type { FindingCode } from '../../../src/core/findings/finding.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { buildSafetensors, buildSafetensorsIndex } from '../../builders/safetensorsBuilder.js';
import { json } from '../../builders/torchDirectory.js';
import { torchState } from '../../builders/torchStateBuilder.js';

type Shapes = Record<string, number[]>;
type Files = Record<string, MemoryFile>;

const safetensors = (shapes: Shapes, dtype = 'BF16'): Uint8Array =>
  buildSafetensors({
    metadata: { format: 'pt' },
    tensors: Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { dtype, shape }])),
  });
const torchFile = (shapes: Shapes): Uint8Array =>
  torchState((tensor) => Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, tensor(shape)])));
const renamed = (shapes: Shapes, rename: (name: string) => string): Shapes =>
  Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [rename(name), shape]));
const without = (shapes: Shapes, ...names: string[]): Shapes =>
  Object.fromEntries(Object.entries(shapes).filter(([name]) => !names.includes(name)));

/** Some tensors with other sizes on their axes. */
const reshaped = (shapes: Shapes, which: RegExp, sizes: (size: number, name: string, axis: number) => number[]): Shapes =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [
      name,
      which.test(name) ? shape.flatMap((size, axis) => sizes(size, name, axis)) : shape,
    ]),
  );

/** Llama 2 70B at a 128th of its width, without its key for grouped keys and values. */
const llamaConfig = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 64,
  intermediate_size: 224,
  num_attention_heads: 8,
  num_hidden_layers: 2,
  vocab_size: 320,
  tie_word_embeddings: false,
};
type LlamaConfig = typeof llamaConfig & { num_key_value_heads?: number };

function llama(config: LlamaConfig = llamaConfig): Shapes {
  const { hidden_size: width, intermediate_size: inner, vocab_size: rows, num_attention_heads: heads } = config;
  const narrow = ((config.num_key_value_heads ?? heads) * width) / heads;
  const layers = Array.from({ length: config.num_hidden_layers }, (_, layer) => ({
    [`model.layers.${layer}.input_layernorm.weight`]: [width],
    [`model.layers.${layer}.mlp.down_proj.weight`]: [width, inner],
    [`model.layers.${layer}.mlp.gate_proj.weight`]: [inner, width],
    [`model.layers.${layer}.mlp.up_proj.weight`]: [inner, width],
    [`model.layers.${layer}.post_attention_layernorm.weight`]: [width],
    [`model.layers.${layer}.self_attn.k_proj.weight`]: [narrow, width],
    [`model.layers.${layer}.self_attn.o_proj.weight`]: [width, width],
    [`model.layers.${layer}.self_attn.q_proj.weight`]: [width, width],
    [`model.layers.${layer}.self_attn.v_proj.weight`]: [narrow, width],
  }));
  return Object.assign(
    { 'lm_head.weight': [rows, width], 'model.embed_tokens.weight': [rows, width], 'model.norm.weight': [width] },
    ...layers,
  ) as Shapes;
}

const model = (config: object, shapes: Shapes, others: Files = {}): Files => ({
  'config.json': json(config),
  'model.safetensors': safetensors(shapes),
  ...others,
});

const bertConfig = {
  architectures: ['BertForSequenceClassification'],
  model_type: 'bert',
  hidden_size: 48,
  intermediate_size: 192,
  max_position_embeddings: 32,
  num_attention_heads: 12,
  num_hidden_layers: 2,
  type_vocab_size: 2,
  vocab_size: 305,
};

const linear = (name: string, outputs: number, inputs = outputs): Shapes => ({
  [`${name}.weight`]: [outputs, inputs],
  [`${name}.bias`]: [outputs],
});
const norm = (name: string, width: number): Shapes => ({ [`${name}.weight`]: [width], [`${name}.bias`]: [width] });

/** With three labels. */
function bert(): Shapes {
  const { hidden_size: width, intermediate_size: inner } = bertConfig;
  const layers = [0, 1].map((layer) => {
    const at = `bert.encoder.layer.${layer}`;
    return {
      ...linear(`${at}.attention.self.query`, width),
      ...linear(`${at}.attention.self.key`, width),
      ...linear(`${at}.attention.self.value`, width),
      ...linear(`${at}.attention.output.dense`, width),
      ...norm(`${at}.attention.output.LayerNorm`, width),
      ...linear(`${at}.intermediate.dense`, inner, width),
      ...linear(`${at}.output.dense`, width, inner),
      ...norm(`${at}.output.LayerNorm`, width),
    };
  });
  return Object.assign(
    {
      'bert.embeddings.word_embeddings.weight': [305, width],
      'bert.embeddings.position_embeddings.weight': [32, width],
      'bert.embeddings.token_type_embeddings.weight': [2, width],
      ...norm('bert.embeddings.LayerNorm', width),
      ...linear('bert.pooler.dense', width),
      ...linear('classifier', 3, width),
    },
    ...layers,
  ) as Shapes;
}

const llavaConfig = {
  architectures: ['LlavaForConditionalGeneration'],
  model_type: 'llava',
  text_config: llamaConfig,
  vision_config: {
    model_type: 'clip_vision_model',
    hidden_size: 16,
    image_size: 8,
    intermediate_size: 32,
    num_attention_heads: 2,
    num_hidden_layers: 1,
    patch_size: 4,
  },
};

/** The tower for pictures and its projector, as they were named before transformers 4.52. */
function tower(): Shapes {
  const at = 'vision_tower.vision_model';
  const layer = `${at}.encoder.layers.0`;
  return {
    [`${at}.embeddings.class_embedding`]: [16],
    [`${at}.embeddings.patch_embedding.weight`]: [16, 3, 4, 4],
    [`${at}.embeddings.position_embedding.weight`]: [5, 16],
    ...norm(`${at}.pre_layrnorm`, 16),
    ...norm(`${at}.post_layernorm`, 16),
    ...(Object.assign({}, ...['q', 'k', 'v', 'out'].map((name) => linear(`${layer}.self_attn.${name}_proj`, 16))) as Shapes),
    ...norm(`${layer}.layer_norm1`, 16),
    ...norm(`${layer}.layer_norm2`, 16),
    ...linear(`${layer}.mlp.fc1`, 32, 16),
    ...linear(`${layer}.mlp.fc2`, 16, 32),
    ...linear('multi_modal_projector.linear_1', 64, 16),
    ...linear('multi_modal_projector.linear_2', 64),
  };
}

const adapterConfig = {
  base_model_name_or_path: 'org/base',
  bias: 'none',
  lora_alpha: 16,
  peft_type: 'LORA',
  r: 8,
  target_modules: ['q_proj', 'v_proj'],
  task_type: 'CAUSAL_LM',
};
const lora = (width: number): Shapes =>
  Object.assign(
    {},
    ...[0, 1].flatMap((layer) =>
      ['q_proj', 'v_proj'].map((module) => ({
        [`base_model.model.model.layers.${layer}.self_attn.${module}.lora_A.weight`]: [8, width],
        [`base_model.model.model.layers.${layer}.self_attn.${module}.lora_B.weight`]: [width, 8],
      })),
    ),
  ) as Shapes;
const adapter = (shapes: Shapes, config: object = {}, others: Files = {}): Files => ({
  'adapter_config.json': json({ ...adapterConfig, ...config }),
  'adapter_model.safetensors': safetensors(shapes),
  ...others,
});

const tokenizer = (tokens: number, added: string[] = []): Uint8Array =>
  json({
    added_tokens: added.map((content, index) => ({ id: tokens + index, content, special: true })),
    model: { type: 'BPE', merges: [], vocab: Object.fromEntries(Array.from({ length: tokens }, (_, id) => [`t${id}`, id])) },
  });

const gqa = { ...llamaConfig, num_key_value_heads: 1 };
const half = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'] as const;
const shards = (shapes: Shapes): [first: Shapes, second: Shapes] => [
  Object.fromEntries(Object.entries(shapes).slice(0, 9)),
  Object.fromEntries(Object.entries(shapes).slice(9)),
];
const index = (first: Shapes, second: Shapes, names: readonly [string, string] = half): Uint8Array =>
  buildSafetensorsIndex(
    Object.fromEntries([
      ...Object.keys(first).map((name) => [name, names[0]]),
      ...Object.keys(second).map((name) => [name, names[1]]),
    ]) as Record<string, string>,
  );

interface Thread {
  thread: string;
  /** What its answers name as the cause. */
  cause: string;
  files: Files;
  /** Config of the adapter's base model. */
  base?: object;
  /** Undefined where there are no weights to load. */
  verdict: LoadVerdict | undefined;
  code: FindingCode;
  /** What message and advice of the finding say. */
  words: string[];
}

const sharded = shards(llama());
const splitInFour = ['model-00001-of-00004.safetensors', 'model-00003-of-00004.safetensors'] as const;
const mlpBiases: Shapes = Object.fromEntries(
  [0, 1].flatMap((layer) => [
    [`model.layers.${layer}.mlp.down_proj.bias`, [64]],
    [`model.layers.${layer}.mlp.gate_proj.bias`, [224]],
    [`model.layers.${layer}.mlp.up_proj.bias`, [224]],
  ]),
);
const wholeRows = (rows: number): Shapes => ({
  'base_model.model.lm_head.weight': [rows, 64],
  'base_model.model.model.embed_tokens.weight': [rows, 64],
});

const threads: Thread[] = [
  {
    thread: 'bytedance/HLLM#2',
    cause: 'grouped keys and values (TinyLlama), of which the loader does not know',
    files: model(llamaConfig, llama(gqa)),
    verdict: 'fails',
    code: 'config-setting-differs',
    words: ['num_key_value_heads 1', 'the config has none', 'model.layers.0.self_attn.k_proj.weight'],
  },
  {
    thread: 'huggingface/text-generation-inference#2254',
    cause: 'heads of a size of their own (Mistral Nemo), which is not the width by the number of heads',
    files: model(
      { ...llamaConfig, architectures: ['MistralForCausalLM'], model_type: 'mistral', num_key_value_heads: 8 },
      reshaped(llama(), /self_attn/, (size, name, axis) => [axis === (name.includes('o_proj') ? 1 : 0) ? 48 : size]),
    ),
    verdict: 'fails',
    code: 'config-setting-differs',
    words: ['head_dim 6', 'the config has none'],
  },
  {
    thread: 'ThilinaRajapakse/simpletransformers#55',
    cause: 'the number of labels is not given when the model is loaded',
    files: { 'config.json': json(bertConfig), 'pytorch_model.bin': torchFile(bert()) },
    verdict: 'fails',
    code: 'config-setting-differs',
    words: ['num_labels 3', 'classifier.weight'],
  },
  {
    thread: 'QwenLM/Qwen3-VL-Embedding#89',
    cause: 'tie_word_embeddings is false, and no lm_head.weight was saved',
    files: model(llamaConfig, without(llama(), 'lm_head.weight')),
    verdict: 'loads-with-warnings',
    code: 'config-setting-differs',
    words: ['tie_word_embeddings true', 'the config has false', 'lm_head.weight'],
  },
  {
    thread: 'hiyouga/LlamaFactory#3721',
    cause: 'biases of the feed-forward layers (Granite), which need mlp_bias',
    files: model(llamaConfig, { ...llama(), ...mlpBiases }),
    verdict: 'loads-with-warnings',
    code: 'config-setting-differs',
    words: ['mlp_bias true', 'model.layers.0.mlp.down_proj.bias'],
  },
  {
    thread: 'minghchen/CARL_code#1',
    cause: 'the checkpoint has two layers, the config three',
    files: model({ ...llamaConfig, num_hidden_layers: 3 }, llama()),
    verdict: 'loads-with-warnings',
    code: 'config-sizes-differ',
    words: ['its number of layers is 3, that of the weights 2'],
  },
  {
    thread: 'RUC-GSAI/YuLan-Chat#8',
    cause: 'vocab_size was set to the length of the tokenizer, and the embedding is padded',
    files: model({ ...llamaConfig, vocab_size: 310 }, llama(), { 'tokenizer.json': tokenizer(310) }),
    verdict: 'fails',
    code: 'config-vocabulary-differs',
    words: ['vocab_size is 310', '320 rows (model.embed_tokens.weight)', 'Set vocab_size to 320', 'padding'],
  },
  {
    thread: 'huggingface/transformers#19418',
    cause: 'the embedding was resized, and vocab_size of the saved config was not',
    files: model(llamaConfig, llama({ ...llamaConfig, vocab_size: 384 }), { 'tokenizer.json': tokenizer(320, ['[PAD]']) }),
    verdict: 'fails',
    code: 'config-vocabulary-differs',
    words: ['vocab_size is 320', '384 rows', 'added tokens'],
  },
  {
    thread: 'nyu-mll/jiant-v1-legacy#1087',
    cause: 'the wrapper of DataParallel was saved',
    files: {
      'config.json': json({ ...bertConfig, id2label: { 0: 'a', 1: 'b', 2: 'c' } }),
      'pytorch_model.bin': torchFile(renamed(bert(), (name) => `module.${name}`)),
    },
    verdict: 'loads-with-warnings',
    code: 'tensor-names-wrapped',
    words: ['DataParallel or DeepSpeed adds module.', 'Save the model in the wrapper'],
  },
  {
    thread: 'huggingface/transformers#37519',
    cause: 'the module of torch.compile was saved, which keeps its prefix under FSDP',
    files: model(
      llamaConfig,
      renamed(llama(), (name) => `_orig_mod.${name}`),
    ),
    verdict: 'loads-with-warnings',
    code: 'tensor-names-wrapped',
    words: ['torch.compile adds _orig_mod.', 'take _orig_mod. off the names'],
  },
  {
    thread: 'pytorch/pytorch#117446',
    cause: 'modules of FSDP within the names',
    files: model(
      llamaConfig,
      renamed(llama(), (name) => `_fsdp_wrapped_module.${name.replace(/(layers\.\d)\./, '$1._fsdp_wrapped_module.')}`),
    ),
    verdict: 'loads-with-warnings',
    code: 'tensor-names-wrapped',
    words: ['21 tensors', 'FSDP adds _fsdp_wrapped_module.'],
  },
  {
    thread: 'declare-lab/flacuna#2',
    cause: 'the model was saved within PEFT, its adapter not merged',
    files: model(llamaConfig, {
      ...renamed(llama(), (name) => `base_model.model.${name.replace('q_proj.', 'q_proj.base_layer.')}`),
      ...renamed(lora(64), (name) => name.replace(/(lora_.)/, '$1.default')),
    }),
    verdict: 'loads-with-warnings',
    code: 'tensor-names-wrapped',
    words: ['PEFT adds base_model.model.', 'merge_and_unload'],
  },
  {
    thread: 'OpenGVLab/InternVL#593',
    cause: 'the language model was saved within PEFT, its adapter not merged',
    files: model(llavaConfig, { ...renamed(llama(), (name) => `language_model.base_model.model.${name}`), ...tower() }),
    verdict: 'loads-with-warnings',
    code: 'tensor-names-wrapped',
    words: ['21 tensors', 'PEFT adds base_model.model.', 'merge_and_unload'],
  },
  {
    thread: 'MakazhanAlpamys/Soup#335',
    cause: 'an adapter of a compiled model, whose names PEFT does not find',
    files: adapter(renamed(lora(64), (name) => `_orig_mod.${name}`)),
    base: llamaConfig,
    verdict: 'loads-with-warnings',
    code: 'tensor-names-wrapped',
    words: ['8 tensors', 'torch.compile adds _orig_mod.'],
  },
  {
    thread: 'OpenRLHF/OpenRLHF#839',
    cause: 'weights of ZeRO-3 that were saved without being gathered',
    files: model(
      llamaConfig,
      reshaped(llama(), /self_attn/, (_, __, axis) => (axis === 0 ? [0] : [])),
    ),
    verdict: 'fails',
    code: 'weights-are-placeholders',
    words: ['8 weights without elements', 'zero_to_fp32.py'],
  },
  {
    thread: 'huggingface/peft#1710',
    cause: 'an adapter that was saved under DeepSpeed, and is empty',
    files: adapter(Object.fromEntries(Object.keys(lora(64)).map((name) => [name, [0]]))),
    base: llamaConfig,
    verdict: 'fails',
    code: 'weights-are-placeholders',
    words: ['8 weights without elements', 'DeepSpeed'],
  },
  {
    thread: 'huggingface/peft#286',
    cause: 'an adapter was saved without any tensor, as its state was filtered twice',
    files: { 'adapter_config.json': json(adapterConfig), 'adapter_model.bin': torchFile({}) },
    base: llamaConfig,
    verdict: undefined,
    code: 'weights-missing',
    words: ['No weights found (adapter_model.bin)'],
  },
  {
    thread: 'hiyouga/LlamaFactory#7997',
    cause: 'tokens were added, and modules_to_save holds embeddings with more rows than the base has',
    files: adapter(
      { ...lora(64), ...wholeRows(328) },
      { modules_to_save: ['lm_head', 'embed_tokens'] },
      { 'tokenizer.json': tokenizer(320, ['<a>']) },
    ),
    base: llamaConfig,
    verdict: 'loads-with-warnings',
    code: 'adapter-vocabulary-differs',
    words: ['is 328 × 64, that of the base 320 × 64', 'resize_token_embeddings'],
  },
  {
    thread: 'axolotl-ai-cloud/axolotl#2277',
    cause: 'the padded embedding was cut to the length of the tokenizer before training',
    files: adapter({ ...lora(64), ...wholeRows(311) }, {}, { 'tokenizer.json': tokenizer(311) }),
    base: llamaConfig,
    verdict: 'fails',
    code: 'adapter-vocabulary-differs',
    words: ['is 311 × 64, that of the base 320 × 64'],
  },
  {
    thread: 'hiyouga/LlamaFactory#694',
    cause: 'the adapter of a model of 4,096 on one of 5,120',
    files: adapter(lora(64)),
    base: { ...llamaConfig, hidden_size: 80, num_attention_heads: 10 },
    verdict: 'fails',
    code: 'adapter-of-other-base',
    words: ['is 8 × 64, and has to be 8 × 80', 'the model that it was trained with'],
  },
  {
    thread: 'huggingface/peft#294',
    cause: 'the attention of GPT-NeoX is query_key_value',
    files: adapter(lora(64)),
    base: {
      architectures: ['GPTNeoXForCausalLM'],
      model_type: 'gpt_neox',
      hidden_size: 64,
      intermediate_size: 256,
      num_attention_heads: 4,
      num_hidden_layers: 2,
      vocab_size: 504,
    },
    verdict: 'fails',
    code: 'adapter-targets-missing',
    words: ['q_proj, v_proj', 'query_key_value'],
  },
  {
    thread: 'potamides/AutomaTikZ#19',
    cause: 'the output layer of modules_to_save was saved under another name',
    files: adapter({ ...lora(64), 'base_model.model.lm_head.0.weight': [320, 64] }, { modules_to_save: ['lm_head'] }),
    base: llamaConfig,
    verdict: 'fails',
    code: 'adapter-modules-unsaved',
    words: ['base_model.model.lm_head.weight'],
  },
  {
    thread: 'Neph0s/CoSER#3',
    cause: 'the index is of an older split into shards',
    files: {
      'config.json': json(llamaConfig),
      [half[0]]: safetensors(sharded[0]),
      [half[1]]: safetensors(sharded[1]),
      'model.safetensors.index.json': index(...sharded, splitInFour),
    },
    verdict: 'fails',
    code: 'index-tensor-unlisted',
    words: ['model-00001-of-00002.safetensors missing from the index', 'they are from different saves'],
  },
  {
    thread: 'sgl-project/sglang#32279',
    cause: 'an interrupted download left out a shard',
    files: {
      'config.json': json(llamaConfig),
      [half[0]]: safetensors(sharded[0]),
      'model.safetensors.index.json': index(...sharded),
    },
    verdict: 'fails',
    code: 'index-shard-missing',
    words: ['model-00002-of-00002.safetensors', 'download the missing shard'],
  },
  {
    thread: 'lyogavin/airllm#137',
    cause: 'a shard that was downloaded in part',
    files: {
      'config.json': json(llamaConfig),
      [half[0]]: safetensors(sharded[0]),
      [half[1]]: safetensors(sharded[1]).subarray(0, 3000),
      'model.safetensors.index.json': index(...sharded),
    },
    verdict: 'fails',
    code: 'file-truncated',
    words: ['header declares 145 kB, file has 3 kB'],
  },
  {
    thread: 'meta-llama/llama-cookbook#189',
    cause: 'a padding token was added, for which the embedding has no row',
    files: model(llamaConfig, llama(), { 'tokenizer.json': tokenizer(320, ['<pad>']) }),
    verdict: 'loads-with-warnings',
    code: 'added-tokens-beyond-embedding',
    words: ['<pad> is 320', 'resize_token_embeddings'],
  },
  {
    thread: 'huggingface/transformers#1848',
    cause: 'a tokenizer of another size, to which the embedding was not resized',
    files: model(llamaConfig, llama(), { 'tokenizer.json': tokenizer(500) }),
    verdict: 'fails',
    code: 'tokenizer-beyond-embedding',
    words: ['The tokenizer has 500 ids, the embedding 320 rows'],
  },
  {
    thread: 'hiyouga/LlamaFactory#2837',
    cause: 'temperature and top_p without do_sample in generation_config.json',
    files: model(llamaConfig, llama(), {
      'generation_config.json': json({ do_sample: false, temperature: 0.9, top_p: 0.6 }),
    }),
    verdict: 'loads',
    code: 'generation-settings-ignored',
    words: ['temperature, top_p', 'do_sample'],
  },
  {
    thread: 'intel/intel-extension-for-transformers#1104',
    cause: 'packed weights, which were loaded as plain ones',
    files: {
      'config.json': json(llamaConfig),
      'model.safetensors': buildSafetensors({
        tensors: Object.fromEntries(
          Object.entries(llama()).map(([name, shape]) => [
            name,
            name.includes('_proj') ? { dtype: 'U8', shape: [160] } : { dtype: 'BF16', shape },
          ]),
        ),
      }),
    },
    verdict: 'fails',
    code: 'quantization-config-missing',
    words: ['14 packed weights', 'no quantization_config'],
  },
  {
    thread: 'CASIA-LMC-Lab/FLAP#7',
    cause: 'layers were pruned to sizes of their own, which no config of the class can say',
    files: model(
      llamaConfig,
      reshaped(llama(), /layers\.1\.mlp/, (size) => [size === 224 ? 113 : size]),
    ),
    verdict: 'fails',
    code: 'tensor-shapes-differ',
    words: ['3 tensors', 'model.layers.1.mlp.gate_proj.weight is 113 × 64'],
  },
];

async function inspected({ files, base }: Pick<Thread, 'files' | 'base'>): Promise<CheckpointReport> {
  const config = base === undefined ? null : { path: 'base/config.json', text: JSON.stringify(base) };
  const configs = {
    read: () => Promise.resolve(null),
    readCached: (name: string) => Promise.resolve(name === 'org/base' ? config : null),
  };
  return (await inspectCheckpoint(memoryTree('save', files), { path: 'save', configs })).report;
}

describe('an error that was reported', () => {
  it.each(threads)('$thread: $cause', async (thread) => {
    const { load, findings } = await inspected(thread);
    expect(load?.verdict).toBe(thread.verdict);
    const found = findings.find(({ code }) => code === thread.code);
    const text = `${found?.message} ${found?.effect} ${found?.advice}`;
    for (const words of thread.words) expect(text).toContain(words);
  });

  it('is not explained by a value that leaves tensors of another shape', async () => {
    const shapes = llama({ ...gqa, vocab_size: 384 });
    const { load, findings } = await inspected({ files: model(llamaConfig, shapes) });
    expect(load?.fits.map(({ key }) => key)).not.toContain('num_key_value_heads');
    expect(findings.map(({ code }) => code)).toContain('tensor-shapes-differ');
  });

  it('is explained by a setting of the language model in a config of several', async () => {
    const shapes = renamed(llama(gqa), (name) => `language_model.${name}`);
    const { load } = await inspected({ files: model(llavaConfig, { ...shapes, ...tower() }) });
    expect(load?.fits).toEqual([{ key: 'text_config.num_key_value_heads', config: null, tensors: 1 }]);
  });

  it.each([
    ['Llama', model(gqa, llama(gqa))],
    [
      'Llava, whose towers lost a level of names (huggingface/transformers#45361)',
      model(llavaConfig, { ...renamed(llama(), (name) => `language_model.${name}`), ...tower() }),
    ],
    ['BERT', model({ ...bertConfig, id2label: { 0: 'a', 1: 'b', 2: 'c' } }, bert())],
  ])('is none where config and weights agree: %s', async (_, files) => {
    const { load, findings } = await inspected({ files });
    expect({ verdict: load?.verdict, codes: findings.map(({ code }) => code) }).toEqual({ verdict: 'loads', codes: [] });
  });
});
