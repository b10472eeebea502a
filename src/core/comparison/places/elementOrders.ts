/** How the elements of a tensor of one framework follow from those of another one that holds the same weight. */
import type { NameDialect, WeightPlace } from '../../weightNames/weightPlace.js';
import type { SidePlaces } from './sidePlaces.js';

/** Both are one after the other: in equal axes or in others; one is [in, out] where the other is [out, in]; or rows or values may be converted. */
export const elementOrder = { same: 0, otherAxes: 1, transposed: 2, unknown: 3 } as const;

/** They store rows of queries and keys in pairs for rotary embeddings, always or for some models (permute in their converters). */
const pairedRows: ReadonlySet<NameDialect> = new Set(['gguf', 'meta', 'torchtune', 'maxtext', 'nanotron']);
const rotary = /(?:q_proj|k_proj|q_b_proj|qkv_proj|query_key_value|kv_a_proj_with_mqa)\.(?:weight|bias)$/;

/** Values that llama.cpp converts: decays of Mamba, and norms that are counted from 0 in these models (convert_hf_to_gguf.py). */
const decay = /\.A_log$/;
const norm = /norm\w*\.weight$/;
const modelsOfZeroNorms = /^(?:gemma|nemotron)/;

/** @returns the order of a row of A and one of B, by their places among the rows */
export function elementOrders(
  [a, b]: readonly [SidePlaces, SidePlaces],
  modelType: string | undefined,
): (own: number, other: number) => number {
  const areOneDialect = a.dialect === b.dialect;
  const hasPairedRows = !areOneDialect && (pairedRows.has(a.dialect) || pairedRows.has(b.dialect));
  const isConverted = !areOneDialect && (a.dialect === 'gguf' || b.dialect === 'gguf');
  const hasZeroNorms = isConverted && modelsOfZeroNorms.test(modelType ?? '');
  const orderOf = (one: WeightPlace, other: WeightPlace): number => {
    const areOtherRows =
      one.isInterleaved !== other.isInterleaved ||
      one.names.join() !== other.names.join() ||
      one.names.some(
        (name) => (hasPairedRows && rotary.test(name)) || (isConverted && decay.test(name)) || (hasZeroNorms && norm.test(name)),
      );
    if (areOtherRows) return elementOrder.unknown;
    if (one.isTransposed !== other.isTransposed) return elementOrder.transposed;
    return areOneDialect ? elementOrder.same : elementOrder.otherAxes;
  };
  return (own, other) => orderOf(placeAt(a, own), placeAt(b, other));
}

function placeAt({ places, patterns }: SidePlaces, at: number): WeightPlace {
  return places[patterns.patternOf[at] as number] as WeightPlace;
}

/**
 * Whether two shapes are of one tensor: axes of size 1 aside, and where heads have an axis of their own they are one with the next. Of a transposed one
 * the axes of the inputs are behind those of the outputs; layers and experts stay the first ones.
 * @param order one of `elementOrder`
 */
export function isOneShape(a: readonly number[], b: readonly number[], order: number): boolean {
  if (order === elementOrder.same) return a.join() === b.join();
  const [own, other] = [a.filter((size) => size !== 1), b.filter((size) => size !== 1)];
  if (order !== elementOrder.transposed && areOneAxes(own, other)) return true;
  return order !== elementOrder.otherAxes && isTurned(own, other);
}

/** A kernel of stacked layers and experts with heads has six axes; files may state any number. */
const mostAxes = 8;

function isTurned(own: readonly number[], other: readonly number[]): boolean {
  if (own.length > mostAxes) return false;
  if (own.length < 2) return areOneAxes(own, other);
  for (let stacks = 0; stacks < own.length - 1; stacks++) {
    if (stacks > 0 && own[stacks - 1] !== other[stacks - 1]) return false;
    const [axes, others] = [own.slice(stacks), other.slice(stacks)];
    for (let inputs = 1; inputs < axes.length; inputs++)
      if (areOneAxes([...axes.slice(inputs), ...axes.slice(0, inputs)], others)) return true;
  }
  return false;
}

/** Whether neighbouring axes of one, put together, are those of the other. */
function areOneAxes(one: readonly number[], other: readonly number[]): boolean {
  return one.join() === other.join() || isCoarser(one, other) || isCoarser(other, one);
}

function isCoarser(coarse: readonly number[], fine: readonly number[]): boolean {
  let at = 0;
  for (const size of coarse) {
    let product = 1;
    while (product < size && at < fine.length) product *= fine[at++] as number;
    if (product !== size) return false;
  }
  return at === fine.length;
}
