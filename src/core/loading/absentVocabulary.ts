/**
 * A `tokenizer_config.json` without the files of its vocabulary, as a download that stopped leaves it. What transformers 5.24 made of it was tried by class
 * and by type of model: some raise an error, and many make a tokenizer of their special tokens alone, without a word.
 */
import type { FilePart } from '../checkpoints/parts.js';
import type { Finding } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';

/** Raise an error: without a vocabulary of their own they need tokenizer.json, or open a file that is not there. */
const refusing: ReadonlySet<string> = new Set([
  ...['PreTrainedTokenizer', 'TokenizersBackend', 'BloomTokenizer', 'EsmTokenizer', 'MarianTokenizer'],
  ...['OPTTokenizer', 'PegasusTokenizer', 'Wav2Vec2CTCTokenizer'],
]);

/** Made with special tokens alone: any text is of unknown tokens, or of none. */
const emptied: ReadonlySet<string> = new Set([
  ...[
    'LlamaTokenizer',
    'GPT2Tokenizer',
    'BertTokenizer',
    'T5Tokenizer',
    'Qwen2Tokenizer',
    'GemmaTokenizer',
    'XLMRobertaTokenizer',
  ],
  ...['RobertaTokenizer', 'DebertaV2Tokenizer', 'WhisperTokenizer', 'AlbertTokenizer', 'BartTokenizer', 'DistilBertTokenizer'],
  ...[
    'MBartTokenizer',
    'NllbTokenizer',
    'GPTNeoXTokenizer',
    'CodeGenTokenizer',
    'XLNetTokenizer',
    'CohereTokenizer',
    'CLIPTokenizer',
  ],
]);

/**
 * Types of models whose tokenizer is tokenizer.json as it is, whatever class tokenizer_config.json names (transformers 5.24, models/auto/tokenization_auto.py:
 * TOKENIZER_MAPPING_NAMES with TokenizersBackend).
 */
const typesOfBackend: ReadonlySet<unknown> = new Set([
  ...['EvollaModel', 'arctic', 'aria', 'beam', 'bigbird_pegasus', 'camembertv2-base'],
  ...['canary', 'chatlm', 'cohere_asr', 'ernie4_5', 'ernie4_5_moe', 'flex_olmo'],
  ...['fuyu', 'glm', 'glm4', 'glm4_moe', 'glm4_moe_lite', 'glm4v'],
  ...['glm4v_moe', 'glm_image', 'glmasr', 'got_ocr2', 'gpt_bigcode', 'gradium_phonon_tts'],
  ...['granite', 'granitemoe', 'granitemoehybrid', 'granitemoeshared', 'h2ovl_chat', 'hyperclovax'],
  ...['hyperclovax_vlm', 'internlm2', 'internlm3', 'iquestcoder', 'jamba', 'kimi_k25'],
  ...['kimi_linear', 'kosmos-2', 'llava', 'llava_next', 'mimo_v2_flash', 'minicpm3'],
  ...['minicpm_ocr', 'minicpmv', 'minicpmv4_6', 'minicpmv4_7', 'minimax_m2', 'ministral'],
  ...['ministral3', 'mistral', 'mistral3', 'mistral_large4', 'mixtral', 'modernbert'],
  ...['modernbert-decoder', 'molmo', 'molmo2', 'nemo_speechlm', 'nemotron', 'nvfp4'],
  ...['nystromformer', 'olmo2', 'olmo3', 'olmo_hybrid', 'omniasr', 'opencua'],
  ...['openvla', 'paddleocr_vl', 'pegasus_x', 'persimmon', 'phi3', 'phi3_v'],
  ...['phimoe', 'pix2struct', 'pixtral', 'pocket_tts', 'smolvlm', 'stablelm'],
  ...['step3_vl', 'umt5', 'vipllava', 'voxtral', 'voxtral_realtime', 'xlm-roberta-xl'],
]);

/** Types of models that have the class of their type, whatever class is named (the same file: MODELS_WITH_INCORRECT_HUB_TOKENIZER_CLASS). Each is made without a vocabulary. */
const typesOfOwnClass: ReadonlySet<unknown> = new Set([
  ...['hyperclovax_vision_v2', 'qwen2', 'qwen3_5', 'qwen3_5_moe', 'qwen3_5_moe_text', 'qwen4_exp'],
  ...['siglip2'],
]);

/** What vocabularies are called, and what else some tokenizers have them in. */
const vocabularyFile = /(?:^tokenizer\.json|^vocab|^merges|^dict|^tekken|\.(?:model|tiktoken|spm|vocab|bpe|codes|txt))/s;

/** Undefined where there is a vocabulary, or what the class does without one was not tried. */
export function absentVocabulary(files: readonly FilePart[], config: unknown, modelType: unknown): Finding | undefined {
  const named = memberOf(config, 'tokenizer_class');
  // Code beside it may open other files.
  if (typeof named !== 'string' || memberOf(config, 'auto_map') !== undefined) return undefined;
  const isRefused = isRefusedWithout(named.replace(/Fast$/, ''), modelType);
  if (isRefused === undefined) return undefined;
  if (files.some(({ path }) => vocabularyFile.test(path))) return undefined;
  return { code: 'tokenizer-vocabulary-missing', path: 'tokenizer_config.json', facts: { className: named, isRefused } };
}

/** Undefined where it is not known. */
function isRefusedWithout(className: string, modelType: unknown): boolean | undefined {
  if (typesOfBackend.has(modelType)) return true;
  if (typesOfOwnClass.has(modelType)) return false;
  if (refusing.has(className)) return true;
  return emptied.has(className) ? false : undefined;
}

/** What is in a tokenizer.json without tokens. */
export interface EmptiedTokenizer {
  type: string | undefined;
  hasVocabulary: boolean;
}

/** Read tokenizer.json as it is. Without a class in tokenizer_config.json it is one of these for the model types. */
const asItIs: ReadonlySet<unknown> = new Set(['PreTrainedTokenizer', 'TokenizersBackend', 'BloomTokenizer']);
const typesAsItIs: ReadonlySet<unknown> = new Set(['llama', 'mistral', 'mixtral', 'phi3', 'falcon']);
/** Look their special tokens up in the vocabulary, or take a list alone. */
const needingTokens: ReadonlySet<unknown> = new Set([
  ...['BertTokenizer', 'CLIPTokenizer', 'GemmaTokenizer', 'T5Tokenizer', 'XLMRobertaTokenizer'],
]);

/** A tokenizer.json that has no token: some classes raise an error, others make a tokenizer of their special tokens alone (tried with transformers 5.24). */
export function emptyVocabulary(
  { type, hasVocabulary }: EmptiedTokenizer,
  config: unknown,
  modelType: unknown,
): Finding | undefined {
  if (memberOf(config, 'auto_map') !== undefined) return undefined;
  const named = memberOf(config, 'tokenizer_class');
  const name = typeof named === 'string' ? named.replace(/Fast$/, '') : undefined;
  const isAsItIs = name === undefined ? typesAsItIs.has(modelType) : asItIs.has(name);
  const isRefused = hasVocabulary
    ? needingTokens.has(name) || (isAsItIs && type === 'WordPiece')
    : isAsItIs || type === 'Unigram';
  return { code: 'tokenizer-vocabulary-empty', path: 'tokenizer.json', facts: { isRefused } };
}
