/** Steps from the names of a checkpoint to those of a model that transformers loads, and those that several types have. */
import type { Rename } from './rename.js';

/** How the names of a type become those of its model. */
export interface LoadRenames {
  /** One after the other. */
  renames: readonly Rename[];
  /** After those, the first that applies: parts of fused tensors, and experts by the names of their matrices. */
  splits?: readonly Rename[];
  /** After those, the first that applies: several tensors that are loaded into one. */
  merges?: readonly Rename[];
}

/** A step with one name after it. */
export function rename(from: string, to: string, more: Omit<Rename, 'from' | 'to'> = {}): Rename {
  return { from, to: [to], ...more };
}

/** A step after which a tensor is several, in this order. */
export function split(from: string, ...to: string[]): Rename {
  return { from, to };
}

/** Steps in the order in which they are written. */
export function renamesOf(renames: Readonly<Record<string, string>>): Rename[] {
  return Object.entries(renames).map(([from, to]) => rename(from, to));
}

/** Types with the renames that each of them has. */
export type RenamesOfTypes = readonly (readonly [modelTypes: readonly string[], LoadRenames])[];

/** Experts of three matrices, loaded as two tensors of a layer. */
export const gatedExperts = renamesOf({
  '.experts.N.gate_proj.weight': '.experts.gate_up_proj',
  '.experts.N.up_proj.weight': '.experts.gate_up_proj',
  '.experts.N.down_proj.weight': '.experts.down_proj',
});

/** Experts of two matrices. */
export const plainExperts = renamesOf({
  '.experts.N.up_proj.weight': '.experts.up_proj',
  '.experts.N.down_proj.weight': '.experts.down_proj',
});

/** Names that Llama's own code has for the matrices of an expert. */
export const numberedMatrices = renamesOf({
  '.experts.N.w1.weight': '.experts.N.gate_proj.weight',
  '.experts.N.w2.weight': '.experts.N.down_proj.weight',
  '.experts.N.w3.weight': '.experts.N.up_proj.weight',
});
