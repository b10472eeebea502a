/** Words of names that say how a model is stored, and nothing of its sizes. */
const storage = [
  ...['unsloth', 'awq', 'gptq', 'gguf', 'fp8', 'bf16', 'fp16', 'fp32', 'int4', 'int8'],
  ...['4bit', '8bit', 'bnb', 'nf4', 'mxfp4', 'dynamic'],
];
const storageWords = new Set(storage);
/** These, and those that say how it was tuned. */
const noise = new Set([
  ...storage,
  ...['instruct', 'chat', 'it', 'pt', 'base', 'hf', 'sft', 'dpo', 'rlvr', 'thinking', 'think', 'preview'],
  ...['coder', 'math', 'deduped'],
]);
/** Dates that releases of one architecture carry. */
const date = /^(?:2[3-9](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])2[3-9]|0[1-9][0-3]\d)$/;

/**
 * A name as words that can be compared, whoever mirrors the model and however it is written: `unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit`,
 * `llama3_1_8b` and `meta-llama/Llama-3.1-8B` are all `llama 3 1 8 b`.
 */
export function comparableName(name: string): string {
  return numbersApart(
    wordsOf(name)
      .filter((word) => !noise.has(word))
      .filter((word) => !date.test(word)),
  );
}

/** A name without how the model is stored: `Llama-3.2-11B-Vision-Instruct` has more positions than the model that it was tuned from. */
export function storedName(name: string): string {
  return numbersApart(wordsOf(name).filter((word) => !storageWords.has(word)));
}

/** The same without leaving words out: `bert-base-cased` is another model than `bert-large-cased`. */
export function literalName(name: string): string {
  return numbersApart(wordsOf(name));
}

/** How weights of a name are stored; `other` where its word does not say in which layout. */
export type NamedStorage = 'plain' | 'fp8' | 'awq' | 'gptq' | 'gptq-8bit' | 'bnb-double' | 'other';

const eightBits: ReadonlySet<string> = new Set(['int8', '8bit', 'w8a16']);

const namedStorages: readonly (readonly [NamedStorage, readonly string[]])[] = [
  ['awq', ['awq']],
  ['gptq', ['gptq']],
  ['bnb-double', ['bnb', 'nf4']],
  ['fp8', ['fp8']],
  ['other', ['gguf', 'int4', 'int8', '4bit', '8bit', 'mxfp4', 'nvfp4', 'fp4', 'w4a16', 'w8a8', 'w8a16', 'mlx', 'exl2']],
  ['plain', ['bf16', 'fp16', 'fp32']],
];

/** `Qwen2.5-7B-Instruct-AWQ`, `DeepSeek-R1-bf16`; undefined for most names. */
export function namedStorage(name: string): NamedStorage | undefined {
  const words = wordsOf(name);
  if (words.includes('gptq') && words.some((word) => eightBits.has(word))) return 'gptq-8bit';
  return namedStorages.find(([, marks]) => marks.some((mark) => words.includes(mark)))?.[0];
}

function wordsOf(name: string): string[] {
  const trimmed = name.replace(/\/+$/, '').slice(-200);
  const words = trimmed
    .slice(trimmed.lastIndexOf('/') + 1)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  return words[0] === 'meta' ? words.slice(1) : words;
}

function numbersApart(words: readonly string[]): string {
  return words.flatMap((word) => word.match(/\d+|[a-z]+/g) ?? []).join(' ');
}
