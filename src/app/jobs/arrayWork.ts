import type * as v from 'valibot';
import type { Answer } from '../answer.js';
import type { Platform } from '../platform.js';

/**
 * A use case whose items several machines share: files that are verified, tensors whose values are read. One machine plans, each task of an array
 * does its items and leaves a result of each, one machine gathers them.
 */
export interface ArrayWork<Input, Plan, Result, Gathered extends Answer> {
  /** What an item is, as one and as many. */
  noun: readonly [string, string];
  /** @throws InputError, PathError */
  plan(platform: Platform, input: Input): Promise<Plan>;
  planSchema: v.GenericSchema<unknown, Plan>;
  /** Bytes that each item reads. */
  sizesBytes(plan: Plan): number[];
  resultSchema: v.GenericSchema<unknown, Result>;
  /**
   * Does some of the items.
   * @param onResult called with each as soon as it is done, in any order
   * @throws PathError, FormatError `cancelled`
   */
  run(
    platform: Platform,
    plan: Plan,
    items: readonly number[],
    onResult: (item: number, result: Result) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** The answer, as if one machine had done all of them. @param results of every item @throws InputError, PathError, FormatError `cancelled` */
  gather(platform: Platform, plan: Plan, results: ReadonlyMap<number, Result>, signal: AbortSignal): Promise<Gathered>;
}
