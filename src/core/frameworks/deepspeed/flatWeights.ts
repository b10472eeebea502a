/**
 * Where each parameter of ZeRO-3 is in the partitions of all ranks. Each parameter is cut into as many equal shares as there are ranks, and each
 * rank has its shares one after the other, in the order of `param_shapes`, across its flat groups; frozen ones it has by name
 * (deepspeed/utils/zero_to_fp32.py: GatheredTensor, _zero3_merge_trainable_params, _zero3_merge_frozen_params).
 */
import { elementCount } from '../../bytes/checkedInteger.js';
import { countOf } from '../../checkpoints/layouts/stateSteps.js';
import type { Parts } from '../../checkpoints/parts.js';
import { entriesOf, itemsOf, member, numbersOf } from '../../formats/pickle/pickleAccess.js';
import type { PickleValue } from '../../formats/pickle/pickleValue.js';
import { tensorOf } from '../../formats/torch/torchTensor.js';
import { bitsOfDtype } from '../../tensors/dtype.js';
import type { FlatGroups, FlatPlace, FlatShares } from '../../tensors/flatShares.js';
import type { RankFile, TagFiles } from './deepspeedFiles.js';

const flatGroups = 'optimizer_state_dict.fp32_flat_groups.';
const fragments = 'frozen_param_fragments.';

/**
 * The shares of each parameter, by its name, and the rows that are nothing but such shares. Empty where files of a rank are not there, ranks
 * have partitions of several sizes, or several model-parallel ranks have parts of one parameter.
 */
export function flatWeights(
  parts: Parts,
  tags: readonly TagFiles[],
  roots: ReadonlyMap<string, PickleValue>,
): { shares: Map<string, FlatShares>; rows: Map<string, number> } {
  const found = { shares: new Map<string, FlatShares>(), rows: new Map<string, number>() };
  const [tag, ...others] = tags;
  if (tag === undefined || others.length > 0) return found;
  const [states, shards] = [rankedRoots(tag.modelStates, roots), rankedRoots(tag.shards, roots)];
  const [state] = states ?? [];
  if (states === undefined || shards === undefined || state === undefined || states.length !== shards.length) return found;
  const places = new Places(parts);
  const ranks = shards.length;
  const groups = groupsOf(shards, places);
  const trained = elementsByName(itemsOf(member(state.root, 'param_shapes')) ?? []);
  if (groups !== undefined && trained !== undefined) addTrained(found.shares, trained, groups);
  const kept = states.map(({ path, root }) => ({ path, values: valuesByName(member(root, 'frozen_param_fragments')) }));
  for (const [name, elements] of elementsByName([member(state.root, 'frozen_param_shapes')]) ?? []) {
    const shareElements = Math.ceil(elements / ranks);
    const own = alike(kept.map(({ path, values }) => [places.of(path, `${fragments}${name}`, values.get(name))]));
    if (own?.ends[0] !== shareElements) continue;
    found.shares.set(name, { groups: own, start: 0, shareElements });
    const row = places.rowOf(`${fragments}${name}`);
    if (row !== undefined) found.rows.set(name, row);
  }
  return found;
}

interface RankRoot {
  path: string;
  root: PickleValue;
}

/** By rank; undefined unless all data-parallel ranks of one model-parallel rank are there and were read. */
function rankedRoots(files: readonly RankFile[], roots: ReadonlyMap<string, PickleValue>): RankRoot[] | undefined {
  const ranked: RankRoot[] = [];
  for (const { path, data, model } of files) {
    const root = roots.get(path);
    if (root === undefined || data === null || data >= files.length || model !== files[0]?.model) return undefined;
    ranked[data] = { path, root };
  }
  return Object.keys(ranked).length === files.length ? ranked : undefined;
}

/** The flat groups of all ranks, where these have one partition each. */
function groupsOf(shards: readonly RankRoot[], places: Places): FlatGroups | undefined {
  const own = shards.map(({ path, root }) => {
    const state = member(root, 'optimizer_state_dict');
    if (countOf(member(state, 'partition_count')) !== shards.length) return [];
    return (itemsOf(member(state, 'fp32_flat_groups')) ?? []).map((item, at) => places.of(path, `${flatGroups}${at}`, item));
  });
  return alike(own);
}

interface PlacedFlat extends FlatPlace {
  dtype: string;
  elements: number;
}

