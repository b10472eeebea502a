/** What the files of Orbax, TensorStore and Grain are for, by their paths: names alone such as `metadata` and `process_0` say too little. */
import { parentPath } from '../files/paths.js';
import type { ComponentId } from '../tensors/component.js';
import { componentOfTreeLeaf } from '../tensors/componentOfTree.js';
import { componentOfStateKey } from '../tensors/stateKeys.js';
import type { FileRole } from './fileRole.js';

type Reader = 'json' | 'none';
type Rule = [pattern: RegExp, role: string, component: ComponentId, reader: Reader];

/** The first rule that matches the path from a directory on decides. */
const rules: Rule[] = [
  [/_CHECKPOINT_METADATA$/, 'metadata of the checkpoint', 'config', 'json'],
  [/_ROOT_METADATA$/, 'metadata of the run', 'config', 'json'],
  [/_METADATA$/, 'tree of the arrays', 'container', 'json'],
  [/_sharding$/, 'shardings of the arrays', 'container', 'none'],
  [/_strings\.json$/, 'texts of the tree', 'trainerState', 'json'],
  [/array_metadatas\/process_\w+$/, 'chunk sizes of the arrays', 'container', 'none'],
  [/commit_success\.txt$/, 'mark of a finished save', 'container', 'none'],
  [/orbax\.checkpoint$/, 'mark of a checkpoint', 'container', 'none'],
  [/descriptor\/.+$/, 'description of the checkpoint', 'config', 'none'],
  [/process_\d+-of-\d+\.json$/, 'data loader position of one process', 'dataLoader', 'json'],
  [/\.(zgroup|zattrs|zmetadata)$/, 'metadata of arrays', 'container', 'none'],
];

/** A JSON item: one file in a directory of the item's name. */
const jsonItem = /(^|\/)metadata(\/data\.json)?$/;
/** Files of arrays, which their file sets read; here they get what their tensors are. */
const arrayFile = /(^|\/)(\.zarray|zarr\.json|manifest\.(ocdbt|[0-9a-f]{16})|(d|ocdbt_data|ocdbt_meta)\/[0-9a-f]{32})$/;

const compiled = rules.map(([pattern, ...rest]) => [new RegExp(`(?:^|/)${pattern.source}`), ...rest] as const);

/** The role of a file that JAX's libraries write; undefined for any other. */
export function roleOfJaxFile(path: string): FileRole | undefined {
  const rule = compiled.find(([pattern]) => pattern.test(path));
  if (rule !== undefined) return roleOf(rule[1], rule[2], rule[3]);
  if (!arrayFile.test(path)) return undefined;
  const around = itemPath(path);
  return {
    ...roleOf('data of arrays without their index', 'unexplained', 'none'),
    tensors: (keyPath) => componentOfTreeLeaf(around, keyPath),
  };
}

/** The role of the file of a JSON item; undefined for any other. Its name says too little outside of an Orbax checkpoint. */
export function roleOfJsonItem(path: string): FileRole | undefined {
  return jsonItem.test(path) ? roleOf('JSON item', componentOfItem(itemPath(path)) ?? 'trainerState', 'json') : undefined;
}

function roleOf(role: string, component: ComponentId, reader: Reader): FileRole {
  return { role, component, reader, tensors: component, format: reader === 'json' ? 'json' : 'text' };
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
