/**
 * OLMo and OLMo-core. OLMo-core: `.metadata.json`, `config.json`, a distributed checkpoint in `model_and_optim/` and `train/rank<r>.pt`
 * (olmo_core/train/checkpoint.py). OLMo: `model.pt`, `optim.pt`, `train.pt` in one process' files, or the three by rank (olmo/checkpoint.py).
 */
import { loadsAnywhere, loadsConverted } from '../../checkpoints/reshard.js';
import { appendAll } from '../../bytes/appendAll.js';
import { baseName, parentPath } from '../../files/paths.js';
import { member } from '../../formats/pickle/pickleAccess.js';
import { directoryLayout } from '../../checkpoints/layouts/directoryLayout.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import { olmoOwnRoles } from './roles.js';
import type { Listing } from '../../files/listing.js';
import type { Parts } from '../../checkpoints/parts.js';
import { findMissingRankFiles, findMixedSteps } from '../../checkpoints/layouts/rankChecks.js';
import type { ReadResult } from '../../checkpoints/readFiles.js';
import { findOtherStep } from '../../checkpoints/layouts/namedSteps.js';
import { countOf, pickledRoots } from '../../checkpoints/layouts/stateSteps.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';

const rankName = /^rank(\d{1,7})\.pt$/;
/** Directories with a file for each rank; empty for OLMo's oldest sharded format. */
const rankDirectories = new Set(['train', 'model', 'optim', '']);

export const olmo = directoryLayout(
  'olmo',
  matchOlmo,
  (result, listing) => {
    const { parts } = result;
    parts.expected = ['weights', 'optimizer', 'rng', 'trainerState'];
    parts.framework = frameworkOf(result);
    parts.step = stepOfName(listing.rootName.replace(/-unsharded$/, ''));
    describeRanks(parts, listing.rootName);
  },
  olmoOwnRoles,
);

function matchOlmo(listing: Listing): number {
  const has = (path: string): boolean => listing.entry(path) !== undefined;
  const isDistributed = listing.directories.has('model_and_optim') && listing.directories.has('train');
  if (has('.metadata.json') && (isDistributed || has('train/rank0.pt'))) return 0.95;
  const isByRank = ['model', 'optim', 'train'].every((directory) => hasRankFile(listing, directory));
  if (isDistributed || isByRank) return 0.9;
  const hasTrainer = has('train.pt') || has('other.pt');
  return hasTrainer && (has('model.pt') || has('model.safetensors')) ? 0.9 : 0;
}

function hasRankFile(listing: Listing, directory: string): boolean {
  return listing.directories.get(directory)?.some((path) => rankName.test(baseName(path))) === true;
}

function frameworkOf({ side }: ReadResult): { name: string; version: string | null } {
  const metadata = side.json.get('.metadata.json');
  const version = memberOf(metadata, 'version');
  return { name: metadata === undefined ? 'olmo' : 'olmo-core', version: typeof version === 'string' ? version : null };
}

function describeRanks(parts: Parts, rootName: string): void {
  const roots = pickledRoots(parts.objects);
  const directories = new Map<string, Set<string>>();
  const steps: { path: string; step: number | null }[] = [];
  let worldSize = 0;
  for (const file of parts.files) {
    const directory = parentPath(file.path);
    const root = roots.get(file.path);
    if (member(root, 'global_step') !== undefined) {
      steps.push({ path: file.path, step: countOf(member(root, 'global_step')) });
      worldSize = Math.max(worldSize, countOf(member(root, 'world_size')) ?? 0);
    }
    const rank = rankName.exec(baseName(file.path))?.[1];
    if (rank === undefined || !rankDirectories.has(directory)) continue;
    file.rank = String(Number(rank));
    worldSize = Math.max(worldSize, Number(rank) + 1);
    directories.set(directory, (directories.get(directory) ?? new Set()).add(file.path));
  }
  const stated = steps.find(({ step }) => step !== null);
  parts.step = stated?.step ?? parts.step;
  if (stated !== undefined)
    appendAll(parts.findings, findOtherStep({ name: rootName, ...stated }, /^step(\d{1,15})(?:-unsharded)?$/));
  appendAll(parts.findings, findMixedSteps(steps));
  if (worldSize > 0) parts.topology = { ...parts.topology, worldSize };
  for (const [directory, paths] of directories)
    appendAll(
      parts.findings,
      findMissingRankFiles(ranksIn(directory, worldSize), (path) => paths.has(path), worldSize),
    );
  const isByRank = directories.has('model') || directories.has('');
  parts.reshard = isByRank
    ? loadsConverted(
        `Each rank loads its own file (${worldSize}); unshard.py puts them together for another number.`,
        'python scripts/unshard.py SAVED CONVERTED',
      )
    : loadsAnywhere('Model and optimizer load with any number of processes; the loader’s position is fitted to it.');
}

function* ranksIn(directory: string, count: number): Generator<string> {
  for (let rank = 0; rank < count; rank++) yield directory === '' ? `rank${rank}.pt` : `${directory}/rank${rank}.pt`;
}
