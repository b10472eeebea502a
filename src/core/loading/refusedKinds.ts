/**
 * Settings that decide of no tensor and are of another kind than the config class takes: text in place of numbers (configuration_utils.py 5.24: fields
 * are validated), and names that transformers or torch does not have. Keys that a class does not declare are not looked at.
 */
import { memberOf } from '../formats/text/jsonMember.js';
import { inWords, type RefusedSetting } from './refusedSetting.js';
import { rotaryTypes } from './rotaryTypes.js';

/** Encoders that were tried with them too. */
const encoders: ReadonlySet<unknown> = new Set(['bert', 'roberta', 'electra']);

interface Kind {
  key: string;
  needed: string;
  /** Types whose classes do not declare it. */
  without: ReadonlySet<unknown>;
}

const texts: readonly Kind[] = [
  { key: 'max_position_embeddings', needed: 'a whole number', without: new Set(['dbrx']) },
  { key: 'use_cache', needed: 'a boolean', without: new Set(['gte', 'nomic_bert']) },
  { key: 'bos_token_id', needed: 'a whole number', without: new Set() },
  { key: 'eos_token_id', needed: 'a whole number or a list of them', without: new Set() },
  { key: 'pad_token_id', needed: 'a whole number', without: new Set() },
  { key: 'initializer_range', needed: 'a number', without: new Set() },
  {
    key: 'rms_norm_eps',
    needed: 'a number',
    without: new Set([
      ...['cohere', 'cohere2', 'dbrx', 'falcon', 'gpt_neox', 'gpt_neox_japanese', 'gte', 'jais2', 'lfm2', 'lfm2_moe', 'nemotron'],
      ...['nomic_bert', 'olmo', 'persimmon', 'phi', 'stablelm', 'starcoder2', ...(encoders as ReadonlySet<string>)],
    ]),
  },
];

/** Functions of transformers (activations.py: ACT2CLS). */
const activations: ReadonlySet<string> = new Set([
  ...['gelu', 'gelu_10', 'gelu_accurate', 'gelu_fast', 'gelu_new', 'gelu_python', 'gelu_python_tanh', 'gelu_pytorch_tanh'],
  ...['hardswish', 'laplace', 'leaky_relu', 'linear', 'mish', 'prelu', 'quick_gelu', 'relu', 'relu2', 'relu6', 'sigmoid', 'silu'],
  ...['sqrtsoftplus', 'swish', 'tanh', 'xielu'],
]);
const activationTypes: ReadonlySet<unknown> = new Set([
  ...['bert', 'cohere', 'deberta-v2', 'electra', 'gemma', 'gpt_neox', 'granite', 'llama', 'mistral', 'mixtral', 'olmo2', 'phi3'],
  ...['qwen2', 'qwen3', 'qwen3_moe', 'roberta', 'vit'],
]);

/** Types whose classes bound `initializer_range`. */
const boundedTypes: ReadonlySet<unknown> = new Set(['aria_text', 'exaone', 'hrm_text', 'jais2', 'llama', 'olmo_hybrid']);

/** Attention of transformers (modeling_utils.py: AttentionInterface); a name with a slash is a kernel of the Hub. */
const attentions: ReadonlySet<string> = new Set([
  ...['eager', 'sdpa', 'flex_attention', 'flash_attention_2', 'flash_attention_3', 'flash_attention_4'],
]);

function isNoAttention(name: string): boolean {
  return name !== '' && !attentions.has(name) && !/[/|]/.test(name);
}

/** In which torch makes modules. */
const dtypes: ReadonlySet<string> = new Set(['bfloat16', 'float16', 'float32', 'float64', 'half', 'float', 'double']);

/** Undefined where nothing is refused that is known here. @param config of one model */
export function refusedKind(config: unknown): RefusedSetting | undefined {
  const refused = (key: string, value: unknown, needed: string): RefusedSetting => ({
    key,
    value: inWords(value),
    needed,
    isCertain: true,
  });
  const type = memberOf(config, 'model_type');
  if (rotaryTypes.has(type) || encoders.has(type))
    for (const { key, needed, without } of texts) {
      const value = memberOf(config, key);
      if (typeof value === 'string' && !without.has(type)) return refused(key, value, needed);
    }
  const range = memberOf(config, 'initializer_range');
  const isInRange = range === undefined || (typeof range === 'number' && range >= 0 && range <= 1);
  // NaN is read as null is.
  if (boundedTypes.has(type) && !isInRange)
    return {
      ...refused('initializer_range', range, 'a number from 0 to 1'),
      ...(range === null ? { value: 'null or NaN' } : {}),
    };
  const attention = memberOf(config, 'attn_implementation');
  if (typeof attention === 'string' && isNoAttention(attention))
    return refused('attn_implementation', attention, 'an attention that transformers has');
  const activation = memberOf(config, 'hidden_act');
  if (activationTypes.has(type) && typeof activation === 'string' && !activations.has(activation))
    return refused('hidden_act', activation, 'a function that transformers has');
  const key = memberOf(config, 'dtype') == null ? 'torch_dtype' : 'dtype';
  const dtype = memberOf(config, key);
  // A quantizer may have one of its own.
  const isPlain = memberOf(config, 'quantization_config') === undefined;
  return isPlain && typeof dtype === 'string' && dtype !== '' && !dtypes.has(dtype)
    ? refused(key, dtype, 'a floating-point type of torch')
    : undefined;
}
