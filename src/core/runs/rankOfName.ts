/** Which rank wrote a file of a checkpoint, by its path alone: as DeepSpeed, FSDP, DCP, Megatron and Accelerate name files of ranks. */
import { rankOfFile } from '../frameworks/deepspeed/deepspeedFiles.js';

/** Each has the rank in its first group. */
const names: readonly RegExp[] = [
  // DCP: the rank that wrote it, and which of its files it is.
  /(?:^|\/)__(\d{1,7})_\d{1,7}\.distcp$/,
  // FSDP's local states and what else has the world size.
  /world_size_\d{1,7}_rank_(\d{1,7})/,
  /(?:^|[_./-])rank[_-]?(\d{1,7})(?:[_.]|$)/,
  // Orbax: the process that wrote a part of the database.
  /(?:^|\/)ocdbt\.process_(\d{1,7})\//,
  // RNG states of the Trainer and of Accelerate.
  /(?:^|\/)(?:rng_state|random_states)_(\d{1,7})\./,
];

/** Megatron's directories: tensor rank, and pipeline rank where there are stages. */
const megatronDirectory = /(?:^|\/)mp_rank_(\d{1,7})(?:_(\d{1,7}))?\//;

/** In the framework's words, as `RankReport.rank`: `3`, `dp 1 · mp 0`, `tp 0 · pp 1`; null for a file that no rank is named in. */
export function rankOfName(path: string): string | null {
  if (!/\d/.test(path)) return null;
  return rankOfFile(path) ?? rankOfMegatron(path) ?? rankOfNanotron(path) ?? numberOf(path);
}

function rankOfMegatron(path: string): string | null {
  const [, tensor, pipeline] = megatronDirectory.exec(path) ?? [];
  if (tensor === undefined) return null;
  return pipeline === undefined ? `tp ${Number(tensor)}` : `tp ${Number(tensor)} · pp ${Number(pipeline)}`;
}

/** `optimizer_pp-0-of-1_tp-1-of-2_exp-0-of-1.pt`, `model_weight_pp-rank-0-of-2_tp-rank-1-of-2.safetensors`. */
function rankOfNanotron(path: string): string | null {
  if (!path.includes('-of-')) return null;
  const places = [...path.matchAll(/(?:^|[_/])(dp|pp|tp)(?:-rank)?-(\d{1,7})-of-\d{1,7}/g)].map(
    ([, axis = '', rank]) => `${axis} ${Number(rank)}`,
  );
  return places.length === 0 ? null : [...new Set(places)].join(' · ');
}

function numberOf(path: string): string | null {
  for (const name of names) {
    const [, rank] = name.exec(path) ?? [];
    if (rank !== undefined) return String(Number(rank));
  }
  return null;
}
