/**
 * Settings of config.json with which no model is made. The config classes of transformers take values of one kind for a key, and raise for others; torch raises
 * for tensors of negative sizes, and finds those without elements to be of another shape. Kinds are those that all classes of the types known here
 * declare; each rule was tried with `from_pretrained` (transformers 5.24).
 */
import { readArchitecture } from '../configs/architectures/readArchitecture.js';
import { headNames, hiddenNames, mostLayers } from '../configs/architectures/sizes.js';
import type { ConfigNode } from '../configs/document/configNode.js';
import { Fields } from '../configs/fields.js';
import { memberOf } from '../formats/text/jsonMember.js';
import { formatCount } from '../text/units.js';
import { refusedKind } from './refusedKinds.js';
import { refusedLayers } from './refusedLayers.js';
import { refusedPadding } from './refusedPadding.js';
import { refusedPart } from './refusedPart.js';
import { refusedRope } from './refusedRope.js';
import { inWords, type RefusedSetting } from './refusedSetting.js';
import { nodeInWords } from '../configs/values/nodeInWords.js';

const layerKeys = [
  'num_hidden_layers',
  'n_layer',
  'n_layers',
  'num_layers',
  'num_decoder_layers',
  'encoder_layers',
  'decoder_layers',
  'depth',
];
const headKeys = ['num_attention_heads', 'n_head', 'n_heads', 'num_heads', 'encoder_attention_heads', 'decoder_attention_heads'];
/** Of 0, classes make tensors without elements, or divide by them. */
const sizeKeys = [
  ...[
    'vocab_size',
    'hidden_size',
    'intermediate_size',
    'moe_intermediate_size',
    'max_position_embeddings',
    'num_key_value_heads',
  ],
  ...['head_dim', 'd_model', 'd_ff', 'd_kv', 'encoder_ffn_dim', 'decoder_ffn_dim', 'n_embd', 'n_positions', 'dim', 'hidden_dim'],
  ...['num_local_experts', 'num_channels', 'relative_attention_num_buckets', 'embedding_size'],
];
const otherCounts = ['type_vocab_size', 'num_experts', 'n_routed_experts', 'num_experts_per_tok', 'kv_lora_rank'];
const [layers, heads, sizes] = [layerKeys, headKeys, sizeKeys].map((keys) => new Set(keys)) as [
  Set<string>,
  Set<string>,
  Set<string>,
];
const counts: ReadonlySet<string> = new Set([...layerKeys, ...headKeys, ...sizeKeys, ...otherCounts]);
/** Those that no class takes without a number. */
const required: ReadonlySet<string> = new Set([
  ...[
    'hidden_size',
    'num_hidden_layers',
    'num_attention_heads',
    'max_position_embeddings',
    'type_vocab_size',
    'n_embd',
    'n_layer',
  ],
  ...['n_head', 'n_positions', 'd_ff', 'd_kv', 'num_layers', 'num_heads', 'num_channels', 'relative_attention_num_buckets'],
]);
const switches: ReadonlySet<string> = new Set([
  ...['tie_word_embeddings', 'attention_bias', 'mlp_bias', 'qkv_bias', 'use_bias', 'use_qk_norm', 'norm_topk_prob', 'is_decoder'],
  ...['add_cross_attention', 'scale_embedding', 'relative_attention'],
]);
/** Those that some classes take without one. */
const optional: ReadonlySet<string> = new Set([
  ...['head_dim', 'num_key_value_heads', 'num_decoder_layers', 'moe_intermediate_size', ...otherCounts],
]);
/** Models in a model. */
const partKeys: ReadonlySet<string> = new Set(['text_config', 'vision_config', 'audio_config']);
/** Types that have a list in some of these keys, or a map: one number for each stage or part. */
const listTypes: ReadonlySet<string> = new Set([
  ...['clap_audio_model', 'cvt', 'dinat', 'donut-swin', 'ernie4_5_vl_moe', 'ernie4_5_vl_moe_text', 'florence_vision', 'gemma3n'],
  ...['gemma3n_text', 'glpn', 'hiera', 'levit', 'lxmert', 'maskformer-swin', 'pvt', 'pvt_v2', 'segformer', 'swin', 'swin2sr'],
  ...['swinv2'],
]);
/** Types whose own value of a key is 0: they do not read it. */
const zeroTypes: ReadonlySet<string> = new Set(['glm5_next', 'glm5_next_text']);

