/** RNG states that each rank saves in a file of its own: which are lost, by the ranks that wrote other files of the save. */
import { limits } from '../../bytes/limits.js';
import type { FilePart, Parts } from '../parts.js';

/** How many of the missing files a finding names. */
const NAMED = 5;

/** FSDP's local state dicts: each rank its own, unlike the whole and the distributed ones. */
const localState = /^(pytorch_model_fsdp|optimizer)(_\d+)?_rank(\d+)\.bin$/;

/** DeepSpeed's shards by data-parallel rank: there are at least as many ranks. */
const zeroShard = /zero_pp_rank_(\d{1,7})_mp_rank_\d+_optim_states\.pt$/;

/** Whether a file has the state of one rank alone. */
export function isLocalState(path: string): boolean {
  return localState.test(path);
}

/** Ranks that wrote files of this save: shards of an earlier one are of another job. */
export function shardRanksOf(files: readonly FilePart[]): number[] {
  return files.flatMap(({ path, role, rank }) => {
    const own = zeroShard.exec(path)?.[1] ?? rank ?? localState.exec(path)?.[3];
    return role !== 'earlier-save' && own !== undefined && /^\d{1,7}$/.test(own) ? [Number(own)] : [];
  });
}

/**
 * A warning where RNG states of ranks are missing: loaders leave these ranks with the random state that they have.
 * @param present ranks whose RNG state is there
 */
export function noteLostRandomStates(
  parts: Parts,
  present: ReadonlySet<number>,
  worldSize: number,
  nameOf: (rank: number) => string,
): void {
  const files = worldSize - present.size;
  if (files <= 0) return;
  const first: string[] = [];
  for (let rank = 0; rank < Math.min(worldSize, limits.rankFiles) && first.length < NAMED; rank++)
    if (!present.has(rank)) first.push(nameOf(rank));
  parts.remnants = new Set([...(parts.remnants ?? []), 'rng']);
  parts.findings.push({ code: 'rng-rank-missing', facts: { files, worldSize, first: first.join(', ') } });
}
