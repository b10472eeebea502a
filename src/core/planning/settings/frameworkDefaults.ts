/** What a plan takes from its framework for inputs that are not given: whether training waits for a save, and what one holds. */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { RecipeId } from '../size/recipes.js';
import { settingsOf, type FrameworkId } from './frameworkSettings.js';

/** Where a framework's own defaults leave 32-bit weights and moments, or moments as wide as 16-bit weights; see docs/numbers.md, bytes a parameter. */
const recipesOf: Partial<Readonly<Record<FrameworkId, RecipeId>>> = {
  torchtitan: 'f32-adam',
  maxtext: 'f32-adam',
  'olmo-core': 'f32-adam',
  composer: 'f32-adam',
  'training-arguments': 'f32-adam',
  torchtune: 'pure-bf16',
};

/** @param framework as given; undefined without */
export function frameworkInputs(framework: FrameworkId | undefined): Partial<Pick<PlanInputs, 'saveMode' | 'recipe'>> {
  if (framework === undefined) return {};
  const settings = settingsOf(framework);
  const recipe = recipesOf[framework];
  return {
    ...(settings === null || settings.savesInBackground ? {} : { saveMode: 'synchronous' }),
    ...(recipe === undefined ? {} : { recipe }),
  };
}

/** Frameworks that save in the background only where a config says so, by their own defaults. */
const waitsUnlessSet: ReadonlySet<FrameworkId> = new Set(['megatron', 'torchtitan', 'nemo', 'lightning', 'torchtune']);

/** How a framework saves whose config says nothing of it; null where that is not known. */
export function defaultSaveMode(framework: FrameworkId): 'synchronous' | null {
  const waits = waitsUnlessSet.has(framework) || settingsOf(framework)?.savesInBackground === false;
  return waits ? 'synchronous' : null;
}