/** Types that refuse heads by whose number the width is not divided. */
const dividingTypes: ReadonlySet<string> = new Set(
  (
    'arcee aria_text bart bert big_bird bigbird_pegasus biogpt blenderbot blenderbot-small bloom camembert clip_text_model ' +
    'clip_vision_model codegen cohere2 cwm data2vec-text data2vec-vision deberta deberta-v2 deepseek_v2 diffllama distilbert ' +
    'ernie esm eurobert exaone falcon gemma2 gemma3_text gemma3n_text gpt-sw3 gpt2 gpt_bigcode gpt_neo gpt_neox gptj hubert ' +
    'internlm3 iquestcoder jais2 layoutlm led llama longformer m2m_100 marian mbart minicpm3 mistral modernbert ' +
    'modernbert-decoder mpnet openai-gpt opt pegasus persimmon plbart roberta roberta-prelayernorm siglip2_text_model ' +
    'siglip2_vision_model siglip_text_model siglip_vision_model stablelm vaultgemma wav2vec2 wavlm whisper xlm-roberta xlm-roberta-xl'
  ).split(' '),
);

/**
 * The first such setting of those that the architecture depends on; undefined where there is none.
 * @param floats whole numbers that are written as floating-point ones, by their key
 */
export function refusedSetting(
  config: Readonly<Record<string, unknown>>,
  floats: ReadonlyMap<string, string> = new Map(),
): RefusedSetting | undefined {
  const type = config['model_type'];
  if (type !== undefined && type !== null && (typeof type !== 'string' || type === ''))
    return { key: 'model_type', value: inWords(type), needed: 'the name of a model', isCertain: true };
  // Labels may be many, and decide nothing here.
  const { id2label: _, label2id: __, ...rest } = config;
  const fields = Fields.fromValues(rest);
  const isCounted = readArchitecture(fields)?.basis === 'architecture';
  // Heads decide of shapes for few classes, and all have them.
  const own = [...fields.node.members.values()].filter(({ key }) => heads.has(key) || partKeys.has(key));
  const used = [...own.map(({ key, value: node }) => ({ path: [key], node })), ...fields.used.values()];
  for (const { path, node } of used) {
    const part = memberOf(path.length > 1 ? rest[path[0] ?? ''] : undefined, 'model_type');
    const refused =
      refusedValue(path, node, typeof part === 'string' ? part : String(type)) ?? refusedFloat(path, node, String(type), floats);
    if (refused !== undefined) return refused;
  }
  const refused =
    refusedLabels(config) ??
    (isCounted ? refusedTie(config) : undefined) ??
    undividedWidth(fields, String(type)) ??
    refusedInPart(config) ??
    refusedPart(config);
  return refused ?? (isCounted ? undefined : uncountedSetting(used));
}

/** What the class of a config, or of a model in it, looks at as a whole. */
function refusedInPart(config: Readonly<Record<string, unknown>>): RefusedSetting | undefined {
  for (const part of ['', ...partKeys]) {
    const model = part === '' ? config : config[part];
    const refused = refusedLayers(model) ?? refusedRope(model) ?? refusedKind(model) ?? refusedPadding(model);
    if (refused !== undefined) return part === '' ? refused : { ...refused, key: `${part}.${refused.key}` };
  }
  return undefined;
}

/**
 * The number of labels counts before their list, and no text or null is one. Classifiers of texts have a layer for no labels, which is of
 * another shape; those of images have none.
 */
function refusedLabels(config: Readonly<Record<string, unknown>>): RefusedSetting | undefined {
  const { id2label, num_labels: count } = config;
  if (id2label !== undefined && (typeof id2label !== 'object' || Array.isArray(id2label)))
    return { key: 'id2label', value: inWords(id2label), needed: 'an object', isCertain: true };
  if (count !== undefined && typeof count !== 'boolean' && !Number.isInteger(count))
    return { key: 'num_labels', value: inWords(count), needed: 'a whole number', isCertain: true };
  const [name] = Array.isArray(config['architectures']) ? (config['architectures'] as unknown[]) : [];
  if (typeof name !== 'string' || !/For(?:Sequence|Token)Classification$/.test(name)) return undefined;
  if (typeof count === 'number')
    return count > 0 ? undefined : { key: 'num_labels', value: inWords(count), needed: 'greater than 0', isCertain: true };
  const isEmpty = typeof id2label === 'object' && id2label !== null && Object.keys(id2label).length === 0;
  return isEmpty ? { key: 'id2label', value: 'no labels', needed: 'one at least', isCertain: true } : undefined;
}

