/**
 * Checkpoints whose times may be those of a copy or a download, where only a part of the run was copied: written at the same time as another one, while
 * another one was, or so soon after it that training cannot have done the steps between them.
 */
import type { RunMember } from '../inspection/runs/run.js';
import { pairsOf } from './gaps.js';
import type { SavedCheckpoint } from './savedCheckpoint.js';

/** File systems keep times to a second or two. */
const roundingMs = 2000;
/** Of the time that steps usually take: nothing makes training so much faster. */
const leastShare = 0.2;

/** @param members with the files of the checkpoints; answers paths */
export function uncertainTimes(members: readonly RunMember[], checkpoints: readonly SavedCheckpoint[]): Set<string> {
  const spans = new Map(members.map(({ root, listing }) => [root, spanOf(listing.entries)]));
  const saves = checkpoints
    .flatMap(({ path, step, finishedMs }) => (finishedMs === null ? [] : [{ path, step, finishedMs, ...spans.get(path) }]))
    .sort((a, b) => a.finishedMs - b.finishedMs);
  const pairs = pairsOf(saves).map(([before, after]) => ({
    before,
    after,
    secondsOfStep:
      before.step === null || after.step === null || after.step <= before.step
        ? null
        : (after.finishedMs - before.finishedMs) / 1000 / (after.step - before.step),
  }));
  const rates = pairs.flatMap(({ secondsOfStep }) => secondsOfStep ?? []).sort((a, b) => a - b);
  // Of those that are not of a copy, which may be most: the slow ones.
  const usual = rates[Math.floor((rates.length - 1) * 0.9)] ?? 0;
  const uncertain = new Set<string>();
  for (const { before, after, secondsOfStep } of pairs) {
    const isAtOnce = after.finishedMs - before.finishedMs <= roundingMs;
    const isBeside = after.firstMs !== undefined && after.firstMs < before.finishedMs - roundingMs;
    const isTooFast = secondsOfStep !== null && secondsOfStep < leastShare * usual;
    if (isAtOnce || isBeside || isTooFast) uncertain.add(before.path).add(after.path);
  }
  return uncertain;
}

/** Only of files with data: a tokenizer keeps the time that it had elsewhere. */
const leastDataBytes = 1024 * 1024;

/** When the first of its files was done. */
function spanOf(entries: RunMember['listing']['entries']): { firstMs?: number } {
  const data = entries.filter(({ sizeBytes }) => sizeBytes >= leastDataBytes);
  const firstMs = data.reduce((first, { modifiedMs }) => Math.min(first, modifiedMs ?? Infinity), Infinity);
  return firstMs === Infinity ? {} : { firstMs };
}
