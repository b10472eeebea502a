/**
 * Expressions by which published tokenizers split text. A tokenizer.json brings its own, and an expression out of a file may take for
 * ever on the right text: only those that are known here are run. Sources: tiktoken (openai_public.py), llama.cpp (llama-vocab.cpp), and the
 * tokenizer.json of the models named.
 */
const cl100k = (letters: string, digits: string): string =>
  `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?${letters}+|${digits}| ?[^\\s${letters === '\\p{L}' ? '\\p{L}' : '\\p{L}\\p{M}'}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;

const upper = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]';
const lower = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]';
const ends = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?";
const o200k = (suffix: string, digits: string): string =>
  `[^\\r\\n\\p{L}\\p{N}]?${upper}*${lower}+${suffix}|[^\\r\\n\\p{L}\\p{N}]?${upper}+${lower}*${suffix}|${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;

const known: readonly string[] = [
  // GPT-2, OPT, GPT-NeoX, OLMo, RoBERTa
  "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  // cl100k_base, Llama 3, dolma2
  cl100k('\\p{L}', '\\p{N}{1,3}'),
  // Qwen 2 and 3, StableLM 2
  cl100k('\\p{L}', '\\p{N}'),
  // Qwen 3.5
  cl100k('[\\p{L}\\p{M}]', '\\p{N}'),
  // cl100k_base with possessive quantifiers as tiktoken has it, nanochat
  "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+",
  "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}{1,2}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+",
  // o200k_base, Llama 4
  o200k(ends, '\\p{N}{1,3}'),
  // Tekken (Mistral NeMo)
  o200k('', '\\p{N}'),
  // DeepSeek V2 and V3
  '\\p{N}{1,3}',
  '[一-龥぀-ゟ゠-ヿ]+',
  '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
  '[\\r\\n]',
  '\\s?\\p{L}+',
  '\\s?\\p{P}+',
  '[一-龥ࠀ-一가-퟿]+',
  '\\p{N}',
  '\\p{N}+',
  // Falcon, StarCoder, SmolLM
  '[0-9][0-9][0-9]',
  '[0-9]',
  '\\d',
  '\\d+',
  '\\s+$',
  // SentencePiece models of T5, XLM-RoBERTa, Gemma: runs of spaces become one
  ' {2,}',
  '\\s+',
  '[\\n\\r\\t]',
  // BLOOM
  ' ?[^(\\s|[.,!?…。，、।۔،])]+',
];

const patterns = new Set(known);

/** True for an expression that is known to end on every text. */
export function isKnownPattern(pattern: string): boolean {
  return patterns.has(pattern);
}