function refusedValue(path: readonly string[], node: ConfigNode, type: string): RefusedSetting | undefined {
  const name = path[path.length - 1] ?? '';
  const isEmpty = node.kind === 'scalar' && node.value === null;
  const refused = (needed: string, isCertain = true): RefusedSetting => ({
    key: path.join('.'),
    value: wordsOf(node),
    needed,
    isCertain,
  });
  if (partKeys.has(name)) return node.kind === 'map' || isEmpty ? undefined : refused('an object');
  if (switches.has(name))
    return node.kind === 'scalar' && (isEmpty || typeof node.value === 'boolean') ? undefined : refused('a boolean');
  if (!counts.has(name)) return undefined;
  if (node.kind !== 'scalar') return listTypes.has(type) ? undefined : refused('a whole number');
  const { value } = node;
  if (value === null) return required.has(name) ? refused('a whole number') : undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) return refused('a whole number');
  if (value > 0 || (value === 0 && ((!sizes.has(name) && !heads.has(name)) || zeroTypes.has(type)))) return undefined;
  // A negative number of layers is none; of heads, some classes take it.
  return refused('greater than 0', value === 0 || !(layers.has(name) || heads.has(name) || name === 'num_experts_per_tok'));
}

/** A count that Python reads as a float. Which of several parts contains it is not reported. */
function refusedFloat(
  path: readonly string[],
  node: ConfigNode,
  type: string,
  floats: ReadonlyMap<string, string>,
): RefusedSetting | undefined {
  const name = path[path.length - 1] ?? '';
  const written = counts.has(name) ? floats.get(name) : undefined;
  const isSame = node.kind === 'scalar' && written !== undefined && node.value === Number(written);
  return isSame && !listTypes.has(type)
    ? { key: path.join('.'), value: written, needed: 'a whole number', isCertain: true }
    : undefined;
}

function undividedWidth(fields: Fields, type: string): RefusedSetting | undefined {
  if (!dividingTypes.has(type)) return undefined;
  const [width, count] = [fields.integer(...hiddenNames, 'dim'), fields.integer(...headNames, 'encoder_attention_heads')];
  if (width === undefined || count === undefined || width % count === 0 || fields.has('embedding_size')) return undefined;
  const key = [...headNames, 'encoder_attention_heads'].find((name) => fields.has(name)) ?? '';
  return { key, value: formatCount(count), needed: `a divisor of the width ${formatCount(width)}`, isCertain: true };
}

/** Types whose classes have no switch for tied embeddings, or take null for it. */
const untyingTypes: ReadonlySet<string> = new Set(
  (
    'audio-spectrogram-transformer beit blip-2 clip clip_text_model clip_vision_model convnext convnextv2 data2vec-vision deit ' +
    'dinov2 dinov2_with_registers dinov3_vit donut-swin gemma3 hubert inkling2_loop_text inkling2_text inkling_mm_model ' +
    'inkling_text mllama muse_glimmer nomic_bert qwen2_5_omni qwen2_audio qwen3_omni_moe resnet siglip siglip2 ' +
    'siglip2_text_model siglip2_vision_model siglip_text_model siglip_vision_model step3p7 swin swinv2 t5 umt5 vit vit_mae ' +
    'vit_msn voxtral wav2vec2 wav2vec2-bert wavlm ' +
    // Not tried.
    'bamba falcon_h1 granitemoehybrid mamba2 nemotron_h'
  ).split(' '),
);

function refusedTie(config: Readonly<Record<string, unknown>>): RefusedSetting | undefined {
  const key = 'tie_word_embeddings';
  return config[key] === null && !untyingTypes.has(String(config['model_type']))
    ? { key, value: 'null', needed: 'a boolean', isCertain: true }
    : undefined;
}

/** Larger than that of any tensor that a file has. */
const hugeSize = 1e8;

/** Of a config of which no tensors follow. */
function uncountedSetting(used: readonly { path: readonly string[]; node: ConfigNode }[]): RefusedSetting | undefined {
  for (const { path, node } of used) {
    const name = path[path.length - 1] ?? '';
    if (node.kind !== 'scalar' || !counts.has(name)) continue;
    if (node.value === null && !optional.has(name))
      return { key: path.join('.'), value: 'null', needed: 'a whole number', isCertain: false };
    if (typeof node.value !== 'number') continue;
    const [most, isCertain] = layers.has(name) ? [mostLayers, false] : [hugeSize, true];
    if (node.value > most)
      return { key: path.join('.'), value: wordsOf(node), needed: `at most ${formatCount(most)}`, isCertain };
  }
  return undefined;
}

function wordsOf(node: ConfigNode): string {
  if (node.kind === 'scalar') return inWords(node.value);
  return node.kind === 'list' ? 'a list' : nodeInWords(node);
}