/** Undefined unless all ranks have flat tensors of the same types and sizes. */
function alike(ranks: readonly (readonly (PlacedFlat | undefined)[])[]): FlatGroups | undefined {
  const [first = []] = ranks;
  const [{ dtype } = { dtype: '' }] = first;
  const ends: number[] = [];
  for (const [at, group] of first.entries()) {
    const areAlike = ranks.every((own) => own.length === first.length && own[at]?.elements === group?.elements);
    if (group === undefined || !areAlike || !ranks.every((own) => own[at]?.dtype === dtype)) return undefined;
    ends.push((ends.at(-1) ?? 0) + group.elements);
  }
  if (ends.length === 0) return undefined;
  return { dtype, ends, ranks: ranks.map((own) => own.map((place) => ({ file: place?.file ?? 0, offset: place?.offset ?? 0 }))) };
}

/** Of dicts of shapes, in their order; undefined for a damaged one. */
function elementsByName(dicts: readonly (PickleValue | undefined)[]): Map<string, number> | undefined {
  const elements = new Map<string, number>();
  for (const dict of dicts) {
    const entries = entriesOf(dict);
    for (const [at, name] of (entries?.keys ?? []).entries()) {
      const sizes = numbersOf(entries?.values[at]);
      const count = sizes === undefined ? undefined : elementCount(sizes);
      if (typeof name !== 'string' || count === undefined) return undefined;
      elements.set(name, count);
    }
  }
  return elements;
}

function valuesByName(dict: PickleValue | undefined): Map<PickleValue, PickleValue | undefined> {
  const entries = entriesOf(dict);
  return new Map(entries?.keys.map((name, at) => [name, entries.values[at]]));
}

/** Adds nothing where the shares are not all that the groups have, as zero_to_fp32.py refuses that. */
function addTrained(shares: Map<string, FlatShares>, trained: ReadonlyMap<string, number>, groups: FlatGroups): void {
  const ranks = groups.ranks.length;
  let start = 0;
  const own: [string, FlatShares][] = [];
  for (const [name, elements] of trained) {
    const shareElements = Math.ceil(elements / ranks);
    own.push([name, { groups, start, shareElements }]);
    start += shareElements;
  }
  if (start === groups.ends.at(-1)) for (const [name, share] of own) shares.set(name, share);
}

/** Where the storages of flat tensors are, by name and file. */
class Places {
  /** Rows by name; null for a name of several rows. */
  private readonly rows = new Map<string, number | null>();
  /** Pieces by file, of each row that was looked up: a row has a piece of each rank. */
  private readonly pieces = new Map<number, Map<number, number>>();
  private readonly fileNumbers: Map<string, number>;

  constructor(private readonly parts: Parts) {
    const { tensors, files } = parts;
    this.fileNumbers = new Map(files.map(({ path }, number) => [path, number]));
    for (let row = 0; row < tensors.size; row++) {
      const name = tensors.nameOf(row);
      if (!name.startsWith(flatGroups) && !name.startsWith(fragments)) continue;
      this.rows.set(name, this.rows.has(name) ? null : row);
    }
  }

  /** The row of a name that is no other row's. */
  rowOf(name: string): number | undefined {
    return this.rows.get(name) ?? undefined;
  }

  /** A tensor of one axis in a file; undefined where its elements are not there one after the other. */
  of(path: string, name: string, value: PickleValue | undefined): PlacedFlat | undefined {
    const [tensor, file, row] = [tensorOf(value), this.fileNumbers.get(path), this.rowOf(name)];
    if (tensor === undefined || file === undefined || row === undefined) return undefined;
    const { dtype, shape, strides, storageOffset, wrapper, isShard } = tensor;
    const [elements = 0, ...axes] = shape;
    const itemBytes = (bitsOfDtype(dtype) ?? 0) / 8;
    if (axes.length > 0 || wrapper !== undefined || isShard || (strides?.[0] ?? 1) !== 1 || !(itemBytes >= 1)) return undefined;
    const piece = this.piecesOf(row).get(file);
    if (piece === undefined) return undefined;
    const { tensors } = this.parts;
    const isThere =
      tensors.pieceLogicalSize(piece) === tensors.pieceSize(piece) &&
      (storageOffset + elements) * itemBytes <= tensors.pieceSize(piece);
    return isThere ? { file, offset: tensors.pieceOffset(piece) + storageOffset * itemBytes, dtype, elements } : undefined;
  }

  private piecesOf(row: number): Map<number, number> {
    const known = this.pieces.get(row);
    if (known !== undefined) return known;
    const { tensors } = this.parts;
    const pieces = new Map<number, number>();
    // Of several pieces in one file the first counts.
    for (let piece = tensors.endPieceOf(row) - 1; piece >= tensors.firstPieceOf(row); piece--)
      pieces.set(tensors.pieceFile(piece), piece);
    this.pieces.set(row, pieces);
    return pieces;
  }
}
