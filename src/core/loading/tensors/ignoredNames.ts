/**
 * Tensors of which the classes of transformers say nothing: names that they leave out, buffers that they save beside their parameters, and what they compute
 * where no file has it. Facts of the classes of 5.24: `_keys_to_ignore_on_load_unexpected`, `_keys_to_ignore_on_load_missing`, and the buffers of their
 * state dicts; modeling_utils.py leaves out `rotary_emb.inv_freq` and
 * `position_ids` where the class has such a buffer, and they are left out here for all classes: files of others have none. All else is `unexpected`.
 */
import { isBufferName } from '../../tensors/parameterCount.js';

/** Names of one or several types of models, with `N` for each number. */
interface Names {
  modelTypes: readonly string[];
  /** Ends of the classes that are meant; all of the types where nothing is said. */
  classes?: readonly string[];
  /** A switch of the config, without which the class has none. */
  switch?: string;
  names: RegExp;
}

const leftOut: readonly Names[] = [
  { modelTypes: ['apertus1p5_text'], names: /^model\.(?:audio|vision)_tokenizer\./ },
  { modelTypes: ['axk1'], names: /inv_freq|mlp\.post_mlp_layernorm/ },
  { modelTypes: ['axk2', 'gte', 'nomic_bert'], names: /inv_freq/ },
  { modelTypes: ['bart', 'florence2'], names: /(?:en|de)coder\.version/ },
  { modelTypes: ['beit', 'data2vec-vision'], names: /relative_position_index/ },
  { modelTypes: ['codegen'], names: /attn\.causal_mask/ },
  { modelTypes: ['deberta', 'deberta-v2'], names: /position_embeddings/ },
  { modelTypes: ['deberta-v2'], classes: ['ForMaskedLM'], names: /mask_predictions/ },
  { modelTypes: ['deepseek_v4', 'minimax_m3_vl', 'minimax_m3_vl_text'], names: /(?:^|\.)mtp\./ },
  { modelTypes: ['dots3_note_text'], names: /^model\.(?:language_model\.)?mtp\./ },
  { modelTypes: ['ernie4_5_moe', 'exaone4_5', 'exaone_moe', 'nemotron_h'], names: /mtp/ },
  { modelTypes: ['esm'], names: /position_embeddings\.weight/ },
  { modelTypes: ['gpt2', 'gpt-sw3', 'decision_transformer'], names: /attn\.bias|crossattention\.bias/ },
  { modelTypes: ['gptj'], names: /attn\.(?:masked_)?bias/ },
  { modelTypes: ['gpt_neox'], names: /attention\.(?:masked_)?bias/ },
  { modelTypes: ['hy_v4'], names: /model\.mtp_layers\./ },
  { modelTypes: ['inkling_mm_model', 'inkling_text'], names: /model\.mtp\./ },
  { modelTypes: ['longcat_flash'], names: /model\.mtp/ },
  { modelTypes: ['longt5', 't5'], classes: ['EncoderModel'], names: /decoder/ },
  { modelTypes: ['t5'], classes: ['ForTokenClassification'], names: /decoder/ },
  {
    modelTypes: ['longt5', 'mt5', 't5'],
    classes: ['ForConditionalGeneration', 'ForQuestionAnswering', 'ForSequenceClassification', 'Model'],
    names: /decoder\.block\.N\.layer\.N\.EncDecAttention\.relative_attention_bias\.weight/,
  },
  {
    modelTypes: ['umt5'],
    classes: ['ForSequenceClassification', 'ForTokenClassification'],
    names: /decoder\.block\.N\.layer\.N\.EncDecAttention\.relative_attention_bias\.weight/,
  },
  { modelTypes: ['mimo_v2_flash'], names: /^model\.mtp\./ },
  { modelTypes: ['mellum'], names: /^mtp\./ },
  {
    modelTypes: [
      'minicpmv4_6',
      'olmo_hybrid',
      'qwen3_5',
      'qwen3_5_moe',
      'qwen3_5_moe_text',
      'qwen3_5_text',
      'qwen3_next',
      'qwen4_exp_text',
    ],
    names: /^mtp/,
  },
  { modelTypes: ['qwen3_5_moe_text', 'qwen3_5_text', 'qwen4_exp_text'], classes: ['ForCausalLM'], names: /^model.visual/ },
  { modelTypes: ['paddleocr_vl'], names: /packing_position_embedding|vision_model.head/ },
  { modelTypes: ['qwen2_5_omni', 'qwen2_5_omni_thinker'], names: /^(?:talker|token2wav)/ },
  { modelTypes: ['qwen3_omni_moe', 'qwen3_omni_moe_thinker'], names: /^(?:talker|code2wav)/ },
  { modelTypes: ['swin'], names: /attention\.(?:relative_position_bias|self)\.relative_position_index/ },
];

