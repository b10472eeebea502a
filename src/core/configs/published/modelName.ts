/** Words of names that say how a model was tuned, stored or quantized, and nothing of its sizes. */
const noise = new Set([
  'instruct',
  'chat',
  'it',
  'pt',
  'base',
  'hf',
  'sft',
  'dpo',
  'rlvr',
  'thinking',
  'preview',
  'unsloth',
  'awq',
  'gptq',
  'gguf',
  'fp8',
  'bf16',
  'fp16',
  'int4',
  'int8',
  '4bit',
  '8bit',
  'bnb',
  'nf4',
  'mxfp4',
  'dynamic',
  'coder',
  'math',
  'deduped',
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

/** The same without leaving words out: `bert-base-cased` is another model than `bert-large-cased`. */
export function literalName(name: string): string {
  return numbersApart(wordsOf(name));
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
