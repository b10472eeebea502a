/** Models that lie in one directory as a file each, or as numbered shards of one name. */
import { findFileSets } from '../../checkpoints/fileSets/fileSets.js';
import type { FileEntry } from '../../files/fileTree.js';
import { Listing } from '../../files/listing.js';
import { baseName } from '../../files/paths.js';
import { detectLayout } from '../../frameworks/detectLayout.js';
import { fileRoles } from '../../frameworks/layouts.js';
import type { ComponentId } from '../../tensors/component.js';
import type { LayoutId } from '../../text/frameworkLabels.js';

/** Layouts in which each file is a model by itself. Files of torch and Keras beside each other are as often parts of one. */
const fileLayouts: ReadonlySet<LayoutId> = new Set(['gguf', 'safetensors-file']);

/** Readers of files that hold tensors. */
const modelReaders: ReadonlySet<string> = new Set(['safetensors', 'torch', 'hdf5', 'keras', 'nemo', 'gguf', 'msgpack']);

/** Archives of arrays by the names that programs give to parameters: `numpy.savez` has none of its own for a model. */
const modelArchive = /(?:^|[/._-])(?:params?|weights|model|variables|checkpoint|ckpt)(?:[._-][\w.-]*)?\.npz$/i;

/** True for a file that is read as part of a checkpoint, by its name. */
export function isModelFile(path: string): boolean {
  return (modelReaders.has(fileRoles.of(path).reader) && !/\.(pkl|pickle)$/i.test(path)) || modelArchive.test(path);
}

/** True where a file, or a set of files, is read as part of a checkpoint, by the names. */
export function holdsModel(listing: Listing): boolean {
  return listing.entries.some(({ path }) => isModelFile(path)) || findFileSets(listing, fileRoles).length > 0;
}

/** What a file with the parameters of a model may be by its name: state of a run alone is no model. */
const modelComponents: ReadonlySet<ComponentId> = new Set<ComponentId>(['weights', 'ema', 'unexplained']);
const looseLayouts: ReadonlySet<LayoutId> = new Set<LayoutId>(['unknown', 'numpy']);

/** True for a file that, alone in a directory, is a model by its name: not the state of a trainer, and no arrays of any kind. */
export function isOwnModel(path: string): boolean {
  const { component, reader, role } = fileRoles.of(path);
  if (!modelComponents.has(component) || (reader === 'none' && role !== 'model') || /\.(pkl|pickle)$/i.test(path)) return false;
  const name = baseName(path);
  return !looseLayouts.has(detectLayout(new Listing(name, [{ path: name, sizeBytes: 0, modifiedMs: null }])).id);
}

/** Formats into which a model is converted for use: no trainer writes them among the files of a save. */
const convertedName = /\.(gguf|onnx|tflite)$/i;

/**
 * True where the directory itself has converted models, and no state or weights as a trainer names them: a checkpoint in a directory beside
 * these is another one. Files of torch may be of either.
 */
export function holdsModelsAlone(entries: readonly FileEntry[]): boolean {
  const files = entries.filter(({ path }) => !path.includes('/') && (isModelFile(path) || convertedName.test(path)));
  const isFree = ({ path }: FileEntry): boolean => convertedName.test(path) || fileRoles.of(path).role === 'torch-file';
  return files.every(isFree) && files.some(({ path }) => convertedName.test(path));
}

/** True where a file, or a set of files, is a model of its own by the names. */
export function holdsOwnModel(listing: Listing): boolean {
  return listing.entries.some(({ path }) => isOwnModel(path)) || findFileSets(listing, fileRoles).length > 0;
}

/**
 * The files of each model, by its name; undefined where they are parts of one: an optimizer beside a model, or any name that a
 * framework gives its files.
 */
export function modelFilesOf(layout: LayoutId, entries: readonly FileEntry[]): Map<string, FileEntry[]> | undefined {
  if (!fileLayouts.has(layout)) return undefined;
  const models = new Map<string, FileEntry[]>();
  for (const entry of entries) {
    if (entry.path.includes('/') || !isModelFile(entry.path)) continue;
    const { role } = fileRoles.of(entry.path);
    if (!ownRoles.has(role)) return undefined;
    const stem = modelStem(entry.path);
    models.set(stem, [...(models.get(stem) ?? []), entry]);
  }
  return models.size < 2 ? undefined : models;
}

/** Roles that say nothing of what lies beside the file. */
const ownRoles: ReadonlySet<string> = new Set(['tensors', 'torch-file', 'model-weights', 'multimodal-projector']);

/** The name without its number in a set of shards, whatever its case. */
export function modelStem(path: string): string {
  return baseName(path)
    .replace(/[-_.]\d{1,6}[-_]of[-_]\d{1,6}(?=\.)/i, '')
    .toLowerCase();
}
