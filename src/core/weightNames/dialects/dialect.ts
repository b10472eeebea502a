/** What the names of a framework are: a table from its modules to the roles of their weights. */
import type { Role } from '../roles.js';

/** What one module's weight is, with more about how it is stored where that is not as in transformers. */
export type Entry = Role | readonly Role[] | DetailedEntry;

export interface DetailedEntry {
  roles: readonly Role[];
  isStackedExperts?: boolean;
  isTransposed?: boolean;
  isInterleaved?: boolean;
}

export interface Dialect {
  /** Keys of `modules` and `parameters` that tell the dialect from all others; one of them is enough. */
  marks: readonly string[];
  /** Modules by their patterns, without wrappers and without a `model.` before them; `.weight` or `.bias` follows. */
  modules: Readonly<Record<string, Entry>>;
  /** Parameters whose last segment is neither of these, by their whole patterns. */
  parameters?: Readonly<Record<string, Entry>>;
  /** Last segments with what transformers has in their place, where that is not `weight` and `bias` themselves. */
  leaves?: Readonly<Record<string, 'weight' | 'bias'>>;
  /** Last segments of matrices that are stored as [in, out]. */
  transposedLeaves?: readonly string[];
  /** Prefixes of layers without their number, as the layers are an axis: `decoder.layers` for `decoder.layers.N`. */
  stacks?: readonly string[];
  /** The axis of stacked layers, where it is not the first. */
  layerAxis?: number;
  /** The number of the first layer, where it is not 0. */
  firstLayer?: number;
  /** The `model_type` whose names are meant where none is given. */
  defaultType?: string;
}

/** The same entries below each of several prefixes. */
export function below(prefixes: readonly string[], entries: Readonly<Record<string, Entry>>): Record<string, Entry> {
  return Object.fromEntries(
    prefixes.flatMap((prefix) => Object.entries(entries).map(([name, entry]) => [`${prefix}.${name}`, entry] as const)),
  );
}
