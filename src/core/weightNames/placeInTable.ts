/** What a tensor holds by the table of a dialect. */
import type { DetailedEntry, Dialect, Entry } from './dialects/dialect.js';
import { nameOfRole, type Role } from './roles.js';
import { splitName } from './splitName.js';
import type { WeightPlace } from './weightPlace.js';

/** The entry for a name, and how the name comes to it. */
export interface Found {
  /** The key in `modules` or `parameters`. */
  key: string;
  entry: Entry;
  leaf: string;
  isStackedLayers: boolean;
}

/** The entry of a table for a pattern without wrappers; null for what it does not have. */
export function findInTable(table: Dialect, name: string): Found | null {
  return findExactly(table, name) ?? (name.startsWith('model.') ? findExactly(table, name.slice('model.'.length)) : null);
}

function findExactly(table: Dialect, name: string): Found | null {
  const { path, isStackedLayers } = withLayerNumber(table, name.replaceAll('_N.', '.N.'));
  const { module, leaf } = splitName(path);
  const parameter = own(table.parameters, path);
  if (parameter !== undefined) return { key: path, entry: parameter, leaf, isStackedLayers };
  const entry = own(table.modules, module);
  return entry === undefined || leafIn(table, leaf) === undefined ? null : { key: module, entry, leaf, isStackedLayers };
}

/** `decoder.layers.N.mlp…` of `decoder.layers.mlp…`, whose layers are an axis. */
function withLayerNumber({ stacks = [] }: Dialect, name: string): { path: string; isStackedLayers: boolean } {
  const stack = stacks.find((prefix) => name.startsWith(`${prefix}.`) && !name.startsWith(`${prefix}.N.`));
  if (stack === undefined) return { path: name, isStackedLayers: false };
  return { path: `${stack}.N${name.slice(stack.length)}`, isStackedLayers: true };
}

/** Names of files are no keys of a prototype. */
function own<Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

function leafIn({ leaves = {} }: Dialect, leaf: string): 'weight' | 'bias' | undefined {
  return leaf === 'weight' || leaf === 'bias' ? leaf : own(leaves, leaf);
}

/** The place of a tensor in a model of transformers of that type. */
export function placeOfFound(
  table: Dialect,
  { entry, leaf, isStackedLayers }: Found,
  modelType: string | undefined,
): WeightPlace {
  const details: DetailedEntry = isDetailed(entry) ? entry : { roles: typeof entry === 'string' ? [entry] : entry };
  const type = modelType ?? table.defaultType;
  const names = [...new Set(details.roles.map((role: Role) => nameOfRole(role, leafIn(table, leaf) ?? 'weight', type)))];
  return {
    names,
    ...(isStackedLayers && { isStackedLayers }),
    ...(isStackedLayers && table.layerAxis !== undefined && { layerAxis: table.layerAxis }),
    ...(details.isStackedExperts === true && { isStackedExperts: true }),
    ...((details.isTransposed === true || table.transposedLeaves?.includes(leaf) === true) && { isTransposed: true }),
    ...(details.isInterleaved === true && names.length > 1 && { isInterleaved: true }),
    ...(table.firstLayer !== undefined && names.some((name) => name.includes('.N.')) && { firstLayer: table.firstLayer }),
  };
}

function isDetailed(entry: Entry): entry is DetailedEntry {
  return typeof entry === 'object' && 'roles' in entry;
}
