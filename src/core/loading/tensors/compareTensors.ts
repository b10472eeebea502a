/** The tensors that a config asks for against those that are there. */
import type { TensorTable } from '../../tensors/tensorTable.js';
import { innerStack, type ExpectedGroup, type ExpectedTensors } from './expectedTensors.js';
import type { IgnoredNames } from './ignoredNames.js';
import { isSameShape, longAxes, placeAt, type StoredPattern } from './storedPatterns.js';
import type { Target } from './targets.js';
import { FoundDifferences, type TensorDifferences } from './tensorDifferences.js';
import { layerOf, placesIn, copiesOf, nameAt, moduleOf, parentOf } from './tensorPlaces.js';
import { tiedWith } from './tiedTensors.js';

export interface ComparedTensors {
  differences: TensorDifferences;
  /** The first expert that lacks where others of its layer are there; undefined where none does. */
  lackingExpert: string | undefined;
}

export interface ComparedModel {
  table: TensorTable;
  expected: ExpectedTensors;
  stored: ReadonlyMap<string, StoredPattern>;
  targetOf: (pattern: StoredPattern) => Target;
  isLeftOutLayer?: IgnoredNames['isLeftOutLayer'];
  /** Which layers are of which kind depends on how many there are: then they may be other ones than `expected` has. */
  areLayersOpen?: boolean;
}

interface FoundPattern extends StoredPattern {
  isPacked: boolean;
}

/** Tensors of one key: those that are asked for, and those that are there. */
interface ComparedKey {
  key: string;
  groups: readonly ExpectedGroup[];
  own: readonly FoundPattern[];
}

/** Both sides key by key. A key whose tensors are as many, dense and of one shape is settled without a look at any of them. */
export function compareTensors({
  table,
  expected,
  stored,
  targetOf,
  isLeftOutLayer = () => false,
  areLayersOpen = false,
}: ComparedModel): ComparedTensors {
  return new Comparison(table, expected, stored, targetOf, isLeftOutLayer, areLayersOpen).run();
}

class Comparison {
  private readonly found: FoundDifferences;
  private readonly byKey = new Map<string, FoundPattern[]>();
  private readonly buffers: StoredPattern[] = [];
  /** What buffers are compared with, made once: a file may have any number of them. */
  private readonly keysByModule = new Map<string, string[]>();
  private readonly placesByKey = new Map<string, ReadonlySet<string>>();
  private lackingExpert: string | undefined;

  constructor(
    private readonly table: TensorTable,
    private readonly expected: ExpectedTensors,
    stored: ReadonlyMap<string, StoredPattern>,
    targetOf: (pattern: StoredPattern) => Target,
    private readonly isLeftOutLayer: IgnoredNames['isLeftOutLayer'],
    private readonly areLayersOpen: boolean,
  ) {
    this.found = new FoundDifferences(table);
    for (const pattern of stored.values()) {
      const target = targetOf(pattern);
      if (target.kind === 'buffer') this.buffers.push(pattern);
      if (target.kind === 'unexpected') this.found.addUnexpected(this.askedIn(pattern));
      if (target.kind !== 'ignored') this.found.counts.found += pattern.rows.length;
      if (target.kind !== 'expected') continue;
      const known = this.byKey.get(target.key) ?? [];
      known.push({ ...pattern, isPacked: target.isPacked });
      this.byKey.set(target.key, known);
    }
  }

  run(): ComparedTensors {
    for (const [key, groups] of this.expected.byKey) {
      for (const { copies, isTied } of groups) if (isTied !== true) this.found.counts.expected += copies;
      const own = this.byKey.get(key) ?? [];
      if (this.isAsExpected(groups, own)) continue;
      const places = this.placesOf(groups);
      const isOpen = (): boolean => this.contradicts(own, groups, places ?? new Map()) || this.fitsByNumbers(own, groups);
      if (places === null || (this.areLayersOpen && isOpen())) this.compareNumbers({ key, groups, own });
      else this.comparePlaces({ key, groups, own }, places);
    }
    for (const buffer of this.buffers) this.compareBuffer(buffer);
    const { counts, missing, unexpected, mismatched } = this.found;
    return { differences: { counts, missing, unexpected, mismatched }, lackingExpert: this.lackingExpert };
  }

