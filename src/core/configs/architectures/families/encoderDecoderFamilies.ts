import type { Fields } from '../../fields.js';
import type { Architecture, ArchitectureReading } from '../architecture.js';
import { readSizes } from '../configSizes.js';
import { addLayers, attentionNames, bartDecoderLayer, bartEncoderLayer, type LayerNames } from '../encoderLayer.js';
import { addClassifier, addDenseClassifier, headOf, labelCount } from '../modelHead.js';
import { elementsOf, ModelTensors } from '../tensorGroup.js';

/** That a published checkpoint has an output layer of its own, which no key of transformers tells; of the table of published models alone. */
export const ownHeadKey = 'has_own_lm_head';

/** How a family differs from T5. */
interface T5Kin {
  modelTypes: readonly string[];
  name: string;
  defaults: Readonly<Record<string, number | string>>;
  /** Every layer has its own biases by distance, in place of the first alone. */
  hasBiasEverywhere: boolean;
}

const t5: T5Kin = {
  modelTypes: ['t5'],
  name: 'T5',
  defaults: {
    vocab_size: 32_128,
    d_model: 512,
    d_kv: 64,
    d_ff: 2048,
    num_layers: 6,
    num_heads: 8,
    relative_attention_num_buckets: 32,
    feed_forward_proj: 'relu',
  },
  hasBiasEverywhere: false,
};

const multilingual = { vocab_size: 250_112, d_ff: 1024, num_layers: 8, num_heads: 6, feed_forward_proj: 'gated-gelu' };

const switchDefaults = { ...t5.defaults, d_model: 768, num_layers: 12, num_heads: 12 };

/** transformers/models/{t5,mt5,umt5,longt5,switch_transformers}/modeling_*.py */
const t5Kin: readonly T5Kin[] = [
  t5,
  { ...t5, modelTypes: ['mt5'], name: 'mT5', defaults: { ...t5.defaults, ...multilingual } },
  { ...t5, modelTypes: ['umt5'], name: 'umT5', defaults: { ...t5.defaults, ...multilingual }, hasBiasEverywhere: true },
  { ...t5, modelTypes: ['longt5'], name: 'LongT5' },
  { ...t5, modelTypes: ['switch_transformers'], name: 'Switch Transformers', defaults: switchDefaults },
];

/** Types of models whose output layer transformers 5 ties to the embedding, whatever their config sets. */
export const everTiedTypes: ReadonlySet<unknown> = new Set(
  t5Kin.filter((kin) => !isSwitch(kin)).flatMap(({ modelTypes }) => modelTypes),
);

function t5Architecture(kin: T5Kin): Architecture {
  return {
    modelTypes: kin.modelTypes,
    name: kin.name,
    tensors: (config) => t5Tensors(kin, config),
    extras: (config) => untiedHead(kin, config),
  };
}

/** Keys that only releases before transformers 5 write. */
const olderKeys = ['_name_or_path', 'output_past', 'n_positions', 'torch_dtype'] as const;

/**
 * Whether the output layer is the embedding. T5, mT5, umT5 and LongT5 of transformers 5 tie a new model whatever its config sets, and save `true`
 * (models/t5/configuration_t5.py, __post_init__); releases before it follow the key. Where weights have an output layer of their own, both load it
 * (modeling_utils.py, tie_weights).
 */
function isHeadTied(kin: T5Kin, config: Fields): boolean {
  if (config.flag(ownHeadKey) === true) return false;
  if (config.flag('tie_word_embeddings') !== false) return true;
  return !isSwitch(kin) && !isSavedBefore5(config);
}

function isSavedBefore5(config: Fields): boolean {
  const major = Number(config.text('transformers_version')?.split('.')[0] ?? Number.NaN);
  return major < 5 || (Number.isNaN(major) && config.has(...olderKeys));
}

/** What is more in a checkpoint that has the output layer of its own that the config sets. */
function untiedHead(kin: T5Kin, config: Fields): ArchitectureReading['extras'] {
  if (config.flag('tie_word_embeddings') !== false || !isHeadTied(kin, config)) return [];
  const head = t5Tensors(kin, config)?.groups.find(({ kind, isTied }) => kind === 'head' && isTied === true);
  return head === undefined ? [] : [{ name: 'output-layer', parameters: elementsOf(head.shape) }];
}

