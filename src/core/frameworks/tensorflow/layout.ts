/** Checkpoints of tf.train.Checkpoint, CheckpointManager and Saver, and the variables of a SavedModel. */
import { loadsAnywhere } from '../../checkpoints/reshard.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { Layout } from '../../checkpoints/layout.js';
import type { Listing } from '../../files/listing.js';
import type { Parts } from '../../checkpoints/parts.js';
import { readFiles } from '../../checkpoints/readFiles.js';

const indexName = /\.index$/;
const dataName = /^(.+)\.data-\d{5}-of-\d{5}$/s;

export const tensorFlow: Layout = {
  id: 'tensorflow',
  match(listing) {
    // Several directories with bundles are a checkpoint each.
    if (directoriesOfBundles(listing).size === 1 || hasBundle(listing, '')) return 0.85;
    return listing.has('saved_model.pb') || listing.hasMatch(/\.data-\d{5}-of-\d{5}$/) ? 0.6 : 0;
  },
  async read(context, listing) {
    const result = await readFiles(context, listing);
    const { parts } = result;
    parts.layout = this.id;
    parts.framework = { name: 'tensorflow', version: null };
    parts.step = stepOf(parts);
    if (!isGraphAlone(parts)) parts.expected = ['weights', 'optimizer', 'trainerState'];
    parts.reshard = loadsAnywhere('Variables are stored whole: any number of processes can load them.');
    noteMissingIndexes(parts, listing);
    return result;
  },
};

/**
 * The step of the newest bundle. The number in its name is the step where the caller gave it (`checkpoint_number`), else how many
 * saves there were, which is no more than the counter of steps in the bundle: the larger of the two.
 */
function stepOf({ files, metadata }: Parts): number | null {
  const indexes = files.filter((file) => file.format === 'tensor-bundle' && indexName.test(file.path)).map((file) => file.path);
  // The listing is in natural order: the last one is the newest.
  const newest = indexes.at(-1);
  if (newest === undefined) return null;
  const counter = Number(metadata.get(newest)?.get('step') ?? -1);
  const named = Number(/-(\d{1,15})\.index$/.exec(newest)?.[1] ?? -1);
  return Math.max(counter, named) < 0 ? null : Math.max(counter, named);
}

/** A SavedModel without variables: TensorFlow writes its bundle all the same, with the graph of objects alone. */
function isGraphAlone({ files, tensors }: Parts): boolean {
  const isSaved = files.some(({ path }) => baseName(path) === 'saved_model.pb');
  const bundles = files.filter(({ format }) => format === 'tensor-bundle');
  if (!isSaved || bundles.length === 0 || bundles.some(({ isUnreadable }) => isUnreadable === true)) return false;
  for (let row = 0; row < tensors.size; row++) if (tensors.componentOf(row) !== 'trainerState') return false;
  return true;
}

/** Data without an index cannot be read. */
function noteMissingIndexes(parts: Parts, listing: Listing): void {
  const missing = new Set<string>();
  for (const { path } of listing.entries) {
    const prefix = dataName.exec(path)?.[1];
    if (prefix !== undefined && listing.entry(`${prefix}.index`) === undefined)
      missing.add(joinPath(parentPath(path), `${baseName(prefix)}.index`));
  }
  for (const file of missing)
    parts.findings.push({
      code: 'file-missing',
      facts: { file, detail: 'without it the variables in the data are unknown' },
    });
}

function directoriesOfBundles(listing: Listing): Set<string> {
  const directories = [...listing.directories.keys()];
  return new Set(directories.filter((directory) => hasBundle(listing, directory)));
}

/** Data with their index beside them. */
function hasBundle(listing: Listing, directory: string): boolean {
  const paths = listing.directories.get(directory) ?? [];
  const indexes = new Set(paths.filter((path) => indexName.test(path)));
  return paths.some((path) => indexes.has(`${dataName.exec(path)?.[1] ?? ''}.index`));
}
