/**
 * Arrays that the metadata of a tree list and that are not there: Orbax restores all leaves of a tree, or none
 * (orbax/checkpoint/_src/handlers/base_pytree_checkpoint_handler.py).
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import { baseName, joinPath } from '../../files/paths.js';
import type { Listing } from '../../files/listing.js';
import { NAMED_ARRAYS } from '../../findings/arrayFindings.js';
import type { Finding } from '../../findings/finding.js';
import { findingTable } from '../../findings/findingTable.js';
import { ZARR_2_NAME, ZARR_3_NAME } from '../../formats/zarr.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import type { Parts } from '../../checkpoints/parts.js';

/** Leaves with an array of their own; texts share one file (_src/metadata/value.py and tree/types.py). */
const arrayTypes: ReadonlySet<unknown> = new Set(['jax.Array', 'np.ndarray', 'scalar']);

interface Leaf {
  name: string;
  /** As written; 0 where the metadata have no shape. */
  elements: number;
}

/**
 * The finding for one item. `directory` is that of the tree and `tree` its metadata. Where arrays are in a database, one with an error
 * of its own is not compared: that error is the cause.
 */
export function findMissingArrays(parts: Parts, listing: Listing, directory: string, tree: unknown): Finding[] {
  const leaves = arraysOf(tree);
  if (leaves.length === 0) return [];
  const isStored = isDatabase(listing, directory) ? namesOfTensors(parts) : namesOfDirectories(listing, directory);
  const missing = isStored === undefined ? [] : leaves.filter(({ name }) => !isStored(name));
  if (missing.length === 0) return [];
  const source = joinPath(directory, '_METADATA');
  const first = missing.slice(0, NAMED_ARRAYS).map(({ name }) => name);
  const facts = {
    missing: missing.length,
    first: first.join(', '),
    source,
    elements: missing.reduce((sum, { elements }) => sum + elements, 0),
  };
  return [{ code: 'arrays-missing', path: source, facts }];
}

function arraysOf(tree: unknown): Leaf[] {
  const nodes = memberOf(tree, 'tree_metadata');
  if (typeof nodes !== 'object' || nodes === null) return [];
  return Object.values(nodes).flatMap((node): Leaf[] => {
    const value = memberOf(node, 'value_metadata');
    const name = nameOf(memberOf(node, 'key_metadata'));
    const isArray = arrayTypes.has(memberOf(value, 'value_type')) && memberOf(value, 'skip_deserialize') === false;
    return isArray && name !== undefined ? [{ name, elements: elementsOf(memberOf(value, 'write_shape')) }] : [];
  });
}

/** Keys joined with dots, as the names of the arrays are (_src/tree/utils.py: param_name_from_keypath). */
function nameOf(keys: unknown): string | undefined {
  if (!Array.isArray(keys)) return undefined;
  const parts = keys.map((key) => memberOf(key, 'key'));
  const isName = parts.length > 0 && parts.every((part) => typeof part === 'string' || typeof part === 'number');
  return isName ? parts.join('.') : undefined;
}

function elementsOf(shape: unknown): number {
  const isShape = Array.isArray(shape) && shape.every((size) => Number.isSafeInteger(size) && size >= 0);
  return isShape ? (elementCount(shape as number[]) ?? 0) : 0;
}

function isDatabase(listing: Listing, directory: string): boolean {
  const below = directory === '' ? '' : `${directory}/`;
  return listing.entries.some(({ path }) => path.startsWith(below) && baseName(path) === 'manifest.ocdbt');
}

function namesOfTensors({ tensors, findings }: Parts): ((name: string) => boolean) | undefined {
  if (findings.some(({ code }) => findingTable[code].severity === 'error')) return undefined;
  const names = new Set<string>();
  for (let row = 0; row < tensors.size; row++) names.add(tensors.nameOf(row));
  return (name) => names.has(name);
}

function namesOfDirectories(listing: Listing, directory: string): (name: string) => boolean {
  return (name) =>
    [ZARR_2_NAME, ZARR_3_NAME].some((marker) => listing.entry(joinPath(joinPath(directory, name), marker)) !== undefined);
}
