/**
 * The files of a DeepSpeed checkpoint by their names (deepspeed/runtime/engine.py: _get_ckpt_name, _get_zero_ckpt_name,
 * _get_expert_ckpt_name; deepspeed/runtime/pipe/module.py: ckpt_layer_path).
 */
import type { Listing } from '../../files/listing.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';

/** One file of a rank: `data` counts the data-parallel ranks, `model` the model-parallel ones (tensor parallel x pipeline stages). */
export interface RankFile {
  path: string;
  data: number | null;
  model: number;
}

/** A directory of one save, a "tag" in DeepSpeed's words. */
export interface TagFiles {
  directory: string;
  modelStates: RankFile[];
  /** ZeRO's optimizer shards. */
  shards: RankFile[];
  /** `bf16_`, `fp16_` or nothing: what the names of the shards begin with. */
  shardPrefix: string;
  layers: { path: string; layer: number; tensorRank: number | null }[];
  experts: { path: string; layer: number | null; expert: number; model: number }[];
}

const modelState = /^(?:zero_pp_rank_(\d{1,7})_)?mp_rank_(\d{1,7})_model_states\.pt$/;
const shard = /^(bf16_|fp16_|)zero_pp_rank_(\d{1,7})_mp_rank_(\d{1,7})_optim_states\.pt$/;
const layer = /^layer_(\d{1,7})-(?:model_(\d{1,7})-|.*-)?model_states\.pt$/s;
const expert = /^(?:layer_(\d{1,7})_)?expert_(\d{1,7})_mp_rank_(\d{1,7})_model_states\.pt$/;
const universalParameter = /(?:^|^(.*)\/)zero\/[^/]+\/fp32\.pt$/s;

/** Directories that hold rank files of a save, in the order of `paths`. */
export function findTags(paths: Iterable<string>): TagFiles[] {
  const tags = new Map<string, TagFiles>();
  for (const path of paths) {
    if (!path.endsWith('_states.pt')) continue;
    const name = baseName(path);
    const directory = parentPath(path);
    const tag = tags.get(directory) ?? emptyTag(directory);
    if (addTo(tag, path, name)) tags.set(directory, tag);
  }
  return [...tags.values()];
}

/** Answers by listing: these never change, and several layouts ask for each. */
const tagsOfListings = new WeakMap<Listing, ReadonlySet<string>>();

/** The directories alone that `findTags` finds among the files of a listing. */
export function tagDirectories(listing: Listing): ReadonlySet<string> {
  const known = tagsOfListings.get(listing) ?? new Set(directoriesOfTags(listing));
  tagsOfListings.set(listing, known);
  return known;
}

/** One file of a directory is enough: those of a rank are as many as ranks. */
function* directoriesOfTags({ entries }: Listing): Generator<string> {
  const seen = new Set<string>();
  for (const { path } of entries) {
    const directory = parentPath(path);
    if (!path.endsWith('_states.pt') || seen.has(directory) || !addTo(emptyTag(directory), path, baseName(path))) continue;
    seen.add(directory);
    yield directory;
  }
}

/** Directories with the parameters of a universal checkpoint, which lie in `zero/<parameter>/` below each. */
export function findUniversalTags(paths: Iterable<string>): Set<string> {
  const directories = new Set<string>();
  for (const path of paths) {
    const match = path.endsWith('/fp32.pt') ? universalParameter.exec(path) : null;
    if (match !== null) directories.add(match[1] ?? '');
  }
  return directories;
}

/** A save none of whose rank files are there. */
export function emptyTag(directory: string): TagFiles {
  return { directory, modelStates: [], shards: [], shardPrefix: '', layers: [], experts: [] };
}

function addTo(tag: TagFiles, path: string, name: string): boolean {
  let match = modelState.exec(name);
  if (match !== null) {
    tag.modelStates.push({ path, data: numberOrNull(match[1]), model: Number(match[2]) });
    return true;
  }
  match = shard.exec(name);
  if (match !== null) {
    tag.shardPrefix = match[1] ?? '';
    tag.shards.push({ path, data: Number(match[2]), model: Number(match[3]) });
    return true;
  }
  match = layer.exec(name);
  if (match !== null) {
    tag.layers.push({ path, layer: Number(match[1]), tensorRank: numberOrNull(match[2]) });
    return true;
  }
  match = expert.exec(name);
  if (match === null) return false;
  tag.experts.push({ path, layer: numberOrNull(match[1]), expert: Number(match[2]), model: Number(match[3]) });
  return true;
}

function numberOrNull(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

/** The rank's name in DeepSpeed's words. */
export function rankName({ data, model }: Pick<RankFile, 'data' | 'model'>): string {
  return data === null ? `mp ${model}` : `dp ${data} · mp ${model}`;
}

/** Which rank writes a file, by its name: what the data-parallel ranks share is of the first of them. Null for files of no rank. */
export function rankOfFile(path: string): string | null {
  if (!path.endsWith('_states.pt')) return null;
  const name = baseName(path);
  const match = modelState.exec(name) ?? shard.exec(name)?.slice(1);
  if (match == null) return null;
  const [, data = '0', model = '0'] = match;
  return rankName({ data: Number(data), model: Number(model) });
}

/** Which rank writes a file of `expectedExpertFiles`: each expert-parallel rank has as many experts, in order. */
export function rankOfExpertFile(path: string, experts: readonly number[], expertParallel: number): string {
  const [, layerNumber, number, model] = expert.exec(baseName(path)) ?? [];
  const each = Math.max(1, Math.floor((experts[Number(layerNumber ?? 0)] ?? 1) / Math.max(1, expertParallel)));
  return rankName({ data: Math.floor(Number(number) / each), model: Number(model) });
}

export interface ExpectedRanks {
  dataParallel: number;
  modelParallel: number;
  zeroStage: number;
  /** Whether ZeRO's shards belong to the save. */
  hasShards: boolean;
}

/** Paths of the rank files that a save of these sizes has. */
export function* expectedRankFiles(tag: TagFiles, ranks: ExpectedRanks): Generator<string> {
  for (let model = 0; model < ranks.modelParallel; model++) {
    const suffix = `mp_rank_${twoDigits(model)}`;
    if (ranks.zeroStage < 3) yield joinPath(tag.directory, `${suffix}_model_states.pt`);
    // Where no rank has files of its own, however many there are said to be, there is nothing to count.
    const count = ranks.zeroStage >= 3 || ranks.hasShards ? ranks.dataParallel : 0;
    for (let data = 0; data < count; data++) {
      if (ranks.zeroStage >= 3) yield joinPath(tag.directory, `zero_pp_rank_${data}_${suffix}_model_states.pt`);
      if (ranks.hasShards) yield joinPath(tag.directory, `${tag.shardPrefix}zero_pp_rank_${data}_${suffix}_optim_states.pt`);
    }
  }
}

/** Paths of the expert files of MoE layers, by how many experts each layer has. */
export function* expectedExpertFiles(tag: TagFiles, experts: readonly number[], modelParallel: number): Generator<string> {
  for (const [layerNumber, count] of experts.entries()) {
    for (let number = 0; number < count; number++) {
      for (let model = 0; model < modelParallel; model++)
        yield joinPath(tag.directory, `layer_${layerNumber}_expert_${number}_mp_rank_${twoDigits(model)}_model_states.pt`);
    }
  }
}

function twoDigits(rank: number): string {
  return String(rank).padStart(2, '0');
}
