import type { AddressInText } from './addressesIn.js';

/** Keys of configs and flags of scripts whose value is a model of the Hub, or a directory: of transformers, PEFT, axolotl, vLLM, SGLang and their like. */
const keys = [
  'base_model',
  'base_model_name_or_path',
  'model_name_or_path',
  'pretrained_model_name_or_path',
  'tokenizer_name_or_path',
  '_name_or_path',
  'model_id',
  'model',
  'model-path',
  'model_path',
];
const id = '[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}';
const inText = new RegExp(
  `(?:^|[\\s"'{,(-])(?:${keys.join('|')})["']?(?:\\s{0,8}[:=]|[ \\t])\\s{0,8}["']?(${id})(?=["'\\s,})\\\\]|$)`,
  'gm',
);

/** What has the name of a file is none of a repository. */
const fileName = /\.(?:json|jsonl|ya?ml|toml|py|sh|txt|bin|pt|pth|ckpt|safetensors|gguf|model|msgpack|h5|tar|zip)$/i;

/**
 * Models that configs and scripts name as the Hub does (`org/name`), as addresses; at most so many. A directory may be named in the same way: whoever
 * shows them looks for that first.
 */
export function modelIdsIn(text: string, most: number): AddressInText[] {
  const found: AddressInText[] = [];
  for (const match of text.matchAll(inText)) {
    const name = match[1] ?? '';
    if (found.length >= most) break;
    const end = match.index + match[0].length;
    if (!fileName.test(name) && !name.includes('..')) found.push({ start: end - name.length, end, address: `hf://${name}` });
  }
  return found;
}