interface T5Sizes {
  hidden: number;
  inner: number;
  width: number;
  heads: number;
  buckets: number;
  isGated: boolean;
}

function t5Tensors(kin: T5Kin, given: Fields): ModelTensors | null {
  const config = given.withDefaults(kin.defaults);
  const read = readSizes(config, [
    'vocab_size',
    'd_model',
    'd_kv',
    'd_ff',
    'num_layers',
    'num_heads',
    'relative_attention_num_buckets',
  ]);
  if (read === null) return null;
  const sizes: T5Sizes = {
    hidden: read.d_model,
    inner: read.num_heads * read.d_kv,
    width: read.d_ff,
    heads: read.num_heads,
    buckets: read.relative_attention_num_buckets,
    isGated: config.flag('is_gated_act') ?? (config.text('feed_forward_proj') ?? '').startsWith('gated'),
  };
  const { hidden } = sizes;
  const head = headOf(config, 'ConditionalGeneration');
  const prefix = head === 'SequenceClassification' || head === 'TokenClassification' ? 'transformer.' : '';
  const model = new ModelTensors();
  model.embedding(`${prefix}shared`, read.vocab_size, hidden);
  const encoderAttention = kin.modelTypes.includes('longt5') ? longAttention(config) : 'SelfAttention';
  const hasExperts = isSwitch(kin);
  const isTied = isHeadTied(kin, config);
  // Switch Transformers has three of them where they are not tied, T5 one that both stacks share.
  const isStackTied = isTied || !hasExperts;
  const encoder = {
    layers: read.num_layers,
    attention: encoderAttention,
    everywhere: kin.hasBiasEverywhere,
    isTied: isStackTied,
    ...(hasExperts && { experts: switchExperts(config, 'encoder', read.num_layers) }),
  };
  addT5Stack(model, `${prefix}encoder`, read.vocab_size, sizes, encoder);
  // Classes that use the encoder alone.
  const hasDecoder = head !== 'Encoder' && head !== 'TokenClassification';
  const layers = config.integer('num_decoder_layers') ?? read.num_layers;
  const decoder = {
    layers,
    attention: 'SelfAttention',
    everywhere: kin.hasBiasEverywhere,
    isTied: isStackTied,
    isDecoder: true,
    ...(hasExperts && { experts: switchExperts(config, 'decoder', layers) }),
  };
  if (hasDecoder) addT5Stack(model, `${prefix}decoder`, read.vocab_size, sizes, decoder);
  switch (head) {
    case 'ConditionalGeneration':
    case 'PreTraining':
    case 'CausalLM':
      // The last is `T5WithLMHeadModel`, its name before transformers 4.
      model.head('lm_head', read.vocab_size, hidden, { isTied });
      return model;
    case 'SequenceClassification':
      addDenseClassifier(model, labelCount(config), hidden, 'classification_head');
      return model;
    case 'TokenClassification':
      addClassifier(model, labelCount(config), hidden);
      return model;
    case 'QuestionAnswering':
      addClassifier(model, labelCount(config), hidden, 'qa_outputs');
      return model;
    default:
      return head === 'Model' || head === 'Encoder' ? model : null;
  }
}

function isSwitch({ modelTypes }: T5Kin): boolean {
  return modelTypes.includes('switch_transformers');
}

function longAttention(config: Fields): string {
  return config.text('encoder_attention_type') === 'transient-global' ? 'TransientGlobalSelfAttention' : 'LocalSelfAttention';
}

/** Layers whose feed-forward part is one of several for each token (arXiv 2101.03961). */
interface SwitchExperts {
  layers: number;
  count: number;
  routerBias: boolean;
}

