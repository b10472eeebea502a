/** Numbers that are missing between those in the names of shards which do not state how many there are: `000000`, `000002`, `000003`. */
import { baseName, joinPath, parentPath } from '../files/paths.js';
import { parseShardName } from './shardNames.js';

export interface ShardGap {
  /** The shard behind the first gap. */
  path: string;
  /** Shards with such a name. */
  found: number;
  missing: number;
  /** The first number that is missing. */
  first: number;
}

/** Fewer make no sequence. */
const MIN_SHARDS = 3;
/** The last group of at least three digits, padded with zeros: dates, steps and sizes are not. */
const numberedName = /^(.*\D|)(\d{3,9})(\D.*)?$/s;

/**
 * Gaps in sequences of shards with names that differ in a zero-padded number alone. A sequence may begin anywhere and have any step; it has a
 * gap where most of its numbers follow each other and some are missing.
 */
export function findShardGaps(paths: readonly string[]): ShardGap[] {
  const sequences = new Map<string, { width: number; shards: Map<number, string> }>();
  for (const path of paths) {
    const match = parseShardName(path) === undefined ? numberedName.exec(baseName(path)) : null;
    if (match === null) continue;
    const [, prefix = '', digits = '', suffix = ''] = match;
    const stem = joinPath(parentPath(path), `${prefix}${'#'.repeat(digits.length)}${suffix}`);
    const sequence = sequences.get(stem) ?? { width: digits.length, shards: new Map<number, string>() };
    sequence.shards.set(Number(digits), path);
    sequences.set(stem, sequence);
  }
  return [...sequences.values()].flatMap(({ width, shards }) => gapOf(shards, width));
}

/** @param width digits of the numbers */
function gapOf(shards: ReadonlyMap<number, string>, width: number): ShardGap[] {
  const numbers = [...shards.keys()].sort((a, b) => a - b);
  const isPadded = (numbers[0] ?? Infinity) < 10 ** (width - 1);
  const missing = (numbers.at(-1) ?? 0) - (numbers[0] ?? 0) + 1 - numbers.length;
  if (numbers.length < MIN_SHARDS || !isPadded || missing === 0 || missing >= numbers.length) return [];
  const behind = numbers.findIndex((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1);
  const isStep = numbers.every((number, at) => at === 0 || number !== (numbers[at - 1] ?? 0) + 1);
  if (isStep) return [];
  const first = (numbers[behind - 1] ?? 0) + 1;
  return [{ path: shards.get(numbers[behind] ?? 0) ?? '', found: numbers.length, missing, first }];
}
