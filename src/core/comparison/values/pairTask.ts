/** Pairs of tensors whose values are compared together, as they are sent to a thread. */
import type { Scaling } from '../../values/scaled/scaling.js';
import type { ValueExtent } from '../../values/valueExtent.js';
import type { Sample } from '../../values/valueTask.js';
import type { RoundedSide } from './rounding.js';

/** Where the values of one side are, and how they are decoded. */
export interface PairSide {
  dtype: string;
  isBigEndian: boolean;
  /** In the order of the elements. */
  extents: ValueExtent[];
  scaling?: Scaling;
}

export interface ValuePair {
  /** Its place among the pairs of the match. */
  pair: number;
  elements: number;
  a: PairSide;
  b: PairSide;
}

export interface PairTask {
  pairs: ValuePair[];
  /** Undefined where everything is read. */
  sample?: Sample;
}

/** Sums over the elements of a pair that are finite on both sides. */
export interface PairSums {
  /** Elements that were read. */
  compared: number;
  /** NaN or infinite on one side at least, and not alike. */
  notFinite: number;
  /** NaN or infinite in A and in B, alike or not. */
  notFiniteA: number;
  notFiniteB: number;
  /** Those that the sums are of. */
  finite: number;
  isEqual: boolean;
  /** In which ways one side may be the other, rounded, which equal sides are as well; empty where there is none. */
  rounded: readonly RoundedSide[];
  /** Whether A has one number alone, as norms and biases that were never trained: where B equals it, that says nothing of where both come from. */
  isConstant: boolean;
  /** The same of B. */
  isConstantB: boolean;
  /** The first numbers of both; null before any was read. */
  first: number | null;
  firstB: number | null;
  maxAbs: number;
  /** Of |b - a|. */
  sumAbs: number;
  /** Of a b, a a, b b and (b - a)(b - a). */
  dot: number;
  squaresA: number;
  squaresB: number;
  squaresOfDifference: number;
}

export interface PairResult {
  pair: number;
  sums: PairSums;
  bytesRead: number;
  /** Why there are no numbers; null where there are. */
  problem: string | null;
}

export function noSums(): PairSums {
  return {
    compared: 0,
    notFinite: 0,
    notFiniteA: 0,
    notFiniteB: 0,
    finite: 0,
    isEqual: true,
    rounded: [],
    isConstant: true,
    isConstantB: true,
    first: null,
    firstB: null,
    maxAbs: 0,
    sumAbs: 0,
    dot: 0,
    squaresA: 0,
    squaresB: 0,
    squaresOfDifference: 0,
  };
}

/** Adds the sums of other elements. */
export function addSums(into: PairSums, sums: PairSums): void {
  into.compared += sums.compared;
  into.notFinite += sums.notFinite;
  into.notFiniteA += sums.notFiniteA;
  into.notFiniteB += sums.notFiniteB;
  into.finite += sums.finite;
  into.isEqual &&= sums.isEqual;
  into.maxAbs = Math.max(into.maxAbs, sums.maxAbs);
  into.sumAbs += sums.sumAbs;
  into.dot += sums.dot;
  into.squaresA += sums.squaresA;
  into.squaresB += sums.squaresB;
  into.squaresOfDifference += sums.squaresOfDifference;
}
