/** Models that scripts of OLMo-core name by a function, `TransformerConfig.olmo2_7B` (olmo_core/nn/transformer/config.py at fa6c501; llama_like). */
import type { DecoderShape } from '../../configs/architectures/decoderShape.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import type { Fields } from '../../configs/fields.js';
import { entryOf } from '../../text/entryOf.js';

interface Factory {
  hidden: number;
  layers: number;
  heads: number;
  keyValueHeads?: number;
  /** Of the width of the feed-forward part, which is 8/3 of the hidden size before it is rounded up. */
  multiplier?: number;
  multipleOf?: number;
}

const half = { multiplier: 1.5 };

/** OLMo 2; OLMo 3 has the same sizes, and windows in some layers. */
const olmo2: Readonly<Record<string, Factory>> = {
  '14M': { hidden: 128, layers: 4, heads: 8 },
  '30M': { hidden: 256, layers: 4, heads: 8 },
  '60M': { hidden: 384, layers: 8, heads: 8, ...half },
  '100M': { hidden: 512, layers: 12, heads: 8, ...half },
  '190M': { hidden: 768, layers: 12, heads: 12, ...half },
  '370M': { hidden: 1024, layers: 16, heads: 16, ...half },
  '600M': { hidden: 1344, layers: 16, heads: 16, ...half },
  '760M': { hidden: 1536, layers: 16, heads: 16, ...half },
  '1B': { hidden: 2048, layers: 18, heads: 16, ...half },
  '1B_v2': { hidden: 2048, layers: 16, heads: 16, ...half },
  '3B': { hidden: 3328, layers: 16, heads: 16, ...half },
  '7B': { hidden: 4096, layers: 32, heads: 32 },
  '13B': { hidden: 5120, layers: 40, heads: 40 },
  '32B': { hidden: 5120, layers: 64, heads: 40, keyValueHeads: 8, multiplier: 27_648 / ((8 * 5120) / 3), multipleOf: 512 },
};

/** Where OLMo 3 of a name is not OLMo 2 of that name. */
const olmo3: Readonly<Record<string, Factory>> = {
  '600M': { hidden: 1280, layers: 16, heads: 16, ...half },
  '1B': { hidden: 2048, layers: 16, heads: 16, ...half },
};

const llama: Readonly<Record<string, Factory>> = {
  llama2_271M: { hidden: 1024, layers: 16, heads: 8 },
  llama2_1B: { hidden: 2048, layers: 18, heads: 16 },
  llama2_7B: { hidden: 4096, layers: 32, heads: 32 },
  llama2_13B: { hidden: 5120, layers: 40, heads: 40 },
  llama2_26B: { hidden: 5120, layers: 80, heads: 40 },
  llama2_70B: { hidden: 8192, layers: 80, heads: 64, keyValueHeads: 8, multiplier: 1.3, multipleOf: 4096 },
  llama3_1B: { hidden: 2048, layers: 16, heads: 32, keyValueHeads: 8, multiplier: 1.5 },
  llama3_8B: { hidden: 4096, layers: 32, heads: 32, keyValueHeads: 8, multiplier: 1.3, multipleOf: 1024 },
  llama3_405B: { hidden: 16_384, layers: 126, heads: 128, keyValueHeads: 8, multiplier: 1.2, multipleOf: 4096 },
};

/** Numbers of tokens (olmo_core/data/tokenizer.py), which scripts pad to a multiple of 128. */
const vocabularies: Readonly<Record<string, number>> = {
  dolma2: 100_278,
  dolma2_sigdig: 100_278,
  gpt_neox_olmo_dolma_v1_5: 50_280,
  gpt2: 50_257,
};

/** Arguments that change no size. */
const harmless =
  /^(?:fused_ops|use_flash|attn_backend|sliding_window|rope_\w+|no_global_rope|dtype|init_\w+|embed_scale|layer_norm_eps)$/;
const read = [
  'vocab_size',
  'n_layers',
  'n_heads',
  'n_kv_heads',
  'hidden_size_multiplier',
  'hidden_size_multiple_of',
  'tie_word_embeddings',
];
/** What the reader of the script puts beside the arguments. */
const beside = ['factory', 'tokenizer', 'unread', 'changed'];

/** The sizes of a factory with the arguments that it is given; null for one that is not known, and for changes that text does not tell. */
export function shapeOfFactory(model: Fields): DecoderShape | null {
  const name = model.text('factory') ?? '';
  const factory = factoryOf(name);
  const vocabulary = model.integer('vocab_size') ?? vocabularyOf(model);
  if (factory === undefined || vocabulary === undefined || isChanged(model)) return null;
  const { hidden } = factory;
  const heads = model.integer('n_heads') ?? factory.heads;
  if (heads === 0) return null;
  const multiplier = model.number('hidden_size_multiplier') ?? factory.multiplier;
  const plain = Math.floor((8 * hidden) / 3);
  const width = padded(
    multiplier === undefined ? plain : Math.floor(multiplier * plain),
    model.integer('hidden_size_multiple_of') ?? factory.multipleOf ?? 256,
  );
  return {
    vocabulary,
    hidden,
    layers: model.integer('n_layers') ?? factory.layers,
    attention: {
      kind: 'grouped',
      heads,
      keyValueHeads: model.integer('n_kv_heads') ?? factory.keyValueHeads ?? heads,
      headSize: Math.floor(hidden / heads),
      queryKeyValueBias: false,
      outputBias: false,
      queryKeyNorm: name.startsWith('olmo') ? 'full' : null,
      hasSinks: false,
    },
    feedForward: { width, isGated: true, hasBias: false },
    norm: { perLayer: 2, hasWeight: true, hasBias: false, hasFinal: true },
    positions: 0,
    isTied: model.flag('tie_word_embeddings') === true,
    headBias: false,
    experts: null,
  };
}

function factoryOf(name: string): Factory | undefined {
  const [, generation, size = ''] = /^olmo([23])_(\w{1,10})$/.exec(name) ?? [];
  if (generation === undefined) return entryOf(llama, name);
  return (generation === '3' ? entryOf(olmo3, size) : undefined) ?? entryOf(olmo2, size);
}

function vocabularyOf(model: Fields): number | undefined {
  const tokens = entryOf(vocabularies, model.text('tokenizer') ?? '');
  return tokens === undefined ? undefined : padded(tokens, 128);
}

function isChanged(model: Fields): boolean {
  const unread = model.text('unread')?.split(' ') ?? [];
  const others = model.keys.filter((key) => !read.includes(key) && !beside.includes(key));
  return model.has('changed') || [...unread, ...others].some((key) => !harmless.test(key));
}