  /** Whether every place is taken by a tensor of the one shape. */
  private isAsExpected(groups: readonly ExpectedGroup[], own: readonly FoundPattern[]): boolean {
    const [group, pattern] = [groups[0], own[0]];
    if (group === undefined || pattern === undefined || groups.length > 1 || own.length > 1) return false;
    if (pattern.rows.length !== group.copies) return false;
    const isShapeRight = pattern.isPacked || group.isOpen === true || (pattern.isUniform && hasShapeOf(group, pattern.shape));
    if (!isShapeRight || group.fixed.some((number) => number !== null)) return false;
    // Names are never there twice: as many as the box has places, and none outside of it, are all of its places.
    if (pattern.largest.reduce((product, largest) => product * (largest + 1), 1) !== group.copies) return false;
    const [lastLayer = 0] = pattern.largest;
    return this.areLayersOpen || lastLayer + 1 >= this.expected.layersOf(group);
  }

  /** What belongs at each place; null where only the number of tensors is known. */
  private placesOf(groups: readonly ExpectedGroup[]): Map<string, ExpectedGroup> | null {
    const places = new Map<string, ExpectedGroup>();
    for (const group of groups) {
      const own = this.expected.placesOf(group);
      if (own === null) return null;
      for (const place of own) places.set(place.join(), group);
    }
    return places;
  }

  /**
   * Whether tensors are in layers of the model where none should be: which layers have a tensor follows from smaller models, and some
   * architectures spread their kinds of layers by how many there are.
   */
  private contradicts(
    own: readonly FoundPattern[],
    groups: readonly ExpectedGroup[],
    places: ReadonlyMap<string, ExpectedGroup>,
  ): boolean {
    // As many as are asked for: else some lack or are too many, wherever they should be.
    if (own.reduce((sum, { rows }) => sum + rows.length, 0) !== copiesOf(groups)) return false;
    const layers = this.layersOf(groups);
    const isInside = (place: string): boolean => layerOf(place) < layers;
    return own.some((pattern) =>
      pattern.rows.some((_, at) => {
        const place = placeAt(pattern, at);
        return !places.has(place) && isInside(place);
      }),
    );
  }

  /** Whether there are as many tensors of each shape as are asked for: of several kinds of layers, which are which may not follow from smaller models. */
  private fitsByNumbers(own: readonly FoundPattern[], groups: readonly ExpectedGroup[]): boolean {
    if (groups.length < 2 || own.some(({ isPacked }) => isPacked)) return false;
    const left = new Map<string, number>();
    const add = (shape: readonly number[], count: number): void => {
      left.set(longAxes(shape), (left.get(longAxes(shape)) ?? 0) + count);
    };
    for (const { shape, copies } of groups) add(shape, copies);
    for (const { rows } of own) for (const row of rows) add(this.table.shapeOf(row), -1);
    return [...left.values()].every((count) => count === 0);
  }

  private comparePlaces({ key, groups, own }: ComparedKey, places: Map<string, ExpectedGroup>): void {
    const layers = new Set(placesIn(own).map(layerOf));
    for (const pattern of own)
      for (const [at, row] of pattern.rows.entries()) {
        const place = placeAt(pattern, at);
        const group = places.get(place);
        if (group === undefined && this.isLeftOutLayer(key, layerOf(place), this.layersOf(groups))) continue;
        if (group === undefined) this.found.addUnexpected([row]);
        else if (!pattern.isPacked && group.isOpen !== true && !hasShapeOf(group, this.table.shapeOf(row)))
          this.found.addMismatched(row, group.shape);
        places.delete(place);
      }
    for (const [place, group] of places) {
      if (!this.isMissed(group)) continue;
      this.found.addMissing(group.shape, 1, () => nameAt(key, place));
      if (key.includes(expertPart) && layers.has(layerOf(place))) this.lackingExpert ??= nameAt(key, place);
    }
  }

  private layersOf(groups: readonly ExpectedGroup[]): number {
    return groups.reduce((most, group) => Math.max(most, this.expected.layersOf(group)), 0);
  }

  /** Rows of a pattern that the model has nothing of, but for those in layers that the class leaves out. */
  private askedIn(pattern: StoredPattern): readonly number[] {
    const { key, rows, largest } = pattern;
    if (largest.length === 0) return rows;
    return rows.filter((_, at) => !this.isLeftOutLayer(key, layerOf(placeAt(pattern, at)), this.expected.mostLayers));
  }

