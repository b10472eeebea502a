/** Tensors of two sides that hold the same weights of transformers under other names, one by one or several together. */
import type { WeightPlace } from '../../weightNames/weightPlace.js';
import { formOf } from '../modelRows.js';
import { elementOrders } from './elementOrders.js';
import { ModelRanks, type RankNames } from './modelRanks.js';
import { sidePlaces, type SidePlaces } from './sidePlaces.js';
import { Unions } from './unions.js';
import { WeightKeys } from './weightKeys.js';

/** Rows that have no partner by name. */
export interface UnmatchedRows extends Pick<SidePlaces, 'table' | 'rows'> {
  /** By the numbers of files. */
  ranks: RankNames;
}

/** Rows of A and B that hold the same together. */
export interface RowGroup {
  a: number[];
  b: number[];
}

export interface PlacedPair {
  a: number;
  b: number;
  /** How the elements of one side follow from those of the other: one of `elementOrders`. */
  order: number;
}

export interface PlaceMatch {
  pairs: PlacedPair[];
  /** Of at least two tensors of one side; their elements add up to as many on both. */
  fused: RowGroup[];
}

/**
 * Matches what is left of both sides. Tensors that share weights are one group: those of one side hold all that those of the other do.
 * @param modelType `model_type` of a config of either side
 */
export function matchPlaces(a: UnmatchedRows, b: UnmatchedRows, modelType: string | undefined): PlaceMatch {
  const found: PlaceMatch = { pairs: [], fused: [] };
  const placesOfA = sidePlaces(a.table, a.rows, modelType);
  const placesOfB = placesOfA && sidePlaces(b.table, b.rows, modelType);
  if (placesOfA === null || placesOfB === null) return found;
  const sides = [placesOfA, placesOfB] as const;
  const orderOf = elementOrders(sides, modelType);
  const ranks = [new ModelRanks(a.table, a.ranks), new ModelRanks(b.table, b.ranks)] as const;
  for (const { a: own, b: others } of groupsOf(sides, ranks)) {
    const [first, other] = [own[0] as number, others[0] as number];
    if (own.length === 1 && others.length === 1) {
      const [row, rowOfB] = [a.rows[first] as number, b.rows[other] as number];
      found.pairs.push({ a: row, b: rowOfB, order: orderOf(first, other) });
    } else if (areAsMany(elementsOf(sides[0], ranks[0], own), elementsOf(sides[1], ranks[1], others)))
      found.fused.push({ a: own.map((at) => a.rows[at] as number), b: others.map((at) => b.rows[at] as number) });
  }
  return found;
}

/** By places among the rows: groups of which both sides hold every weight, in the order of A. */
function groupsOf(sides: readonly [SidePlaces, SidePlaces], ranks: readonly [ModelRanks, ModelRanks]): RowGroup[] {
  const keys = new WeightKeys(sides);
  const firstKeys = sides.map(({ rows }) => new Int32Array(rows.length).fill(-1));
  const joins: number[] = [];
  const masks: number[] = [];
  sides.forEach((own, side) => {
    const { places, patterns, rows } = own;
    const layersBefore = (ranks[side] as ModelRanks).layersBefore(own);
    for (let at = 0; at < rows.length; at++) {
      const place: WeightPlace | null = places[patterns.patternOf[at] as number] ?? null;
      const held = place === null ? undefined : keys.of(place, patterns.numbersAt(at), layersBefore(rows[at] as number));
      if (held === undefined) continue;
      (firstKeys[side] as Int32Array)[at] = held[0] as number;
      for (const key of held) {
        masks[key] = (masks[key] ?? 0) | (1 << side);
        if (key !== held[0]) joins.push(held[0] as number, key);
      }
    }
  });
  const unions = new Unions(keys.count);
  for (let at = 0; at < joins.length; at += 2) unions.join(joins[at] as number, joins[at + 1] as number);
  const isWhole = new Uint8Array(keys.count).fill(1);
  for (let key = 0; key < keys.count; key++) if (masks[key] !== 3) isWhole[unions.rootOf(key)] = 0;
  const groups = new Map<number, RowGroup>();
  firstKeys.forEach((first, side) => {
    first.forEach((key, at) => {
      const root = key === -1 ? -1 : unions.rootOf(key);
      if (root === -1 || isWhole[root] === 0) return;
      let group = groups.get(root);
      if (group === undefined) groups.set(root, (group = { a: [], b: [] }));
      group[side === 0 ? 'a' : 'b'].push(at);
    });
  });
  return [...groups.values()];
}

/** Elements of all rows, and without those that other tensor-parallel ranks may have again: norms, biases, and routers of experts. */
function elementsOf(
  { table, rows, patterns }: SidePlaces,
  ranks: ModelRanks,
  group: readonly number[],
): [all: number, once: number] {
  let [all, once] = [0, 0];
  for (const at of group) {
    const row = rows[at] as number;
    const elements = formOf(table, row).shape.reduce((product, size) => product * size, 1);
    all += elements;
    const isRepeated =
      table.rankOf(row) === 1 || patterns.patterns[patterns.patternOf[at] as number]?.includes('.router.') === true;
    if (!isRepeated || ranks.tensorRankOf(row) === 0) once += elements;
  }
  return [all, once];
}

function areAsMany(a: readonly number[], b: readonly number[]): boolean {
  return a.some((elements) => b.includes(elements));
}
