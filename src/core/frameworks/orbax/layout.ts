/**
 * Orbax: one step's directory with its items, or a single item (orbax/checkpoint, `_src/path/step.py`, `_src/handlers`,
 * `_src/metadata`). Arrays lie in OCDBT databases or zarr directories, which are file sets of their own; here is what the files
 * beside them say. A bare OCDBT database of TensorStore's is read as an item without metadata.
 */
import { appendAll } from '../../bytes/appendAll.js';
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import { moveStateBesideParams } from '../jax/besideParams.js';
import { roleOfOrbaxFile } from '../../checkpoints/roles/jaxRoles.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Listing } from '../../files/listing.js';
import { findRenamedStep, stepOfOrbaxName } from './stepName.js';
import { findOrbaxTrouble, STEP_METADATA, TREE_METADATA } from './orbaxFindings.js';
import { readFiles, type ReadResult } from '../../checkpoints/readFiles.js';

const MANIFEST = 'manifest.ocdbt';
/** `array_metadatas/process_3`, Grain's `process_3-of-8.json`. */
const processFile = /^process_(\d{1,7})(?:-of-(\d{1,7})\.json)?$/;

export const orbax: Layout = {
  id: 'orbax',
  match(listing) {
    if (listing.has(STEP_METADATA) || listing.has('orbax.checkpoint')) return 0.95;
    if (listing.has(TREE_METADATA)) return 0.9;
    if (listing.has(MANIFEST)) return 0.85;
    return hasItems(listing) ? 0.85 : 0;
  },
  async read(context, listing) {
    const result = await readFiles(context, listing, {
      of: (path) => roleOfOrbaxFile(path) ?? context.roles.of(path),
    });
    const { parts } = result;
    const isOrbax = parts.files.some(({ path }) => /(^|\/)_(CHECKPOINT_)?METADATA$/.test(path)) || !listing.has(MANIFEST);
    parts.layout = this.id;
    parts.framework = { name: isOrbax ? 'orbax' : 'tensorstore', version: null };
    parts.step = stepOfOrbaxName(listing.rootName);
    // A bare database may hold any arrays, and none.
    if (isOrbax) parts.expected = ['weights', 'optimizer', 'rng', 'dataLoader'];
    parts.reshard = loadsAnywhere(
      'Arrays are stored with their global shapes: they can be restored onto any mesh and any number of processes.',
    );
    moveStateBesideParams(parts, treesOf(listing));
    readProcesses(result);
    if (isOrbax) {
      findOrbaxTrouble(result, listing);
      appendAll(parts.findings, findRenamedStep(result.side, listing));
    }
    return result;
  },
};

/** Directories with the metadata of a tree; the whole where there are none. */
function treesOf(listing: Listing): Set<string> {
  const trees = new Set<string>();
  for (const { path } of listing.entries) if (baseName(path) === TREE_METADATA) trees.add(parentPath(path));
  return trees.size === 0 ? new Set(['']) : trees;
}

/** A step of before there were metadata of checkpoints: items with names that are no step's. */
function hasItems(listing: Listing): boolean {
  for (const [directory, paths] of listing.directories) {
    if (directory === '' || parentPath(directory) !== '' || stepOfOrbaxName(directory) !== null) continue;
    if (paths.some((path) => baseName(path) === TREE_METADATA || baseName(path) === MANIFEST)) return true;
  }
  return false;
}

/** Each process has files of its own, and those of data loaders say of how many. A database that is gone the merged one misses itself. */
function readProcesses({ parts }: ReadResult): void {
  let processes = 0;
  const loaders = new Map<string, Set<number>>();
  for (const file of parts.files) {
    const [, own, total] = processFile.exec(baseName(file.path)) ?? [];
    if (own !== undefined) file.rank ??= own;
    if (total !== undefined) {
      const group = joinPath(parentPath(file.path), `process_*-of-${total}.json`);
      loaders.set(group, (loaders.get(group) ?? new Set()).add(Number(own)));
      processes = Math.max(processes, Number(total));
    }
    if (/^\d{1,7}$/.test(file.rank ?? '')) processes = Math.max(processes, Number(file.rank) + 1);
  }
  if (processes === 0) return;
  parts.topology = { ...parts.topology, worldSize: processes };
  for (const [group, present] of loaders) noteMissingProcesses(parts, group, present);
}

function noteMissingProcesses(parts: ReadResult['parts'], group: string, present: ReadonlySet<number>): void {
  const total = Number(/-of-(\d+)/.exec(group)?.[1]);
  if (present.size >= total) return;
  const first = Array.from({ length: Math.min(total, 100_000) }, (_, number) => number)
    .filter((number) => !present.has(number))
    .slice(0, 5);
  const names = first.map((number) => group.replace('*', String(number)));
  parts.findings.push({
    code: 'rank-file-missing',
    facts: { files: total - present.size, ranks: total - present.size, worldSize: total, first: names.join(', ') },
  });
}