  /** Where layers cannot be distinguished, tensors of each shape are counted, and those that lack are called after their neighbours. */
  private compareNumbers({ key, groups, own }: ComparedKey): void {
    const left = new Map<string, { group: ExpectedGroup; count: number }>();
    for (const group of groups) {
      const shape = longAxes(group.shape);
      left.set(shape, { group, count: (left.get(shape)?.count ?? 0) + group.copies });
    }
    const rows = own.flatMap((pattern) => pattern.rows);
    const open = [...left.values()].find(({ group }) => group.isOpen === true);
    const others: number[] = [];
    for (const row of rows) {
      const fitting = open ?? left.get(longAxes(this.table.shapeOf(row)));
      if (fitting !== undefined && fitting.count > 0) fitting.count -= 1;
      else others.push(row);
    }
    const names = this.namesLacking(key, groups, own);
    for (const { group, count } of left.values()) {
      const swapped = others.splice(0, count);
      for (const row of swapped) this.found.addMismatched(row, group.shape);
      const lacking = count - swapped.length;
      if (lacking > 0 && this.isMissed(group)) this.found.addMissing(group.shape, lacking, () => names.pop() ?? key);
    }
    this.found.addUnexpected(others);
  }

  /** Places that a neighbour of the same layers has and this key has not. */
  private namesLacking(key: string, groups: readonly ExpectedGroup[], own: readonly FoundPattern[]): string[] {
    const copies = copiesOf(groups);
    for (const [other, otherGroups] of this.expected.byKey) {
      if (other === key || innerStack(other) !== innerStack(key) || copiesOf(otherGroups) !== copies) continue;
      const places = this.takenPlaces(other);
      if (places.size !== copies) continue;
      for (const place of placesIn(own)) places.delete(place);
      return [...places].reverse().map((place) => nameAt(key, place));
    }
    return [];
  }

  private takenPlaces(key: string): Set<string> {
    return new Set(placesIn(this.byKey.get(key) ?? []));
  }

  /** Buffers are where the parameters of their module are. */
  private compareBuffer(buffer: StoredPattern): void {
    const module = moduleOf(buffer.key);
    if (buffer.largest.length === 0) return;
    const taken = new Set(placesIn([buffer]));
    // A buffer that few layers have is not one of all of them.
    let fewest = buffer.rows.length;
    let best: ReadonlySet<string> | undefined;
    for (const places of this.placesAround(module)) {
      // As many as differ at least, so that sets of a wholly different size are not gone through.
      if (Math.abs(places.size - taken.size) >= fewest) continue;
      let common = 0;
      for (const place of taken) if (places.has(place)) common += 1;
      const differing = taken.size + places.size - 2 * common;
      if (differing >= fewest) continue;
      fewest = differing;
      best = places;
    }
    if (best === undefined) return;
    const places = best;
    this.found.addUnexpected(buffer.rows.filter((_, at) => !places.has(placeAt(buffer, at))));
    for (const place of places) if (!taken.has(place)) this.found.addMissing(buffer.shape, 1, () => nameAt(buffer.key, place));
  }

  /** Places of the parameters of a module and of the one around it, key by key. */
  private placesAround(module: string): readonly ReadonlySet<string>[] {
    return (this.keysIn().get(parentOf(module)) ?? []).map((key) => this.placesOfKey(key));
  }

  /** Keys by each module around them, `a.` and `a.b.` of `a.b.c`. */
  private keysIn(): ReadonlyMap<string, readonly string[]> {
    if (this.keysByModule.size > 0) return this.keysByModule;
    for (const key of this.expected.byKey.keys())
      for (let at = key.indexOf('.'); at !== -1; at = key.indexOf('.', at + 1)) {
        const module = key.slice(0, at + 1);
        this.keysByModule.set(module, [...(this.keysByModule.get(module) ?? []), key]);
      }
    return this.keysByModule;
  }

  private placesOfKey(key: string): ReadonlySet<string> {
    const known = this.placesByKey.get(key);
    if (known !== undefined) return known;
    const places = new Set(this.placesOf(this.expected.byKey.get(key) ?? [])?.keys() ?? this.takenPlaces(key));
    this.placesByKey.set(key, places);
    return places;
  }

  /** Of tensors that are tied one is enough, whichever it is. */
  private isMissed(group: ExpectedGroup): boolean {
    if (group.isComputed === true) return false;
    const others = tiedWith(group, this.expected.groups);
    if (others.length === 0) return group.isTied !== true;
    return ![group, ...others].some(({ key }) => this.byKey.has(key));
  }
}

function product(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all * size, 1);
}

/** Axes of size 1 that some classes have in their own parameters are not in the config. */
function hasShapeOf({ kind, name, shape }: ExpectedGroup, found: readonly number[]): boolean {
  if (shape.length === found.length) return shape.every((size, axis) => size === found[axis]);
  // Cohere norms queries and keys head by head, others all heads at once.
  if (/\.[qk]_norm\.weight$/.test(name)) return product(shape) === product(found);
  const isOpen = kind === 'other' || name.includes('.grn.') || name.endsWith('.e_score_correction_bias');
  return isOpen && isSameShape(shape, found);
}

const expertPart = '.experts.N.';
