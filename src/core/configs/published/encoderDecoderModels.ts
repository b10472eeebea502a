import { ownHeadKey } from '../architectures/families/encoderDecoderFamilies.js';
import type { PublishedConfig, PublishedTable } from './publishedConfig.js';

type T5Sizes = readonly [hidden: number, layers: number, heads: number, width: number, headSize: number];

function t5([hidden, layers, heads, width, headSize]: T5Sizes, rest: PublishedConfig = {}): PublishedConfig {
  return {
    model_type: 't5',
    architectures: ['T5ForConditionalGeneration'],
    vocab_size: 32_128,
    d_model: hidden,
    num_layers: layers,
    num_decoder_layers: layers,
    num_heads: heads,
    d_ff: width,
    d_kv: headSize,
    feed_forward_proj: 'relu',
    tie_word_embeddings: true,
    ...rest,
  };
}

/** Version 1.1, which Flan-T5 starts from; its output layer is not the embedding. */
const gated: PublishedConfig = { feed_forward_proj: 'gated-gelu', tie_word_embeddings: false, [ownHeadKey]: true };

const versions: readonly (readonly [name: string, sizes: T5Sizes])[] = [
  ['small', [512, 8, 6, 1024, 64]],
  ['base', [768, 12, 12, 2048, 64]],
  ['large', [1024, 24, 16, 2816, 64]],
  ['xl', [2048, 24, 32, 5120, 64]],
  ['xxl', [4096, 24, 64, 10_240, 64]],
];

function mt5(sizes: T5Sizes): PublishedConfig {
  return t5(sizes, {
    ...gated,
    model_type: 'mt5',
    architectures: ['MT5ForConditionalGeneration'],
    vocab_size: 250_112,
  });
}

/** Bytes in place of words, and an encoder three times as deep as the decoder. */
function byT5(sizes: T5Sizes): PublishedConfig {
  return t5(sizes, { ...gated, vocab_size: 384, num_decoder_layers: sizes[1] / 3 });
}

type BartSizes = readonly [hidden: number, encoderLayers: number, decoderLayers: number, heads: number, width: number];

const bartBase: BartSizes = [768, 6, 6, 12, 3072];
const bartLarge: BartSizes = [1024, 12, 12, 16, 4096];

function bartKind(modelType: string, architecture: string, vocabulary: number, sizes: BartSizes): PublishedConfig {
  const [hidden, encoderLayers, decoderLayers, heads, width] = sizes;
  return {
    model_type: modelType,
    architectures: [architecture],
    vocab_size: vocabulary,
    d_model: hidden,
    encoder_layers: encoderLayers,
    decoder_layers: decoderLayers,
    encoder_attention_heads: heads,
    decoder_attention_heads: heads,
    encoder_ffn_dim: width,
    decoder_ffn_dim: width,
    max_position_embeddings: 1024,
  };
}

function led(sizes: BartSizes): PublishedConfig {
  return {
    ...bartKind('led', 'LEDForConditionalGeneration', 50_265, sizes),
    max_encoder_position_embeddings: 16_384,
    max_decoder_position_embeddings: 1024,
    attention_window: Array.from({ length: sizes[1] }, () => 1024),
  };
}

function marian(vocabulary: number): PublishedConfig {
  return { ...bartKind('marian', 'MarianMTModel', vocabulary, [512, 6, 6, 8, 2048]), max_position_embeddings: 512 };
}

function whisper(vocabulary: number, sizes: BartSizes, melBins = 80): PublishedConfig {
  return {
    ...bartKind('whisper', 'WhisperForConditionalGeneration', vocabulary, sizes),
    num_mel_bins: melBins,
    max_source_positions: 1500,
    max_target_positions: 448,
  };
}

const whisperSizes: readonly (readonly [name: string, sizes: BartSizes])[] = [
  ['tiny', [384, 4, 4, 6, 1536]],
  ['base', [512, 6, 6, 8, 2048]],
  ['small', [768, 12, 12, 12, 3072]],
  ['medium', [1024, 24, 24, 16, 4096]],
];
const whisperLarge: BartSizes = [1280, 32, 32, 20, 5120];