/** The second of each period has experts; with none asked for the period is the stack (configuration_switch_transformers.py). */
function switchExperts(config: Fields, stack: 'encoder' | 'decoder', layers: number): SwitchExperts {
  const asked = config.integer(`num_sparse_${stack}_layers`) ?? 3;
  const step = asked > 0 ? Math.floor(layers / asked) : layers;
  return {
    layers: step === 1 ? layers : step > 1 ? Math.floor((layers + step - 2) / step) : 0,
    count: config.integer('num_experts') ?? 8,
    routerBias: config.flag('router_bias') ?? false,
  };
}

interface T5Stack {
  layers: number;
  attention: string;
  everywhere: boolean;
  /** Its embedding is that of the model. */
  isTied: boolean;
  isDecoder?: boolean;
  experts?: SwitchExperts;
}

function addSwitchParts(
  model: ModelTensors,
  layer: string,
  { hidden, width }: T5Sizes,
  copies: number,
  experts: SwitchExperts,
): void {
  const dense = { copies: copies - experts.layers };
  const routed = { copies: experts.layers * experts.count, activeCopies: experts.layers };
  for (const [module, options] of [['mlp', dense] as const, ['mlp.experts.N', routed] as const])
    model.linear(`${layer}.${module}.wi`, hidden, width, options).linear(`${layer}.${module}.wo`, width, hidden, options);
  model.linear(`${layer}.mlp.router.classifier`, hidden, experts.count, { copies: experts.layers, bias: experts.routerBias });
}

function addT5Stack(
  model: ModelTensors,
  stack: string,
  vocabulary: number,
  sizes: T5Sizes,
  { layers: copies, attention, everywhere, isTied, isDecoder = false, experts }: T5Stack,
): void {
  const { hidden, inner, width, heads, buckets, isGated } = sizes;
  const layer = `${stack}.block.N.layer`;
  const self = `${layer}.0.${attention}`;
  const feedForward = isDecoder ? 2 : 1;
  const ways = copies === 0 ? 0 : everywhere ? copies : 1;
  model.parameter(`${stack}.embed_tokens.weight`, [vocabulary, hidden], { kind: 'embedding', isTied });
  addLayers(
    model,
    layer,
    {
      attention: attentionNames(`0.${attention}`, 'q k v o'),
      ...(isDecoder ? { crossAttention: attentionNames('1.EncDecAttention', 'q k v o') } : {}),
      feedForward: (isGated ? ['wi_0', 'wi_1', 'wo'] : ['wi', 'wo']).map((part) => `${feedForward}.DenseReluDense.${part}`),
      norms: [],
    },
    { copies, hidden, inner, width: experts === undefined ? width : 0, hasBias: false },
  );
  if (experts !== undefined) addSwitchParts(model, `${layer}.${feedForward}`, sizes, copies, experts);
  model.embedding(`${self}.relative_attention_bias`, buckets, heads, { copies: ways });
  if (attention === 'TransientGlobalSelfAttention')
    model
      .embedding(`${self}.global_relative_attention_bias`, buckets, heads, { copies: ways })
      .norm(`${self}.global_input_layer_norm`, hidden, { copies });
  for (let part = 0; part <= feedForward; part++) model.norm(`${layer}.${part}.layer_norm`, hidden, { copies });
  model.norm(`${stack}.final_layer_norm`, hidden);
}

/** How a family differs from BART. */
interface BartKin {
  modelTypes: readonly string[];
  name: string;
  defaults: Readonly<Record<string, number>>;
  base: string;
  /** Added to the positions of the config: two in front for BART; none are learned without. */
  extraPositions: number | null;
  /** After the embeddings, and after the last layer. */
  norms: readonly string[];
  /** Classes of a classifier where the config lists none. */
  labels: number;
  /** False for attention without biases, unless the config has them. */
  hasBias?: boolean;
  /** Where the encoder's is called otherwise than the decoder's. */
  encoderAttention?: LayerNames['attention'];
}

const bart: BartKin = {
  modelTypes: ['bart'],
  name: 'BART',
  defaults: {
    vocab_size: 50_265,
    d_model: 1024,
    encoder_layers: 12,
    encoder_ffn_dim: 4096,
    decoder_layers: 12,
    decoder_ffn_dim: 4096,
    max_position_embeddings: 1024,
  },
  base: 'model',
  extraPositions: 2,
  norms: ['layernorm_embedding'],
  labels: 2,
};

