/**
 * Cache directories hold each step of a preparation: the rows as they were loaded, the tokenized ones, the packed ones. Only the last
 * step is what a training run reads; the others are sources of it.
 */
import { baseName, parentPath } from '../../../files/paths.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import type { ArrowShard } from './arrowShard.js';
import type { SavedStates } from './savedStates.js';

/** One step: the shards of one map. */
interface Step {
  files: ArrowShard[];
  tokens: number;
  rows: number;
  modifiedMs: number;
}

/** Packing drops the last incomplete block of a batch: at most this share of the tokens. */
const LEAST_KEPT = 0.9;

/** Marks what a later step was made from. */
export function markSources(files: readonly ArrowShard[], states: SavedStates, access: DatasetAccess): void {
  const counting = files.filter(({ shard }) => shard.use === undefined);
  const hasTokens = counting.some(({ shard }) => shard.tokens !== null);
  if (!hasTokens) return;
  for (const { shard } of counting)
    if (!shard.columns.some(({ role }) => role === 'tokens') && shard.columns.some(({ role }) => role === 'text'))
      shard.use = 'source';
  for (const steps of stepsByDirectory(counting, states, access).values()) markEarlierSteps(steps);
}

/** Files that `datasets` named by a fingerprint, by their directories. What was saved, or named by a user, is no step of a cache. */
function stepsByDirectory(
  files: readonly ArrowShard[],
  states: SavedStates,
  access: DatasetAccess,
): Map<string, Map<string, Step>> {
  const directories = new Map<string, Map<string, Step>>();
  for (const file of files) {
    const { path, tokens, samples, use } = file.shard;
    const fingerprint = /^cache-([0-9a-f]{16})/.exec(baseName(path))?.[1];
    const directory = parentPath(path);
    if (fingerprint === undefined || tokens === null || use !== undefined || states.has(directory)) continue;
    const steps = directories.get(directory) ?? new Map<string, Step>();
    directories.set(directory, steps);
    const step = steps.get(fingerprint) ?? { files: [], tokens: 0, rows: 0, modifiedMs: 0 };
    steps.set(fingerprint, step);
    step.files.push(file);
    step.tokens += tokens;
    step.rows += samples ?? 0;
    step.modifiedMs = Math.max(step.modifiedMs, access.entry(path)?.modifiedMs ?? 0);
  }
  return directories;
}

/**
 * Fingerprints do not tell what was made from what. A step with about as many tokens as one before it holds the same ones, whichever
 * columns were added or rows packed; splits differ by far more.
 */
function markEarlierSteps(byFingerprint: ReadonlyMap<string, Step>): void {
  const steps = [...byFingerprint.values()].sort((a, b) => a.modifiedMs - b.modifiedMs);
  steps.forEach((step, index) => {
    const isSource = steps
      .slice(index + 1)
      .some((later) => later.tokens <= step.tokens && later.tokens >= step.tokens * LEAST_KEPT && step.tokens > 0);
    if (isSource) for (const { shard } of step.files) shard.use = 'source';
  });
}
