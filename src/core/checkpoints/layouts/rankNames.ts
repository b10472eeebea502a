/** Files that say in their names which rank of how many wrote them: `model_world_size_8_rank_3.pt`, `consolidated.03.pth`. */
import { loadsAsSaved } from '../reshard.js';
import { appendAll } from '../../bytes/appendAll.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import type { Parts } from '../parts.js';
import { findMissingRankFiles } from './rankChecks.js';
import { findReplicas } from './replicas.js';
import { isReplicatedByName } from './replicatedNames.js';

const worldSizeName = /^(.*world_size_(\d{1,7})_rank_)(\d{1,7})(\D.*)?$/s;
const rankNumber = /(?:^|[_.-])rank[_-]?(\d{1,7})\.(?:pt|pth|bin|ckpt|safetensors)$/i;
const tensorRankName = /^consolidated\.(\d{2,7})\.pth$/;

/** Files of one directory that differ in nothing but the rank in their names. */
interface RankSet {
  nameOf: (rank: number) => string;
  worldSize: number;
  paths: Set<string>;
}

/** Ranks by `…_world_size_<n>_rank_<r>…`: the world size, whose file each is, and which of each kind are missing. */
export function describeWorldSizeNames(parts: Parts): void {
  const sets = new Map<string, RankSet>();
  for (const file of parts.files) {
    const [, start, size, rank, end = ''] = worldSizeName.exec(baseName(file.path)) ?? [];
    if (start === undefined) continue;
    file.rank = String(Number(rank));
    const directory = parentPath(file.path);
    const key = JSON.stringify([directory, start, end]);
    const nameOf = (number: number): string => joinPath(directory, `${start}${number}${end}`);
    const set = sets.get(key) ?? { nameOf, worldSize: Number(size), paths: new Set() };
    sets.set(key, set);
    set.paths.add(file.path);
  }
  if (sets.size === 0) return;
  const worldSize = [...sets.values()].reduce((largest, set) => Math.max(largest, set.worldSize), 0);
  parts.topology = { ...parts.topology, worldSize };
  noteRankFiles(parts);
  for (const { nameOf, worldSize: size, paths } of sets.values())
    appendAll(
      parts.findings,
      findMissingRankFiles(namesOf(size, nameOf), (path) => paths.has(path), size),
    );
}

/** A state by rank that says nothing of how many there are: FSDP's local state, and loops that save one file a process. */
export function describeRankNames(parts: Parts): void {
  if (parts.topology.worldSize !== null) return;
  const own = parts.files.filter(({ path }) => rankNumber.test(baseName(path)));
  const ranks = new Set(own.map(({ path }) => Number(rankNumber.exec(baseName(path))?.[1])));
  if (ranks.size < 2) return;
  for (const file of own) file.rank = String(Number(rankNumber.exec(baseName(file.path))?.[1]));
  parts.topology = { ...parts.topology, worldSize: ranks.size };
  noteRankFiles(parts);
}

/** Each process loads what it saved: nothing says how the pieces of several are put together. */
function noteRankFiles(parts: Parts): void {
  const { worldSize } = parts.topology;
  parts.reshard = loadsAsSaved(`Each rank loads the file that it saved: the same number of ranks (${worldSize ?? '?'}).`);
}

/**
 * Files of ranks that are numbered from 0 without saying how many there are: which are missing.
 * @param worldSize without it, as many as the largest number that is there tells
 */
export function findRankGaps(
  paths: ReadonlyMap<number, string>,
  nameOf: (rank: number) => string,
  worldSize: number = [...paths.keys()].reduce((largest, rank) => Math.max(largest, rank), 0) + 1,
): Finding[] {
  const isThere = new Set(paths.values());
  return findMissingRankFiles(namesOf(worldSize, nameOf), (path) => isThere.has(path), worldSize);
}

/** Meta's releases: a file for each tensor-parallel rank, all of which are needed. */
export function describeTensorRankNames(parts: Parts): void {
  const paths = new Map<number, string>();
  for (const file of parts.files) {
    const rank = tensorRankName.exec(file.path)?.[1];
    if (rank === undefined) continue;
    file.rank = `tp ${Number(rank)}`;
    paths.set(Number(rank), file.path);
  }
  if (paths.size === 0) return;
  const count = [...paths.keys()].reduce((largest, rank) => Math.max(largest, rank), 0) + 1;
  parts.framework = { name: 'meta-llama', version: null };
  parts.topology = { ...parts.topology, worldSize: count, tensorParallel: count };
  const ranks = new Map([...paths].map(([rank, path]) => [path, rank]));
  parts.replicas = findReplicas(parts, ({ name, shape, path }) => {
    const rank = ranks.get(path);
    return rank === undefined ? undefined : `${isReplicatedByName(name, shape) ? 'whole' : rank}\n${name}`;
  });
  parts.reshard = loadsAsSaved(
    `Meta’s loader wants as many processes as there are files (${count}); converters put them together.`,
  );
  appendAll(
    parts.findings,
    findRankGaps(paths, (rank) => `consolidated.${String(rank).padStart(2, '0')}.pth`),
  );
}

function* namesOf(count: number, nameOf: (rank: number) => string): Generator<string> {
  for (let rank = 0; rank < count; rank++) yield nameOf(rank);
}
