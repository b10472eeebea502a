/**
 * A `tokenizer_config.json` without the files of its vocabulary, as a download that stopped leaves it. What transformers 5.24 made of it was tried by class:
 * some raise an error, and many make a tokenizer of their special tokens alone, without a word.
 */
import type { FilePart } from '../checkpoints/parts.js';
import type { Finding } from '../findings/finding.js';
import { memberOf } from '../formats/text/jsonMember.js';

/** Raise an error: without a vocabulary of their own they need tokenizer.json, or open a file that is not there. */
const refusing: ReadonlySet<string> = new Set([
  ...['PreTrainedTokenizer', 'TokenizersBackend', 'BloomTokenizer', 'CLIPTokenizer', 'EsmTokenizer', 'MarianTokenizer'],
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
  ...['MBartTokenizer', 'NllbTokenizer', 'GPTNeoXTokenizer', 'CodeGenTokenizer', 'XLNetTokenizer', 'CohereTokenizer'],
]);

/** What vocabularies are called, and what else some tokenizers have them in. */
const vocabularyFile = /(?:^tokenizer\.json|^vocab|^merges|^dict|^tekken|\.(?:model|tiktoken|spm|vocab|bpe|codes|txt))/s;

/** Undefined where there is a vocabulary, or what the class does without one was not tried. */
export function absentVocabulary(files: readonly FilePart[], config: unknown): Finding | undefined {
  const named = memberOf(config, 'tokenizer_class');
  // Code beside it may open other files.
  if (typeof named !== 'string' || memberOf(config, 'auto_map') !== undefined) return undefined;
  const name = named.replace(/Fast$/, '');
  const isRefused = refusing.has(name);
  if (!isRefused && !emptied.has(name)) return undefined;
  if (files.some(({ path }) => vocabularyFile.test(path))) return undefined;
  return { code: 'tokenizer-vocabulary-missing', path: 'tokenizer_config.json', facts: { className: named, isRefused } };
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
