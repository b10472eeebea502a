/**
 * How long the recipes of Megatron-Bridge train and how often they save, where nothing goes over it (megatron/bridge/recipes at 067f987). Several recipes of one model
 * and purpose that differ are left out. A family whose models differ is listed by model.
 */

export type RecipePurpose = 'pretrain' | 'sft' | 'peft';

export interface RecipeRun {
  steps: number;
  saveIntervalSteps: number;
}

/** Steps, steps between saves, and beginnings of names. */
type Row = readonly [steps: number, saveIntervalSteps: number, names: string];

const rows: Readonly<Record<RecipePurpose, readonly Row[]>> = {
  pretrain: [
    [300_000, 500, 'exaone4 exaone gemma2 qwen25 qwen2 qwen35 qwen3_14b qwen3_1p7b qwen3_235b qwen3_32b qwen3_4b qwen3_600m'],
    [300_000, 500, 'qwen3_next qwen3_vl step35 vanilla'],
    [1_168_251, 500, 'gemma3 llama31 llama32 llama3'],
    [1_168_251, 2000, 'gpt3 llama2'],
    [1_168_251, 10, 'nemotron_nano nemotronh'],
    [1_000_000, 2000, 'deepseek kimi minimax'],
    [1_000_000, 500, 'glm45 gpt'],
    [500_000, 2000, 'olmoe'],
    [39_735, 200, 'nemotron_3_ultra'],
    [1000, 500, 'gemma4'],
    [100, 50, 'glm52 nemotron_3_nano_4b'],
  ],
  sft: [
    [
      100,
      100,
      'exaone gemma2 gemma3_1b nemotron_3_nano_4b qwen3_235b qwen3_30b qwen3_8b qwen2_1p5b qwen2_500m qwen2_72b qwen2_7b',
    ],
    [100, 100, 'qwen25_14b qwen25_1p5b qwen25_32b qwen25_500m qwen25_72b qwen25_7b'],
    [1000, 50, 'glm45 llama31 llama32 llama3 nemotron_nano_12b nemotron_nano_9b nemotronh olmoe'],
    [1000, 50, 'qwen3_14b qwen3_1p7b qwen3_32b qwen3_4b qwen3_600m qwen3_next'],
    [300_000, 500, 'exaone45 qwen25_vl qwen35 qwen3_vl_235b'],
    [50, 500, 'gemma3_vl glm qwen3_vl_30b qwen3_vl_8b'],
    [1000, 100, 'deepseek_v4_flash_no exaone4 minimax'],
    [1000, 250, 'gpt nemotron_3_ultra'],
    [2000, 200, 'nemotron_nano_v2 nemotron_omni'],
    [1_000_000, 2000, 'kimi'],
    [1000, 500, 'qwen3_omni'],
    [100, 200, 'nemotron_3_super'],
    [50, 50, 'ministral3'],
    [40, 500, 'gemma4'],
  ],
  peft: [
    [100, 100, 'exaone gemma2 gemma3_1b glm52 nemotron_3_nano_4b qwen3_235b qwen3_30b qwen3_8b qwen2_1p5b qwen2_500m qwen2_72b'],
    [100, 100, 'qwen2_7b qwen25_14b qwen25_1p5b qwen25_32b qwen25_500m qwen25_72b qwen25_7b'],
    [1000, 50, 'glm45 llama31 llama32 llama3 moonlight nemotron_nano_12b nemotron_nano_9b nemotronh olmoe'],
    [1000, 50, 'qwen3_14b qwen3_1p7b qwen3_32b qwen3_4b qwen3_600m'],
    [300_000, 500, 'exaone45 gemma4 qwen25_vl qwen35 qwen3_vl'],
    [50, 500, 'gemma3_vl glm'],
    [1000, 250, 'gpt nemotron_3_ultra'],
    [1000, 200, 'nemotron_3_5 nemotron_3_super'],
    [2000, 200, 'nemotron_nano_v2 nemotron_omni'],
    [1000, 100, 'exaone4'],
    [50, 50, 'ministral3'],
  ],
};

/** Null for recipes that are not listed; of several beginnings the longest counts. */
export function runOfRecipe(recipe: string, purpose: RecipePurpose): RecipeRun | null {
  const name = `${recipe}_`;
  let found: { length: number; run: RecipeRun } | null = null;
  for (const [steps, saveIntervalSteps, names] of rows[purpose])
    for (const { length, key } of names.split(' ').map((text) => ({ length: text.length, key: `${text}_` })))
      if (name.startsWith(key) && length > (found?.length ?? 0)) found = { length, run: { steps, saveIntervalSteps } };
  return found?.run ?? null;
}
