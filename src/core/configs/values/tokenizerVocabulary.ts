import { entryOf } from '../../text/entryOf.js';
import { publishedModel } from '../publishedModels.js';

/** Families whose embeddings have as many rows as their tokenizer has tokens; others are padded before they are published. */
const unpadded = new Set(['llama', 'mistral', 'mixtral', 'gemma', 'gemma2', 'gpt2']);

/** Tokenizers of Megatron-LM with one vocabulary only. */
const classes = {
  GPT2BPETokenizer: 50_257,
  Llama2Tokenizer: 32_000,
  Llama3Tokenizer: 128_256,
} as const satisfies Readonly<Record<string, number>>;

/** GPT-2's. */
export const gpt2Vocabulary = classes.GPT2BPETokenizer;

/** Tokens of a published model's tokenizer, by the model's name, or of such a class; undefined for those that the name does not determine. */
export function tokenizerVocabulary(name: string | undefined): number | undefined {
  const ofClass = entryOf(classes, name ?? '');
  if (ofClass !== undefined) return ofClass;
  const fields = name === undefined ? undefined : publishedModel(name)?.fields;
  return fields !== undefined && unpadded.has(fields.text('model_type') ?? '') ? fields.integer('vocab_size') : undefined;
}
