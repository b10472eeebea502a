/** What the files of Orbax, TensorStore, Grain and flax are for. */
import { baseName, parentPath } from '../../files/paths.js';
import type { Classifier } from '../../formats/sink/fileSink.js';
import type { ComponentId } from '../../tensors/component.js';
import { componentOfTreeLeaf } from '../../tensors/componentOfTree.js';
import { componentOfStateKey } from '../../tensors/stateKeys.js';
import type { FileRole, Rule } from './fileRule.js';
import type { RoleId } from '../../files/roleLabels.js';

/** Names that no other framework gives its files. */
export const jaxRules: readonly Rule[] = [
  [/_CHECKPOINT_METADATA$/, 'orbax-checkpoint-metadata', 'config', 'json'],
  [/_ROOT_METADATA$/, 'run-metadata', 'config', 'json'],
  [/_METADATA$/, 'array-tree', 'container', 'json'],
  [/_sharding$/, 'shardings', 'container', 'none'],
  [/_strings\.json$/, 'tree-texts', 'trainerState', 'json'],
  [/array_metadatas\/process_\w+$/, 'chunk-sizes', 'container', 'none'],
  [/commit_success\.txt$/, 'finish-mark', 'container', 'text'],
  [/orbax\.checkpoint$/, 'checkpoint-mark', 'container', 'none'],
  [/process_\d+-of-\d+\.json$/, 'data-loader-position-of-process', 'dataLoader', 'json'],
  [/\.(zgroup|zattrs|zmetadata)$/, 'arrays-metadata', 'container', 'none'],
  // Flax's own name, which says nothing of the format.
  [/checkpoint_\d+$/, 'unrecognised', 'unexplained', 'sniff', leafOfTree],
];

/** A JSON item: one file in a directory of the item's name. */
const jsonItem = /(^|\/)metadata(\/data\.json)?$/;
const descriptor = /(^|\/)descriptor\/[^/]+$/;
/** Files of arrays, which their file sets read; here they get what their tensors are. */
const arrayFile = /(^|\/)(\.zarray|zarr\.json|manifest\.(ocdbt|[0-9a-f]{16})|(d|ocdbt_data|ocdbt_meta)\/[0-9a-f]{32})$/;

/** The last part of each of them: most names are none, and their paths need not be searched. */
const arrayName = /^(\.zarray|zarr\.json|manifest\.[0-9a-z]+|[0-9a-f]{32})$/;

/** The role of a file of arrays, which are what the items around them are; undefined for any other. */
export function roleOfArrayFile(path: string): FileRole | undefined {
  if (!arrayName.test(baseName(path)) || !arrayFile.test(path)) return undefined;
  const around = itemPath(path);
  return {
    ...closed('unindexed-array-data', 'unexplained'),
    tensors: (keyPath) => componentOfTreeLeaf(around, keyPath),
  };
}

/** The role of a file whose name says something inside of an Orbax checkpoint only; undefined for any other. */
export function roleOfOrbaxFile(path: string): FileRole | undefined {
  if (descriptor.test(path)) return closed('checkpoint-description', 'config');
  if (!jsonItem.test(path)) return undefined;
  return { ...closed('json-item', componentOfItem(itemPath(path)) ?? 'trainerState'), reader: 'json', format: 'json' };
}

function leafOfTree(keyPath: readonly string[]): ReturnType<Classifier> {
  return componentOfTreeLeaf([], keyPath);
}

function closed(role: RoleId, component: ComponentId): FileRole {
  return { role, component, reader: 'none', tensors: component, format: 'other' };
}

/** The directories of a file below the last one that is a step's. */
function itemPath(path: string): string[] {
  const directories = parentPath(path).split('/');
  const step = directories.findLastIndex(
    (name) => /^(.*[_-])?\d+(\.orbax-checkpoint-tmp.*)?$/.test(name) && !name.startsWith('ocdbt.'),
  );
  return directories.slice(step + 1);
}

function componentOfItem(directories: readonly string[]): ComponentId | undefined {
  const name = directories.findLast((directory) => directory !== 'metadata') ?? '';
  if (/^(loader|dataset|data_iter|iter)$/.test(name)) return 'dataLoader';
  return directories.map((directory) => componentOfStateKey(directory)).find((component) => component !== undefined);
}
