/** What a recipe does with its model, and all that follows: `_pretrain_config`, `_sft_2gpu_h100_bf16_config`, `_peft_config`. */
const purpose = /_(?:pretrain|sft|peft|finetune|lora|dora|fsdp)(?:_.*)?$/;

/** A version without its point: `llama32`, `qwen25`, `glm45`. */
const version = /^(llama|qwen|glm|step|exaone)(\d)(\d)(?=_|$)/;

/**
 * The model of a recipe of Megatron-Bridge by the recipe's name (megatron/bridge/recipes, utils/naming.py), in the words of published names: `llama32_1b_sft_config` is `llama3_2_1b`, a size
 * of `600m` is `0_6b`, one of `1p7b` is `1_7b`.
 */
export function modelOfRecipe(recipe: string): string {
  return (
    recipe
      .slice(0, 200)
      .replace(purpose, '')
      .replace(/_config$/, '')
      // Lengths of sequences and kinds of precision; Gemma 3 has its images from 4B on, in either name.
      .replace(/_(?:\d+k|low_precision)$/, '')
      .replace(/^gemma3_vl/, 'gemma3')
      .replace(version, '$1$2_$3')
      .replace(/(?<=_)(\d+)p(\d+)b/, '$1_$2b')
      .replace(/(?<=_)(\d)00m\b/, '0_$1b')
  );
}

/** Whether it trains an adapter, and not the model. */
export function isAdapterRecipe(recipe: string): boolean {
  return /_(?:peft|lora|dora)(?:_|$)/.test(recipe);
}
