/** LoRA and DoRA of Megatron-Bridge (megatron/bridge/peft/lora.py, dora.py), as its recipes have them where nothing goes over it. */
import type { Fields } from '../../configs/fields.js';
import type { AdapterPlan } from '../../configs/trainingPlan.js';
import { positive } from '../../configs/values/positive.js';

/** Modules of models in transformers that Megatron's stand for; others are not counted. */
const modules: Readonly<Record<string, readonly string[]>> = {
  linear_qkv: ['q_proj', 'k_proj', 'v_proj'],
  linear_proj: ['o_proj'],
  linear_fc1: ['gate_proj', 'up_proj'],
  linear_fc2: ['down_proj'],
};

/** Ranks and targets that are not those of the class; the longest beginning first. */
const ofRecipes: readonly { names: RegExp; rank: number; targets?: readonly string[] }[] = [
  { names: /^llama31_405b/, rank: 16, targets: ['linear_qkv'] },
  { names: /^qwen3_(?:8b|30b|235b)/, rank: 8, targets: ['linear_qkv', 'linear_proj'] },
  { names: /^(?:llama31?_8b|gemma3_1b)/, rank: 8 },
  { names: /^llama31?_70b/, rank: 16 },
];

/** Decoders whose layers are all alike and of these modules. Those of images and sound have more modules of the same names. */
const plainDecoders = /^(?:llama\d*|qwen2|qwen25|qwen3|gemma2|gemma3|exaone4|ministral3)_(?!vl|next|omni|audio)/;

/** Megatron has one matrix for query, key and value and one for gate and up, so that their adapters are one each. */
export function adapterOfRecipe(recipe: string, peft: Fields, isDora: boolean): AdapterPlan {
  const known = ofRecipes.find(({ names }) => names.test(recipe));
  const rank = positive(peft.integer('dim')) ?? known?.rank ?? 32;
  const written = peft.texts('target_modules')?.flatMap((text) => text.split(/[[\]'",\s]+/).filter((name) => name !== ''));
  const targets = (written ?? known?.targets ?? Object.keys(modules)).map((name) => modules[name]);
  const isCounted = plainDecoders.test(recipe) && targets.length > 0 && targets.every((names) => names !== undefined);
  if (!isCounted) return { kind: 'other', rank, targets: [] };
  return { kind: isDora ? 'dora' : 'lora', rank, targets: targets.flatMap((names) => names ?? []), isFused: true };
}
