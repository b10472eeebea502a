/** Language models of fairseq by their architectures (fairseq/models/transformer_lm.py, transformer_decoder.py at 3d262bb). */
import type { DecoderShape } from '../../configs/architectures/decoderShape.js';
import type { Fields } from '../../configs/fields.js';
import { padded } from '../../configs/values/paddedVocabulary.js';
import { entryOf } from '../../text/entryOf.js';

/** Layers, hidden size, heads. The feed-forward part is four times as wide. */
type Sizes = readonly [number, number, number];

const architectures: Readonly<Record<string, Sizes>> = {
  transformer_lm: [6, 512, 8],
  transformer_lm_big: [12, 1024, 16],
  transformer_lm_gpt: [12, 768, 12],
  transformer_lm_gpt2_small: [24, 1024, 16],
  transformer_lm_gpt2_medium: [36, 1280, 20],
  transformer_lm_gpt2_big: [48, 1600, 25],
  transformer_lm_gpt2_big_wide: [24, 2048, 32],
  transformer_lm_gpt2_bigger: [48, 2048, 32],
  transformer_lm_gpt3_small: [12, 768, 12],
  transformer_lm_gpt3_medium: [24, 1024, 16],
  transformer_lm_gpt3_large: [24, 1536, 16],
  transformer_lm_gpt3_xl: [24, 2048, 32],
  transformer_lm_gpt3_2_7: [32, 2560, 32],
  transformer_lm_gpt3_6_7: [32, 4096, 32],
  transformer_lm_gpt3_13: [40, 5120, 40],
  transformer_lm_gpt3_175: [96, 12_288, 96],
};

/** What is not among the sizes: embeddings and softmax in clusters, modules of other kinds. */
const others = [
  'adaptive_input',
  'adaptive_softmax_cutoff',
  'character_embeddings',
  'base_layers',
  'scale_fc',
  'scale_attn',
  'scale_heads',
  'scale_resids',
  'layernorm_embedding',
  'decoder_input_dim',
  'decoder_output_dim',
  'quant_noise_pq',
] as const;

/**
 * Null where the vocabulary is not known, which is the dictionary of the data, and for architectures of other modules.
 * @param model what sets the sizes, which go before those of the architecture
 * @param task what sets the dictionary and the length
 */
export function languageModel(name: string, model: Fields, task: Fields): DecoderShape | null {
  const sizes = entryOf(architectures, name);
  const vocabulary = vocabularyOf(task);
  if (sizes === undefined || vocabulary === undefined || others.some((key) => isSet(model, key))) return null;
  const isGpt3 = name.startsWith('transformer_lm_gpt3');
  const hidden = model.integer('decoder_embed_dim') ?? sizes[1];
  const heads = model.integer('decoder_attention_heads') ?? sizes[2];
  const length = task.integer('max_target_positions') ?? task.integer('tokens_per_sample') ?? 1024;
  const isLearned = model.flag('decoder_learned_pos') ?? isGpt3;
  if (heads === 0) return null;
  return {
    vocabulary,
    hidden,
    layers: model.integer('decoder_layers') ?? sizes[0],
    attention: {
      kind: 'grouped',
      heads,
      keyValueHeads: heads,
      headSize: hidden / heads,
      queryKeyValueBias: true,
      outputBias: true,
      queryKeyNorm: null,
      hasSinks: false,
    },
    feedForward: {
      width: model.integer('decoder_ffn_embed_dim') ?? widthOf(isGpt3, hidden, sizes[1]),
      isGated: false,
      hasBias: true,
    },
    norm: { perLayer: 2, hasWeight: true, hasBias: true, hasFinal: model.flag('no_decoder_final_norm') !== true },
    // Padding has the second place, and positions begin behind it.
    positions: isLearned && model.flag('no_token_positional_embeddings') !== true ? length + 2 : 0,
    isTied: isGpt3 || model.flag('share_decoder_input_output_embed') === true,
    headBias: false,
    experts: null,
  };
}

/** GPT-3's follows from the hidden size that is set, that of the others from their own. */
function widthOf(isGpt3: boolean, hidden: number, own: number): number {
  return 4 * (isGpt3 ? hidden : own);
}

/** Of the made-up data of benchmarks (benchmark/dummy_lm.py): four symbols more, padded to a multiple of 8. */
function vocabularyOf(task: Fields): number | undefined {
  const size = task.integer('dict_size');
  return size === undefined ? undefined : padded(size + 4, 8);
}

function isSet(fields: Fields, key: string): boolean {
  const value = fields.scalar(key);
  return value !== undefined && value !== false && value !== 0;
}
