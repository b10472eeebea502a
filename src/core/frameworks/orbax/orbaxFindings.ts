/**
 * What is wrong with an Orbax checkpoint, from the names of its files and the JSON beside the arrays: unfinished saves, items that are
 * gone, metadata without data and data without metadata. What is wrong inside of a database or an array its file set has found.
 */
import { appendAll } from '../../bytes/appendAll.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { Finding } from '../../findings/finding.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import type { Listing } from '../../files/listing.js';
import type { ReadResult } from '../../checkpoints/readFiles.js';
import { findMissingArrays } from './missingArrays.js';

/** Orbax writes into a directory of this name and renames it at the end (orbax/checkpoint/_src/path/atomicity_defaults.py). */
const temporarySuffix = '.orbax-checkpoint-tmp';
export const COMMIT_MARK = 'commit_success.txt';
export const STEP_METADATA = '_CHECKPOINT_METADATA';
export const TREE_METADATA = '_METADATA';

/** Keys of the checkpoint's metadata, all of which every finished save has (_src/metadata/step_metadata_serialization.py). */
const stepKeys = [
  'item_handlers',
  'metrics',
  'performance_metrics',
  'init_timestamp_nsecs',
  'commit_timestamp_nsecs',
  'custom_metadata',
];

/** Adds what is found to the parts. */
export function findOrbaxTrouble({ parts, side }: ReadResult, listing: Listing): void {
  const directories = directoriesOf(listing);
  const step = side.json.get(STEP_METADATA);
  const items = itemsOf(listing);
  const trouble = items.flatMap((item) => itemTrouble(item, listing, side.json.get(joinPath(item.directory, TREE_METADATA))));
  appendAll(parts.findings, unfinished(listing, directories, step));
  appendAll(parts.findings, stepMetadataTrouble(listing, directories, step, items));
  appendAll(parts.findings, trouble);
  for (const { directory, hasData } of items)
    if (hasData)
      appendAll(parts.findings, findMissingArrays(parts, listing, directory, side.json.get(joinPath(directory, TREE_METADATA))));
  nameMissingChunks(parts.findings, items, side.json);
}

/** All directories, also those that only hold others. */
function directoriesOf(listing: Listing): Set<string> {
  const found = new Set<string>();
  for (const directory of listing.directories.keys()) {
    for (let at = directory; at !== '' && !found.has(at); at = parentPath(at)) found.add(at);
  }
  return found;
}

function unfinished(listing: Listing, directories: ReadonlySet<string>, step: unknown): Finding[] {
  const reasons: string[] = [];
  if (listing.rootName.includes(temporarySuffix)) reasons.push('the directory still has the name of a running save');
  const temporary = [...directories].find((directory) => baseName(directory).includes(temporarySuffix));
  if (temporary !== undefined) reasons.push(`${temporary} still has the name of a running save`);
  if (memberOf(step, 'commit_timestamp_nsecs') === null) reasons.push(`${STEP_METADATA} has no commit time`);
  const isMarked = [...directories].some((directory) => listing.entry(joinPath(directory, COMMIT_MARK)) !== undefined);
  if (isMarked && !listing.has(COMMIT_MARK)) reasons.push(`its items have a ${COMMIT_MARK}, the checkpoint has none`);
  return reasons.length === 0 ? [] : [{ code: 'save-unfinished', facts: { detail: reasons.join('; ') } }];
}

function stepMetadataTrouble(
  listing: Listing,
  directories: ReadonlySet<string>,
  step: unknown,
  items: readonly Item[],
): Finding[] {
  if (!listing.has(STEP_METADATA)) {
    // An item alone, and arrays saved without a checkpoint around them, never had any.
    const isCheckpoint = listing.has('orbax.checkpoint') || items.some((item) => item.directory !== '');
    return isCheckpoint ? [{ code: 'checkpoint-metadata-missing', facts: { file: STEP_METADATA } }] : [];
  }
  if (step === undefined) return [];
  const lacking = stepKeys.filter((key) => memberOf(step, key) === undefined);
  const findings: Finding[] =
    lacking.length === 0
      ? []
      : [{ code: 'checkpoint-metadata-incomplete', path: STEP_METADATA, facts: { keys: lacking.join(', ') } }];
  const handlers = memberOf(step, 'item_handlers');
  const named = typeof handlers === 'object' && handlers !== null ? Object.keys(handlers) : [];
  for (const item of named) {
    // The descriptor is registered with every save and written by few.
    if (item !== 'descriptor' && !directories.has(item))
      findings.push({ code: 'item-missing', path: STEP_METADATA, facts: { item } });
  }
  return findings;
}

