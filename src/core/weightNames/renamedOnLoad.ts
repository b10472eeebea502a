/** Which parameters of a model transformers loads a tensor into. */
import type { LoadRenames } from './renames/loadRenames.js';
import { legacyRenames, renamesOfType } from './renames/renamesOfType.js';
import { renamed, type Rename } from './renames/rename.js';

const none: LoadRenames = { renames: [] };

/**
 * The names of the parameters that transformers 5.24 loads a tensor of that name into, for names and for their patterns: several where it
 * splits the tensor. The number of an expert is left out where it merges a layer's experts into one tensor. Adding or removing the prefix of
 * the base model (`model.`) is not part of it: transformers does that by what the model has. Types that are not listed have only the
 * renames of every type.
 * @param modelType `model_type` of the config
 * @param textType that of its `text_config`, where it has one of its own, as LLaVA's decoder may be any
 */
export function renamedOnLoad(name: string, modelType: string, textType?: string): string[] {
  const own = renamesOfType.get(modelType) ?? none;
  const merges = [...(own.merges ?? []), ...(textRenames(textType).merges ?? [])];
  return unique(partsOnLoad(name, modelType, textType).map((part) => firstOf(merges, part)?.[0] ?? part));
}

/** The same without merging: the experts one by one. */
export function partsOnLoad(name: string, modelType: string | undefined, textType?: string): string[] {
  const own = (modelType === undefined ? undefined : renamesOfType.get(modelType)) ?? none;
  const text = textRenames(textType);
  let current = name;
  for (const step of [...own.renames, ...text.renames, ...legacyRenames]) current = renamed(current, step)?.[0] ?? current;
  return firstOf([...(own.splits ?? []), ...(text.splits ?? [])], current) ?? [current];
}

/** Steps for a decoder that is a part of the model; those at the start of a name are for it alone. */
function textRenames(textType: string | undefined): LoadRenames {
  const own = (textType === undefined ? undefined : renamesOfType.get(textType)) ?? none;
  return { ...own, renames: own.renames.filter(({ from }) => !from.startsWith('^')) };
}

function firstOf(steps: readonly Rename[], name: string): string[] | null {
  for (const step of steps) {
    const names = renamed(name, step);
    if (names !== null) return names;
  }
  return null;
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