/** Buffers in the state dicts of classes. Where they are is known by the parameters beside them, and their sizes are not compared. */
const saved: readonly Names[] = [
  { modelTypes: ['apertus', 'apertus1p5_text'], names: /\.act_fn\.(?:beta|eps)$/ },
  {
    modelTypes: ['bart', 'bigbird_pegasus', 'blenderbot', 'blenderbot-small', 'led', 'marian', 'mbart', 'pegasus', 'plbart'],
    classes: ['ForConditionalGeneration', 'MTModel'],
    names: /^final_logits_bias$/,
  },
  { modelTypes: ['deepseek_v4'], names: /\.gate\.tid2eid$/ },
  { modelTypes: ['diffusion_gemma', 'gemma4', 'gemma4_text', 'gemma4_unified', 'gemma4_unified_text'], names: /\.layer_scalar$/ },
  { modelTypes: ['donut-swin'], names: /\.relative_position_index$/ },
  { modelTypes: ['esm'], names: /rotary_embeddings\.inv_freq$/ },
  { modelTypes: ['florence2'], names: /\.pos_idx_to_embed$/ },
  { modelTypes: ['gemma4'], names: /\.(?:in|out)put_(?:max|min)$/ },
  { modelTypes: ['lfm2_moe'], switch: 'use_expert_bias', names: /\.expert_bias$/ },
  { modelTypes: ['minimax'], names: /\.self_attn\.(?:diagonal_decay|key_decay|query_decay|slope_rate)$/ },
  { modelTypes: ['zaya'], names: /\.gate\.balancing_biases$/ },
];

/** Statistics of batch normalization, in whatever class. */
const statistics = /\.(?:running_mean|running_var|num_batches_tracked)$/;

/** Layers that are left out by their number, whatever the number of layers is (those that predict further tokens, as they are published). */
const leftOutLayers: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...['deepseek_v3', 'deepseek_v32', 'kimi_k2', 'kimi_k25'].map((type): [string, number[]] => [type, [61]]),
  ...['glm4_moe', 'glm4v_moe'].map((type): [string, number[]] => [type, [46, 92]]),
  ['dots3_note_text', [46]],
  ['glm4_moe_lite', [47]],
  ['glm_moe_dsa', [78]],
  ['glm_ocr', [16]],
  ['hy_v3', [80]],
]);
/** Keys of how many layers predict further tokens, and types that leave out as many behind the last one. */
const predictionKeys = ['num_nextn_predict_layers', 'mtp_num_hidden_layers', 'num_mtp_layers'] as const;
const leavingThemOut: ReadonlySet<string> = new Set(['bailing_hybrid', 'step3p7']);
/** Of layers that share the keys and values of others. */
const sharedParts = /\.self_attn\.(?:[kv]_proj|[kv]_norm)\./;
const sharingTypes: ReadonlySet<string> = new Set(['gemma3n_text', 'gemma4', 'gemma4_text']);

/** Buffers and modules of classes outside of transformers, of which nothing is known: they are left out as most of their kind are. */
const otherBuffers = /(?:^|\.)(?:attn|attention)\.(?:bias|causal_mask)$/;
const otherPredictions = /(?:^|\.)mtp(?:_|\.|$)/;

export interface IgnoredNames {
  /** Buffers that the class saves. */
  isBuffer: (key: string) => boolean;
  isLeftOut: (key: string) => boolean;
  /** Whether a tensor that its layer does not have is left out. @param layers of its stack */
  isLeftOutLayer: (key: string, layer: number, layers: number) => boolean;
  /** The class computes it where no file has it. */
  isComputed: (key: string) => boolean;
}

export interface NamingClass {
  modelType: string;
  /** Empty where the config names none. */
  className: string;
  /** It is a class of transformers, and not one of code beside the weights. */
  isOfTransformers: boolean;
  /** A whole number of the config; 0 without it. */
  numberOf: (key: string) => number;
  /** Whether a switch of the config is off. */
  isOff: (key: string) => boolean;
}

/** What the class of a config ignores. Keys have `N` for each number. */
export function ignoredNames({ modelType, className, isOfTransformers, numberOf, isOff }: NamingClass): IgnoredNames {
  const meant = ({ modelTypes, classes, switch: key }: Names): boolean =>
    modelTypes.includes(modelType) &&
    (key === undefined || !isOff(key)) &&
    (classes === undefined || className === '' || classes.some((end) => className.endsWith(end)));
  const [out, buffers] = [leftOut, saved].map((all) => all.filter(meant).map(({ names }) => names)) as [RegExp[], RegExp[]];
  const numbered = leftOutLayers.get(modelType) ?? [];
  const behind =
    isOfTransformers && !leavingThemOut.has(modelType)
      ? 0
      : predictionKeys.map(numberOf).reduce((most, value) => Math.max(most, value));
  return {
    isBuffer: (key) =>
      statistics.test(key) ||
      buffers.some((names) => names.test(key)) ||
      (!isOfTransformers && (isBufferName(key.slice(key.lastIndexOf('.') + 1)) || otherBuffers.test(key))),
    isLeftOut: (key) =>
      /rotary_emb\.inv_freq|(?:^|\.)position_ids$/.test(key) ||
      out.some((names) => names.test(key)) ||
      (!isOfTransformers && otherPredictions.test(key)),
    isLeftOutLayer: (key, layer, layers) => {
      if (!key.includes('layers.N.')) return false;
      if (sharingTypes.has(modelType) && sharedParts.test(key) && layer >= layers - numberOf('num_kv_shared_layers')) return true;
      return numbered.includes(layer) || (layer >= layers && layer < layers + behind);
    },
    // Sines, which its classes do not save but for that of the decoder alone (modeling_marian.py).
    isComputed: (key) =>
      modelType === 'marian' &&
      !className.endsWith('ForCausalLM') &&
      /^model\.(?:en|de)coder\.embed_positions\.weight$/.test(key),
  };
}
