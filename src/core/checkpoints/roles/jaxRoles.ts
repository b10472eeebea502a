/** What the files of Orbax, TensorStore, Grain and flax are for. */
import { parentPath } from '../../files/paths.js';
import type { Classifier } from '../../formats/sink/fileSink.js';
import type { ComponentId } from '../../tensors/component.js';
import { componentOfTreeLeaf } from '../../tensors/componentOfTree.js';
import { componentOfStateKey } from '../../tensors/stateKeys.js';
import type { FileRole, Rule } from './fileRule.js';

/** Names that no other framework gives its files. */
export const jaxRules: readonly Rule[] = [
  [/_CHECKPOINT_METADATA$/, 'metadata of the checkpoint', 'config', 'json'],
  [/_ROOT_METADATA$/, 'metadata of the run', 'config', 'json'],
  [/_METADATA$/, 'tree of the arrays', 'container', 'json'],
  [/_sharding$/, 'shardings of the arrays', 'container', 'none'],
  [/_strings\.json$/, 'texts of the tree', 'trainerState', 'json'],
  [/array_metadatas\/process_\w+$/, 'chunk sizes of the arrays', 'container', 'none'],
  [/commit_success\.txt$/, 'mark of a finished save', 'container', 'none'],
  [/orbax\.checkpoint$/, 'mark of a checkpoint', 'container', 'none'],
  [/process_\d+-of-\d+\.json$/, 'data loader position of one process', 'dataLoader', 'json'],
  [/\.(zgroup|zattrs|zmetadata)$/, 'metadata of arrays', 'container', 'none'],
  [/.+\.msgpack$/, 'flax state', 'weights', 'flaxMsgpack', leafOfTree],
  // Flax's own name, which says nothing of the format.
  [/checkpoint_\d+$/, 'not recognised', 'unexplained', 'sniff', leafOfTree],
];

/** A JSON item: one file in a directory of the item's name. */
const jsonItem = /(^|\/)metadata(\/data\.json)?$/;
const descriptor = /(^|\/)descriptor\/[^/]+$/;
/** Files of arrays, which their file sets read; here they get what their tensors are. */
const arrayFile = /(^|\/)(\.zarray|zarr\.json|manifest\.(ocdbt|[0-9a-f]{16})|(d|ocdbt_data|ocdbt_meta)\/[0-9a-f]{32})$/;

/** The role of a file of arrays, which are what the items around them are; undefined for any other. */
export function roleOfArrayFile(path: string): FileRole | undefined {
  if (!arrayFile.test(path)) return undefined;
  const around = itemPath(path);
  return {
    ...closed('data of arrays without their index', 'unexplained'),
    tensors: (keyPath) => componentOfTreeLeaf(around, keyPath),
  };
}

/** The role of a file whose name says something inside of an Orbax checkpoint only; undefined for any other. */
export function roleOfOrbaxFile(path: string): FileRole | undefined {
  if (descriptor.test(path)) return closed('description of the checkpoint', 'config');
  if (!jsonItem.test(path)) return undefined;
  return { ...closed('JSON item', componentOfItem(itemPath(path)) ?? 'trainerState'), reader: 'json', format: 'json' };
}

function leafOfTree(keyPath: readonly string[]): ReturnType<Classifier> {
  return componentOfTreeLeaf([], keyPath);
}

function closed(role: string, component: ComponentId): FileRole {
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
