/** Which rank wrote a file of a checkpoint, by its path alone: as DeepSpeed, FSDP, DCP, Megatron and Accelerate name files of ranks. */

/** Each has the rank in its first group, and a second coordinate in its second where files have two. */
const names: readonly RegExp[] = [
  // DCP: the rank that wrote it, and which of its files it is.
  /(?:^|\/)__(\d{1,7})_\d{1,7}\.distcp$/,
  // DeepSpeed's optimizer states: data-parallel and model-parallel rank.
  /zero_pp_rank_(\d{1,7})_mp_rank_(\d{1,7})/,
  // FSDP's local states and what else has the world size.
  /world_size_\d{1,7}_rank_(\d{1,7})/,
  // Megatron's directories: tensor and pipeline rank.
  /(?:^|\/)mp_rank_(\d{1,7})(?:_(\d{1,7}))?(?:[_/.]|$)/,
  /(?:^|[_./-])rank[_-]?(\d{1,7})(?:[_.]|$)/,
  // RNG states of the Trainer and of Accelerate.
  /(?:^|\/)(?:rng_state|random_states)_(\d{1,7})\./,
];

/** `3`, `3.0` where a file has two coordinates; null for a file that no rank is named in. */
export function rankOfName(path: string): string | null {
  for (const name of names) {
    const [, first, second] = name.exec(path) ?? [];
    if (first === undefined) continue;
    return second === undefined ? String(Number(first)) : `${Number(first)}.${Number(second)}`;
  }
  return null;
}
