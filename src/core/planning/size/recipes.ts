/**
 * What a full checkpoint holds for each parameter, by how a model is trained. Terms as in checkpointSize.ts, here without a config:
 * a plan may be of a model that is only a number yet.
 */

export type RecipePart = 'weights' | 'masterWeights' | 'firstMoment' | 'secondMoment' | 'exportedWeights';

export interface RecipeTerm {
  part: RecipePart;
  bytesPerParameter: number;
}

export interface Recipe {
  id: string;
  label: string;
  terms: readonly RecipeTerm[];
  source: string;
}

const term = (part: RecipePart, bytesPerParameter: number): RecipeTerm => ({ part, bytesPerParameter });
const weights16 = term('weights', 2);
const weights32 = term('weights', 4);
const master = term('masterWeights', 4);
const moments32 = [term('firstMoment', 4), term('secondMoment', 4)];

export const recipes = [
  {
    id: 'mixed-adam',
    label: '16-bit weights, 32-bit copy, Adam (2 + 4 + 8)',
    terms: [weights16, master, ...moments32],
    source: 'Megatron-LM and DeepSpeed: a 32-bit copy of the weights in the optimizer',
  },
  {
    id: 'f32-adam',
    label: '32-bit weights, Adam (4 + 8)',
    terms: [weights32, ...moments32],
    source: 'FSDP, torchtitan, MaxText, the Hugging Face Trainer in 32 bits',
  },
  {
    id: 'bf16-adam',
    label: '16-bit weights, Adam in 32 bits (2 + 8)',
    terms: [weights16, ...moments32],
    source: 'weights stored in 16 bits without a 32-bit copy (OPT-175B)',
  },
  {
    id: 'pure-bf16',
    label: 'all in 16 bits (2 + 4)',
    terms: [weights16, term('firstMoment', 2), term('secondMoment', 2)],
    source: 'torchtune and others that keep the moments in the weights’ dtype',
  },
  {
    id: 'mixed-adam-8bit',
    label: '16-bit weights, 32-bit copy, 8-bit Adam (2 + 4 + 2)',
    terms: [weights16, master, term('firstMoment', 1), term('secondMoment', 1)],
    source: 'bitsandbytes; its block scales add less than 2 %',
  },
  {
    id: 'mixed-momentum',
    label: '16-bit weights, 32-bit copy, one moment (2 + 4 + 4)',
    terms: [weights16, master, term('firstMoment', 4)],
    source: 'Lion, Muon on matrices, SGD with momentum',
  },
  {
    id: 'mixed-adam-export',
    label: 'the same with an exported copy (2 + 4 + 8 + 2)',
    terms: [weights16, master, ...moments32, term('exportedWeights', 2)],
    source: 'the upper rule of 16 bytes: what the Trainer leaves beside DeepSpeed’s files',
  },
  {
    id: 'rule-8',
    label: 'the rule of 8 (2 + 3 × 2)',
    terms: [weights16, term('masterWeights', 2), term('firstMoment', 2), term('secondMoment', 2)],
    source: 'the rule of thumb: weights and three states as large as the weights',
  },
  { id: 'weights-bf16', label: 'weights alone, 16 bits (2)', terms: [weights16], source: 'a model as it is published' },
] as const satisfies readonly Recipe[];

export type RecipeId = (typeof recipes)[number]['id'];

export const recipeChoices: readonly { value: RecipeId; label: string }[] = recipes.map(({ id, label }) => ({
  value: id,
  label,
}));

/** @returns the recipe of an id */
export function recipeOf(id: RecipeId): Recipe {
  return recipes.find((recipe) => recipe.id === id) ?? recipes[0];
}