const pegasus: BartKin = { ...bart, modelTypes: ['pegasus'], name: 'Pegasus', extraPositions: 0, norms: ['layer_norm'] };

/** transformers/models/{bart,mbart,pegasus,marian,m2m_100,blenderbot,…}/modeling_*.py */
const bartKin: readonly BartKin[] = [
  { ...bart, labels: 3 },
  { ...bart, modelTypes: ['mbart'], name: 'mBART', norms: ['layernorm_embedding', 'layer_norm'] },
  pegasus,
  {
    ...pegasus,
    modelTypes: ['blenderbot'],
    name: 'Blenderbot',
    defaults: {
      vocab_size: 8008,
      d_model: 2560,
      encoder_layers: 2,
      encoder_ffn_dim: 10_240,
      decoder_layers: 24,
      decoder_ffn_dim: 10_240,
      max_position_embeddings: 128,
    },
  },
  {
    ...bart,
    modelTypes: ['blenderbot-small'],
    name: 'Blenderbot, small',
    defaults: {
      vocab_size: 50_265,
      d_model: 512,
      encoder_layers: 8,
      encoder_ffn_dim: 2048,
      decoder_layers: 8,
      decoder_ffn_dim: 2048,
      max_position_embeddings: 512,
    },
    extraPositions: 0,
  },
  {
    ...bart,
    modelTypes: ['plbart'],
    name: 'PLBART',
    defaults: {
      vocab_size: 50_005,
      d_model: 768,
      encoder_layers: 6,
      encoder_ffn_dim: 3072,
      decoder_layers: 6,
      decoder_ffn_dim: 3072,
      max_position_embeddings: 1024,
    },
  },
  {
    ...bart,
    modelTypes: ['marian'],
    name: 'Marian',
    defaults: { ...bart.defaults, vocab_size: 58_101 },
    extraPositions: 0,
    norms: [],
  },
  {
    ...bart,
    modelTypes: ['m2m_100'],
    name: 'M2M-100, NLLB',
    defaults: { ...bart.defaults, vocab_size: 128_112 },
    extraPositions: null,
    norms: ['layer_norm'],
  },
  { ...bart, modelTypes: ['led'], name: 'LED', base: 'led' },
  {
    ...bart,
    modelTypes: ['bigbird_pegasus'],
    name: 'BigBird-Pegasus',
    defaults: { ...bart.defaults, vocab_size: 96_103, encoder_layers: 16, decoder_layers: 16, max_position_embeddings: 4096 },
    extraPositions: 0,
    hasBias: false,
    encoderAttention: ['self_attn.self.query', 'self_attn.self.key', 'self_attn.self.value', 'self_attn.output'],
  },
];

/** Types that have a class of the decoder alone. */
const decoderClasses: ReadonlySet<string> = new Set(
  'bart bigbird_pegasus blenderbot blenderbot-small marian mbart pegasus plbart'.split(' '),
);

function bartArchitecture(kin: BartKin): Architecture {
  return { modelTypes: kin.modelTypes, name: kin.name, tensors: (config) => bartTensors(kin, config) };
}

