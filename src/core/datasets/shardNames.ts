/** What the name of a shard says: which split it is of, and how many shards there are. */
import type { DatasetAccess } from './datasetLayout.js';
import type { Finding } from '../findings/finding.js';
import { baseName, joinPath, parentPath } from '../files/paths.js';

export interface ShardName {
  /** What shards of one set have in common: the path without the number. */
  stem: string;
  number: number;
  total: number;
}

/** `train-00000-of-00042-<hash>.parquet` of the Hub, `data-00000-of-00002.arrow`, `cache-<hash>_00000_of_00004.arrow` of parallel maps. */
const numbered = /^(.*?)[-_.](\d{1,6})[-_]of[-_](\d{1,6})([-_.][^/]*)?$/s;

/** Undefined for a name without number and total. */
export function parseShardName(path: string): ShardName | undefined {
  const match = numbered.exec(baseName(path));
  if (match === null) return undefined;
  const [, prefix = '', number, total, suffix = ''] = match;
  const extension = suffix.slice(suffix.lastIndexOf('.'));
  return { stem: joinPath(parentPath(path), `${prefix}*${extension}`), number: Number(number), total: Number(total) };
}

const splitWord = '(?:train|training|validation|valid|val|test|dev|eval|holdout|unsupervised)(?:_[A-Za-z0-9_]+)?';
const splitEnding = new RegExp(`(?:^|[-_.])(${splitWord})$`, 'i');
const splitWhole = new RegExp(`^${splitWord}$`, 'i');

/**
 * The split that a path names: before the shard's number, at the end of the name, or as a directory; undefined where it names none. The usual
 * words are one split in any case, as file systems may change it.
 */
export function splitOfPath(path: string): string | undefined {
  const name = baseName(path);
  const match = numbered.exec(name);
  const stem = match === null ? name.replace(/\.[^.]*$/, '') : (match[1] ?? '');
  const ending =
    splitEnding.exec(stem)?.[1]?.toLowerCase() ?? (match !== null && !isCommonStem(stem) ? lastWord(stem) : undefined);
  if (ending !== undefined) return ending;
  return parentPath(path)
    .split('/')
    .reverse()
    .find((part) => splitWhole.test(part))
    ?.toLowerCase();
}

/** Names of shards that name no split. */
function isCommonStem(stem: string): boolean {
  return /^(data|part|shard|chunk|file|cache-[0-9a-f]+|.*tokenized|)$/is.test(stem);
}

/** `wikitext-sample` is the split `sample` of `wikitext`, as `datasets` names its files; a Hub name is the split alone. */
function lastWord(stem: string): string | undefined {
  const word = stem.slice(stem.lastIndexOf('-') + 1);
  return /^[A-Za-z]\w*$/.test(word) ? word : undefined;
}

/** Shards of one name and number of shards in one directory. */
interface NumberedSet {
  stem: string;
  total: number;
  numbers: Set<number>;
  /** The first of them. */
  path: string;
}

/** Numbers that are missing among shards which say how many there are. */
function findMissingShards(paths: readonly string[]): Finding[] {
  const sets = new Map<string, NumberedSet>();
  for (const path of paths) {
    const name = parseShardName(path);
    if (name === undefined) continue;
    // Copies from file systems without case may differ in it.
    const stem = name.stem.toLowerCase();
    const key = `${stem}\n${name.total}`;
    const set = sets.get(key) ?? { stem, total: name.total, numbers: new Set(), path };
    set.numbers.add(name.number);
    sets.set(key, set);
  }
  const findings: Finding[] = [];
  for (const { total, numbers, path } of joinSpread([...sets.values()])) {
    const found = countBelow(numbers, total);
    if (found >= total || total === 0) continue;
    // Some writers count from 1.
    const first = numbers.has(total) && !numbers.has(0) ? 1 : 0;
    if (first === 1 && numbers.size === total) continue;
    let missing = first;
    while (numbers.has(missing)) missing += 1;
    findings.push({ code: 'shard-count-differs', path, facts: { expected: total, found: numbers.size, first: missing } });
  }
  return findings;
}

/** Sets of one name that are spread over directories are one, where no number is in two of them and together they are all. */
function joinSpread(sets: readonly NumberedSet[]): NumberedSet[] {
  const byName = new Map<string, NumberedSet[]>();
  for (const set of sets) {
    const key = `${baseName(set.stem)}\n${set.total}`;
    byName.set(key, [...(byName.get(key) ?? []), set]);
  }
  return [...byName.values()].flatMap((own) => {
    const [first] = own;
    const numbers = new Set(own.flatMap((set) => [...set.numbers]));
    const isOne = own.reduce((sum, set) => sum + set.numbers.size, 0) === first?.total && numbers.size === first.total;
    return isOne ? [{ ...first, numbers }] : own;
  });
}

function countBelow(numbers: ReadonlySet<number>, total: number): number {
  let count = 0;
  for (const number of numbers) if (number < total) count += 1;
  return count;
}

/** A finding for each set of numbered names of which some are not here. A file that is inspected by itself needs no such finding. */
export function noteMissingShards(paths: readonly string[], access: Pick<DatasetAccess, 'finding' | 'listed' | 'listing'>): void {
  access.listed(paths.filter((path) => parseShardName(path) !== undefined));
  if (!access.listing.isSingleFile) for (const finding of findMissingShards(paths)) access.finding(finding);
}
