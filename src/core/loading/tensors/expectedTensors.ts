/** The tensors that a config asks for, each with the layers and experts that have it. */
import { layerCounts, numbersIn, stackOf } from '../../configs/architectures/moduleNames.js';
import type { ArchitectureReading } from '../../configs/architectures/architecture.js';
import type { TensorGroup } from '../../configs/architectures/tensorGroup.js';
import type { StoredGroup } from './storedForm.js';
import { patternOf } from './storedPatterns.js';

export interface ExpectedGroup extends StoredGroup {
  /** The name with `N` in place of each number, those of a Sequential too (`ffn.0.weight`). */
  key: string;
  /** Each number of the key: null for one that counts layers or experts. */
  fixed: readonly (number | null)[];
}

/** Numbers that stand in place of each `N`. */
export type Place = readonly number[];

/** A reading of the config with one of its values changed; null where it is none. */
export type ReadWith = (path: readonly string[], value: number) => ArchitectureReading | null;

/** A whole number of the config that layers may be counted by. */
export interface LayerKey {
  path: readonly string[];
  value: number;
}

export function expectedGroup(group: StoredGroup): ExpectedGroup {
  const key = patternOf(group.name).key;
  const fixed = group.name
    .split('.')
    .filter((segment) => segment === 'N' || segment === 'expert_N' || /^\d+$/.test(segment))
    .map((segment) => (segment.endsWith('N') ? null : Number(segment)));
  return { ...group, key, fixed };
}

/**
 * Where the tensors of a config are. Which layers have a tensor that not all of them have follows from readings of the same config with
 * fewer layers: a layer has what a model of one layer more has in addition.
 */
export class ExpectedTensors {
  readonly groups: readonly ExpectedGroup[];
  readonly byKey: ReadonlyMap<string, readonly ExpectedGroup[]>;
  private readonly layers: ReadonlyMap<string, number>;
  /** Stacks whose layers are not all alike. */
  private readonly mixed: ReadonlySet<string>;
  private readonly growths = new Map<string, Growth | null>();

  constructor(
    groups: readonly StoredGroup[],
    private readonly readWith: (path: readonly string[], value: number) => readonly StoredGroup[] | null,
    private readonly layerKeys: readonly LayerKey[],
  ) {
    this.groups = groups.map(expectedGroup);
    const byKey = new Map<string, ExpectedGroup[]>();
    for (const group of this.groups) byKey.set(group.key, [...(byKey.get(group.key) ?? []), group]);
    this.byKey = byKey;
    this.layers = layerCounts(groups);
    const mixed = new Set<string>();
    for (const group of groups) {
      const stack = stackOf(group.name);
      const layers = stack === null ? undefined : this.layers.get(stack);
      if (stack === null || layers === undefined) continue;
      if (numbersIn(group.name) === 1 ? group.copies !== layers : group.copies % layers !== 0) mixed.add(stack);
    }
    this.mixed = mixed;
  }

  /** The places of a group's tensors in the order of their layers; null where only their number is known. */
  placesOf(group: ExpectedGroup): Place[] | null {
    const free = group.fixed.filter((number) => number === null).length;
    if (free === 0) return group.copies === 1 ? [fill(group, [])] : null;
    const stack = stackOf(group.name);
    const layers = stack === null ? undefined : this.layers.get(stack);
    if (stack === null || layers === undefined || free > 2) return null;
    const counts = this.countsByLayer(group, stack, layers, free);
    if (counts === null) return null;
    const places: Place[] = [];
    counts.forEach((count, layer) => {
      for (let inner = 0; inner < count; inner++) places.push(fill(group, free === 1 ? [layer] : [layer, inner]));
    });
    return places;
  }

  /** How many of a group's tensors each layer has. */
  private countsByLayer(group: ExpectedGroup, stack: string, layers: number, free: number): readonly number[] | null {
    const isAlone = this.byKey.get(group.key)?.every((one) => one === group || one.fixed.join() !== group.fixed.join()) === true;
    const each = group.copies / layers;
    if (isAlone && Number.isSafeInteger(each) && !this.mixed.has(stack) && (free === 2 || each === 1))
      return Array.from({ length: layers }, () => each);
    const counts = this.growthOf(stack, layers)?.get(identityOf(group));
    return counts !== undefined && (free === 2 || counts.every((count) => count <= 1)) ? counts : null;
  }

  private growthOf(stack: string, layers: number): Growth | null {
    const known = this.growths.get(stack);
    if (known !== undefined) return known;
    const growth = this.grow(stack, layers);
    this.growths.set(stack, growth);
    return growth;
  }

  private grow(stack: string, layers: number): Growth | null {
    const path = layers > MOST_LAYERS ? undefined : this.layerKeyOf(stack, layers);
    if (path === undefined) return null;
    const growth: Map<string, number[]> = new Map();
    let before = new Map<string, number>();
    for (let count = 1; count <= layers; count++) {
      const groups = (count === layers ? this.groups : this.readWith(path, count)) ?? null;
      if (groups === null) return null;
      const copies = copiesOf(groups.filter((group) => stackOf(group.name) === stack));
      for (const [identity, own] of copies) {
        const counts = growth.get(identity) ?? Array.from({ length: count - 1 }, () => 0);
        counts.push(own - (before.get(identity) ?? 0));
        growth.set(identity, counts);
      }
      for (const [identity, counts] of growth) {
        if (counts.length < count) counts.push(-(before.get(identity) ?? 0));
      }
      before = copies;
    }
    // A model whose layers depend on how many there are (the last of each period) does not grow by its layers.
    for (const [identity, counts] of growth) if (counts.some((count) => count < 0)) growth.delete(identity);
    return growth;
  }

  /** The key that this stack's layers are counted by. */
  private layerKeyOf(stack: string, layers: number): readonly string[] | undefined {
    return this.layerKeys
      .filter(({ value }) => value === layers)
      .find(({ path }) => {
        const fewer = this.readWith(path, layers - 1);
        return fewer !== null && (layerCounts(fewer).get(stack) ?? 0) === layers - 1;
      })?.path;
  }
}

/** Readings that are made to tell layers apart. */
const MOST_LAYERS = 512;

/** Tensors of a group that each layer adds, by the group's name and shape. */
type Growth = Map<string, number[]>;

function identityOf({ name, shape }: TensorGroup): string {
  return `${name} ${shape.join()}`;
}

function copiesOf(groups: readonly TensorGroup[]): Map<string, number> {
  const copies = new Map<string, number>();
  for (const group of groups) copies.set(identityOf(group), (copies.get(identityOf(group)) ?? 0) + group.copies);
  return copies;
}

function fill({ fixed }: ExpectedGroup, free: readonly number[]): Place {
  let next = 0;
  return fixed.map((number) => number ?? free[next++] ?? 0);
}

/** The name of the tensor at a place. */
export function nameOf(key: string, place: Place): string {
  let next = 0;
  return key
    .split('.')
    .map((segment) => (segment === 'N' || segment === 'expert_N' ? segment.replace('N', String(place[next++] ?? 'N')) : segment))
    .join('.');
}