function bartTensors(kin: BartKin, given: Fields): ModelTensors | null {
  const config = given.withDefaults(kin.defaults);
  const sizes = readSizes(config, [
    'vocab_size',
    'd_model',
    'encoder_layers',
    'encoder_ffn_dim',
    'decoder_layers',
    'decoder_ffn_dim',
    'max_position_embeddings',
  ]);
  if (sizes === null) return null;
  const { vocab_size: vocabulary, d_model: hidden } = sizes;
  // Marian keeps two vocabularies in some models.
  if (config.flag('share_encoder_decoder_embeddings') === false) return null;
  if ((config.integer('decoder_vocab_size') ?? vocabulary) !== vocabulary) return null;
  const isTied = config.flag('tie_word_embeddings') ?? true;
  const head = headOf(config, 'ConditionalGeneration');
  const prefix = head === 'Model' ? '' : `${kin.base}.`;
  const model = new ModelTensors();
  // `BartForCausalLM` and its kin: the decoder alone, with attention over states of an encoder that is elsewhere.
  const isDecoderAlone = head === 'CausalLM' && decoderClasses.has(kin.modelTypes[0] ?? '');
  if (!isDecoderAlone) model.embedding(`${prefix}shared`, vocabulary, hidden);
  for (const side of isDecoderAlone ? (['decoder'] as const) : (['encoder', 'decoder'] as const)) {
    const isDecoder = side === 'decoder';
    const stack = `${prefix}${side}`;
    const isCopy = isTied && !isDecoderAlone;
    model.parameter(`${stack}.embed_tokens.weight`, [vocabulary, hidden], { kind: 'embedding', isTied: isCopy });
    model.embedding(`${stack}.embed_positions`, bartPositions(kin, config, side, sizes.max_position_embeddings), hidden);
    addBartLayers(model, kin, stack, {
      copies: isDecoder ? sizes.decoder_layers : sizes.encoder_layers,
      hidden,
      width: isDecoder ? sizes.decoder_ffn_dim : sizes.encoder_ffn_dim,
      isDecoder,
      hasBias: kin.hasBias !== false || config.flag('use_bias') === true,
    });
    for (const norm of kin.norms) model.norm(`${stack}.${norm}`, hidden, { bias: true });
  }
  const own = isDecoderAlone ? 'ConditionalGeneration' : head;
  return addBartHead(model, own, config, { vocabulary, hidden, isTied, labels: kin.labels }) ? model : null;
}

function bartPositions(
  { extraPositions, base }: BartKin,
  config: Fields,
  side: 'encoder' | 'decoder',
  positions: number,
): number {
  if (extraPositions === null) return 0;
  // LED has as many as it says, for each side.
  if (base === 'led') return config.integer(`max_${side}_position_embeddings`) ?? (side === 'encoder' ? 16_384 : 1024);
  return positions === 0 ? 0 : positions + extraPositions;
}

function addBartLayers(
  model: ModelTensors,
  { base, encoderAttention }: BartKin,
  stack: string,
  {
    copies,
    hidden,
    width,
    isDecoder,
    hasBias,
  }: { copies: number; hidden: number; width: number; isDecoder: boolean; hasBias: boolean },
): void {
  const names = isDecoder
    ? bartDecoderLayer
    : { ...bartEncoderLayer, ...(encoderAttention === undefined ? {} : { attention: encoderAttention }) };
  if (base !== 'led' || isDecoder) {
    addLayers(model, `${stack}.layers.N`, names, { copies, hidden, width, queryBias: hasBias, outputBias: hasBias });
    return;
  }
  const [query, key, value] = attentionNames('self_attn.longformer_self_attn', 'query key value');
  addLayers(
    model,
    `${stack}.layers.N`,
    { ...names, attention: [query, key, value, 'self_attn.output'] },
    { copies, hidden, width },
  );
  for (const part of ['query_global', 'key_global', 'value_global'])
    model.linear(`${stack}.layers.N.self_attn.longformer_self_attn.${part}`, hidden, hidden, { copies, bias: true });
}

function addBartHead(
  model: ModelTensors,
  head: string,
  config: Fields,
  { vocabulary, hidden, isTied, labels }: { vocabulary: number; hidden: number; isTied: boolean; labels: number },
): boolean {
  switch (head) {
    case 'Model':
      return true;
    case 'ConditionalGeneration':
      model.head('lm_head', vocabulary, hidden, { isTied });
      return true;
    case 'SequenceClassification':
      addDenseClassifier(model, labelCount(config, labels), hidden, 'classification_head');
      return true;
    case 'QuestionAnswering':
      // Its class sets two labels for start and end, whatever the config says.
      addClassifier(model, 2, hidden, 'qa_outputs');
      return true;
    default:
      return false;
  }
}

export const encoderDecoderFamilies: readonly Architecture[] = [...t5Kin.map(t5Architecture), ...bartKin.map(bartArchitecture)];
