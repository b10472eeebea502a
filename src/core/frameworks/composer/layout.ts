/**
 * Composer (MosaicML): `ep<epoch>-ba<batch>-rank<rank>.pt`, one file of the first rank, or of each with sharded states; since the distributed
 * format a directory `ep<epoch>-ba<batch>` (composer/utils/checkpoint.py).
 */
import { loadsAnywhere, loadsAsSaved } from '../../checkpoints/reshard.js';
import { appendAll } from '../../bytes/appendAll.js';
import { itemsOf, member } from '../../formats/pickle/pickleAccess.js';
import { confidenceOfSaves, directoryLayout } from '../../checkpoints/layouts/directoryLayout.js';
import { worldSizeOf } from '../torchDistributed/layout.js';
import type { Listing } from '../../files/listing.js';
import type { Parts } from '../../checkpoints/parts.js';
import { findMixedSteps } from '../../checkpoints/layouts/rankChecks.js';
import { findRankGaps } from '../../checkpoints/layouts/rankNames.js';
import { pickledRoots } from '../../checkpoints/layouts/stateSteps.js';
import { findOtherStep } from '../../checkpoints/layouts/namedSteps.js';
import { stepOfName } from '../../checkpoints/runs/stepOfName.js';
import { torchDictOf } from '../../checkpoints/torchDicts.js';

const rankName = /^(ep\d+-ba\d+(?:-\w+)*-rank)(\d{1,7})\.pt$/;
const directoryName = /^ep\d+-ba(\d+)/;

export const composer = directoryLayout('composer', matchComposer, (result, listing) => {
  const { parts } = result;
  parts.framework = { name: 'composer', version: null };
  parts.expected = ['weights', 'optimizer', 'scheduler', 'rng', 'dataLoader'];
  parts.step = stepOfName(directoryName.exec(listing.rootName)?.[1] ?? '');
  parts.topology = { ...parts.topology, worldSize: worldSizeOf(parts) };
  parts.reshard = loadsAnywhere('Any number of processes can load it.');
  describeRanks(parts);
});

function matchComposer(listing: Listing): number {
  if (directoryName.test(listing.rootName) && listing.has('.metadata')) return 0.95;
  const saves = new Set<string>();
  for (const { path } of listing.entries) {
    const save = rankName.exec(path)?.[1];
    if (save !== undefined) saves.add(save);
  }
  return confidenceOfSaves(saves);
}

function describeRanks(parts: Parts): void {
  const roots = pickledRoots(parts.objects);
  const saves = new Map<string, Map<number, string>>();
  const steps = new Map<string, { path: string; step: number | null }[]>();
  for (const file of parts.files) {
    const [, save, rank] = rankName.exec(file.path) ?? [];
    if (save === undefined) continue;
    file.rank = String(Number(rank));
    saves.set(save, (saves.get(save) ?? new Map<number, string>()).set(Number(rank), file.path));
    const root = roots.get(file.path);
    const dict = root === undefined ? undefined : torchDictOf(root);
    const files = steps.get(save) ?? [];
    steps.set(save, files);
    const stated = { path: file.path, step: dict?.step ?? null };
    files.push(stated);
    appendAll(parts.findings, findOtherStep({ name: file.path, ...stated }, /^ep\d+-ba(\d{1,15})-rank0\.pt$/));
    if (dict === undefined) continue;
    parts.framework = { name: 'composer', version: dict.version };
    parts.step = Math.max(parts.step ?? 0, dict.step ?? 0);
    // Every rank's RNG state is gathered into each file.
    const worldSize = itemsOf(member(root, 'rng'))?.length ?? 0;
    if (worldSize > 0) parts.topology = { ...parts.topology, worldSize };
  }
  for (const [save, paths] of saves)
    appendAll(
      parts.findings,
      findRankGaps(paths, (rank) => `${save}${rank}.pt`),
    );
  for (const files of steps.values()) appendAll(parts.findings, findMixedSteps(files));
  if ([...saves.values()].some((paths) => paths.size > 1))
    parts.reshard = loadsAsSaved('Each rank loads the file that it saved: the same number of processes.');
}
