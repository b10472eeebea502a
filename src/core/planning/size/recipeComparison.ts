/** What each way of training makes of the same model: in a checkpoint, and in memory, which people take for one another. */
import { recipes, type RecipeId, type RecipePart } from './recipes.js';

export interface ComparedRecipe {
  id: RecipeId;
  label: string;
  source: string;
  checkpointBytesPerParameter: number;
  checkpointBytes: number;
  /**
   * In training, with gradients in the weights' dtype and in 32 bits; exported copies are not in memory. Null where nothing is
   * trained. Megatron-LM, docs, distributed optimizer: 16, 18 and 20; DeepSpeed, memory requirements.
   */
  memoryBytesPerParameter: { least: number; most: number } | null;
}

export function compareRecipes(parameters: number): ComparedRecipe[] {
  return recipes.map(({ id, label, source, terms }) => {
    const sum = (part: (name: RecipePart) => boolean) =>
      terms.reduce((total, term) => total + (part(term.part) ? term.bytesPerParameter : 0), 0);
    const perParameter = sum(() => true);
    const weights = sum((part) => part === 'weights');
    const inMemory = sum((part) => part !== 'exportedWeights');
    const isTrained = inMemory > weights;
    return {
      id,
      label,
      source,
      checkpointBytesPerParameter: perParameter,
      checkpointBytes: parameters * perParameter,
      memoryBytesPerParameter: isTrained ? { least: inMemory + weights, most: inMemory + gradientBytes(id, weights) } : null,
    };
  });
}

/** Gradients are kept in 32 bits beside a 32-bit copy or 32-bit moments; where all is in 16 bits they are as well. */
function gradientBytes(id: RecipeId, weights: number): number {
  return id === 'pure-bf16' || id === 'rule-8' || id === 'bf16-adam' ? weights : 4;
}
