/** Which rank wrote a file of a checkpoint, by its path alone: as DeepSpeed, FSDP, DCP, Megatron and Accelerate name files of ranks. */
import { rankOfFile } from '../frameworks/deepspeed/deepspeedFiles.js';

/** Each has the rank in its first group. */
const names: readonly RegExp[] = [
  // DCP: the rank that wrote it, and which of its files it is.
  /(?:^|\/)__(\d{1,7})_\d{1,7}\.distcp$/,
  // FSDP's local states and what else has the world size.
  /world_size_\d{1,7}_rank_(\d{1,7})/,
  /(?:^|[_./-])rank[_-]?(\d{1,7})(?:[_.]|$)/,
  // RNG states of the Trainer and of Accelerate.
  /(?:^|\/)(?:rng_state|random_states)_(\d{1,7})\./,
];

/** Megatron's directories: tensor rank, and pipeline rank where there are stages. */
const megatronDirectory = /(?:^|\/)mp_rank_(\d{1,7})(?:_(\d{1,7}))?\//;

/** In the framework's words, as `RankReport.rank`: `3`, `dp 1 · mp 0`, `tp 0 · pp 1`; null for a file that no rank is named in. */
export function rankOfName(path: string): string | null {
  if (!/\d/.test(path)) return null;
  return rankOfFile(path) ?? rankOfMegatron(path) ?? numberOf(path);
}

function rankOfMegatron(path: string): string | null {
  const [, tensor, pipeline] = megatronDirectory.exec(path) ?? [];
  if (tensor === undefined) return null;
  return pipeline === undefined ? `tp ${Number(tensor)}` : `tp ${Number(tensor)} · pp ${Number(pipeline)}`;
}

function numberOf(path: string): string | null {
  for (const name of names) {
    const [, rank] = name.exec(path) ?? [];
    if (rank !== undefined) return String(Number(rank));
  }
  return null;
}