/** Encoders with a decoder: text to text, and sound to text. */
export const encoderDecoderModels: PublishedTable = [
  ['google-t5/t5-small', t5([512, 6, 8, 2048, 64])],
  ['google-t5/t5-base', t5([768, 12, 12, 3072, 64])],
  ['google-t5/t5-large', t5([1024, 24, 16, 4096, 64])],
  ['google-t5/t5-3b', t5([1024, 24, 32, 16_384, 128])],
  ['google-t5/t5-11b', t5([1024, 24, 128, 65_536, 128])],
  ...versions.map(([name, sizes]) => [`google/t5-v1_1-${name}`, t5(sizes, gated)] as const),
  ...versions.map(([name, sizes]) => [`google/flan-t5-${name}`, t5(sizes, gated)] as const),
  ...versions.map(([name, sizes]) => [`google/mt5-${name}`, mt5(sizes)] as const),
  ['google/byt5-small', byT5([1472, 12, 6, 3584, 64])],
  ['google/byt5-base', byT5([1536, 18, 12, 3968, 64])],
  ['Salesforce/codet5-small', t5([512, 6, 8, 2048, 64], { vocab_size: 32_100 })],
  ['Salesforce/codet5-base', t5([768, 12, 12, 3072, 64], { vocab_size: 32_100 })],
  ['facebook/bart-base', bartKind('bart', 'BartModel', 50_265, bartBase)],
  ['facebook/bart-large', bartKind('bart', 'BartModel', 50_265, bartLarge)],
  ['facebook/bart-large-cnn', bartKind('bart', 'BartForConditionalGeneration', 50_264, bartLarge)],
  ['facebook/bart-large-xsum', bartKind('bart', 'BartForConditionalGeneration', 50_264, bartLarge)],
  ['facebook/mbart-large-cc25', bartKind('mbart', 'MBartForConditionalGeneration', 250_027, bartLarge)],
  ['facebook/mbart-large-50', bartKind('mbart', 'MBartForConditionalGeneration', 250_054, bartLarge)],
  ['facebook/mbart-large-50-many-to-many-mmt', bartKind('mbart', 'MBartForConditionalGeneration', 250_054, bartLarge)],
  ['facebook/m2m100_418M', bartKind('m2m_100', 'M2M100ForConditionalGeneration', 128_112, bartLarge)],
  ['facebook/nllb-200-distilled-600M', bartKind('m2m_100', 'M2M100ForConditionalGeneration', 256_206, bartLarge)],
  ['facebook/nllb-200-distilled-1.3B', bartKind('m2m_100', 'M2M100ForConditionalGeneration', 256_206, [1024, 24, 24, 16, 8192])],
  ['facebook/nllb-200-1.3B', bartKind('m2m_100', 'M2M100ForConditionalGeneration', 256_206, [1024, 24, 24, 16, 8192])],
  ['facebook/nllb-200-3.3B', bartKind('m2m_100', 'M2M100ForConditionalGeneration', 256_206, [2048, 24, 24, 16, 8192])],
  ['allenai/led-base-16384', led(bartBase)],
  ['allenai/led-large-16384', led(bartLarge)],
  ['Helsinki-NLP/opus-mt-en-de', marian(58_101)],
  ['Helsinki-NLP/opus-mt-de-en', marian(58_101)],
  ['Helsinki-NLP/opus-mt-en-fr', marian(59_514)],
  ['Helsinki-NLP/opus-mt-fr-en', marian(59_514)],
  ['Helsinki-NLP/opus-mt-en-ro', marian(59_543)],
  ['Helsinki-NLP/opus-mt-en-es', marian(65_001)],
  ['Helsinki-NLP/opus-mt-es-en', marian(65_001)],
  ['Helsinki-NLP/opus-mt-en-zh', marian(65_001)],
  ['Helsinki-NLP/opus-mt-zh-en', marian(65_001)],
  ...whisperSizes.map(([name, sizes]) => [`openai/whisper-${name}`, whisper(51_865, sizes)] as const),
  // English alone is one token fewer.
  ...whisperSizes.map(([name, sizes]) => [`openai/whisper-${name}.en`, whisper(51_864, sizes)] as const),
  ['openai/whisper-large', whisper(51_865, whisperLarge)],
  ['openai/whisper-large-v2', whisper(51_865, whisperLarge)],
  ['openai/whisper-large-v3', whisper(51_866, whisperLarge, 128)],
  ['openai/whisper-large-v3-turbo', whisper(51_866, [1280, 32, 4, 20, 5120], 128)],
  ['distil-whisper/distil-large-v3', whisper(51_866, [1280, 32, 2, 20, 5120], 128)],
];