/** A tree of arrays with the files beside it. */
interface Item {
  directory: string;
  hasData: boolean;
}

/** Directories that hold a tree: by its metadata, or by data that ought to have some. */
function itemsOf(listing: Listing): Item[] {
  const items = new Map<string, Item>();
  const itemAt = (directory: string): Item => {
    const item = items.get(directory) ?? { directory, hasData: false };
    items.set(directory, item);
    return item;
  };
  for (const [directory, paths] of listing.directories) {
    const names = new Set(paths.map((path) => baseName(path)));
    if (names.has(TREE_METADATA) || names.has('_sharding')) itemAt(directory);
    if (names.has('manifest.ocdbt')) itemAt(databaseItem(directory)).hasData = true;
    if (baseName(directory) === 'array_metadatas') itemAt(parentPath(directory));
  }
  // Directories of arrays lie in their item, at any depth.
  for (const [directory, paths] of listing.directories) {
    if (!paths.some((path) => /^(\.zarray|zarr\.json)$/.test(baseName(path)))) continue;
    for (let at = directory; ; at = parentPath(at)) {
      const item = items.get(at);
      if (item !== undefined) item.hasData = true;
      if (item !== undefined || at === '') break;
    }
  }
  return [...items.values()];
}

function databaseItem(directory: string): string {
  return baseName(directory).startsWith('ocdbt.process_') ? parentPath(directory) : directory;
}

function itemTrouble({ directory, hasData }: Item, listing: Listing, tree: unknown): Finding[] {
  const file = joinPath(directory, TREE_METADATA);
  const findings: Finding[] = [];
  if (listing.entry(file) === undefined) findings.push({ code: 'tree-metadata-missing', facts: { file } });
  const leaves = leavesOf(tree);
  const isEmpty = tree !== undefined && leaves.every((leaf) => memberOf(leaf, 'skip_deserialize') === true);
  if (!hasData && !isEmpty) findings.push({ code: 'item-without-data', path: file, facts: { item: directory } });
  if (!hasData) return findings;
  const lacks = (name: string): boolean => listing.entry(joinPath(directory, name)) === undefined;
  const hasJaxArrays = leaves.some((leaf) => memberOf(leaf, 'value_type') === 'jax.Array');
  if (hasJaxArrays && lacks('_sharding'))
    findings.push({ code: 'shardings-missing', facts: { file: joinPath(directory, '_sharding') } });
  // Versions that note the shapes as written also write the files with the chunk sizes.
  const hasWriteShapes = leaves.some((leaf) => memberOf(leaf, 'write_shape') !== undefined);
  const metadatas = joinPath(directory, 'array_metadatas');
  if (hasWriteShapes && !listing.directories.has(metadatas))
    findings.push({ code: 'array-metadatas-missing', facts: { file: metadatas } });
  return findings;
}

/** What the tree's metadata say of each leaf. */
function leavesOf(tree: unknown): unknown[] {
  const nodes = memberOf(tree, 'tree_metadata');
  return typeof nodes === 'object' && nodes !== null ? Object.values(nodes).map((node) => memberOf(node, 'value_metadata')) : [];
}

/** Where a save stored all chunks, also those of zeros, one that is not there is lost. */
function nameMissingChunks(findings: Finding[], items: readonly Item[], json: ReadonlyMap<string, unknown>): void {
  const complete = items
    .map((item) => item.directory)
    .filter(
      (directory) => memberOf(json.get(joinPath(directory, TREE_METADATA)), 'store_array_data_equal_to_fill_value') === true,
    );
  findings.forEach((finding, index) => {
    if (finding.code !== 'chunks-not-stored') return;
    const { path = '' } = finding;
    if (complete.some((directory) => directory === '' || path.startsWith(`${directory}/`)))
      findings[index] = { ...finding, code: 'chunks-missing' };
  });
}
