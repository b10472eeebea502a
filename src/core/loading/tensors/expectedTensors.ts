/** The tensors that a config asks for, each with the layers and experts that have it. */
import { limits } from '../../bytes/limits.js';
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
export type ReadWith = (path: readonly string[], value: number | boolean) => ArchitectureReading | null;

/** A whole number of the config, or the length of a list in it, that layers may be counted by. */
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
  /** What is left of `limits.loadPlaces`. */
  private places = limits.loadPlaces;

  constructor(
    groups: readonly StoredGroup[],
    private readonly readWith: (path: readonly string[], value: number) => readonly StoredGroup[] | null,
    private readonly layerKeys: readonly LayerKey[],
  ) {
    this.groups = merged(groups).map(expectedGroup);
    const byKey = new Map<string, ExpectedGroup[]>();
    for (const group of this.groups) byKey.set(group.key, [...(byKey.get(group.key) ?? []), group]);
    this.byKey = byKey;
    this.layers = layerCounts(groups.map(asNumbered));
    const mixed = new Set<string>();
    for (const group of groups) {
      const stack = stackOf(group.name);
      const layers = stack === null ? undefined : this.layers.get(stack);
      if (stack === null || layers === undefined) continue;
      if (numbersIn(asNumbered(group).name) === 1 ? group.copies !== layers : group.copies % layers !== 0) mixed.add(stack);
    }
    this.mixed = mixed;
  }

  /** Of the deepest stack. */
  get mostLayers(): number {
    let most = 0;
    for (const layers of this.layers.values()) most = Math.max(most, layers);
    return most;
  }

  /** Layers of the stack that a group is in; 0 for one that is in none. */
  layersOf({ name }: ExpectedGroup): number {
    const stack = stackOf(name);
    return stack === null ? 0 : (this.layers.get(stack) ?? 0);
  }

  /** The places of a group's tensors in the order of their layers; null where only their number is known. */
  placesOf(group: ExpectedGroup): Place[] | null {
    if (group.copies > Math.min(this.places, limits.loadPlacesOfKey)) return null;
    this.places -= group.copies;
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
    if (free === 2 && (layers < 2 || !this.fillsInner(group))) return null;
    const isAlone = this.byKey.get(group.key)?.every((one) => one === group || one.fixed.join() !== group.fixed.join()) === true;
    const each = group.copies / layers;
    const isEverywhere = !this.mixed.has(stack) || (free === 1 && this.isLayerCount(layers));
    if (isAlone && isEverywhere && Number.isSafeInteger(each) && (free === 2 || each === 1))
      return Array.from({ length: layers }, () => each);
    if (layers < 2 || (free === 2 && !group.name.includes('.experts.')) || group.name.endsWith('.N')) return null;
    const counts = this.growthOf(stack, layers)?.get(identityOf(group));
    if (counts === undefined || (free === 1 && counts.some((count) => count > 1))) return null;
    // What one layer has that is the first is as well what the last one has, however many there are.
    return counts.findLastIndex((count) => count > 0) === 0 && this.isAtEnd(stack, group) ? null : counts;
  }

  private isLayerCount(layers: number): boolean {
    return this.layerKeys.some(({ path, value }) => value === layers && layerKeyName.test(path.at(-1) ?? ''));
  }

  /** Whether the tensors of a layer are all that there are inside of it: not every second of the inner layers. */
  private fillsInner({ name, copies }: ExpectedGroup): boolean {
    const inner = innerStack(name);
    const most = this.groups.reduce((max, group) => (innerStack(group.name) === inner ? Math.max(max, group.copies) : max), 0);
    return name.includes('.experts.') || copies === most;
  }

  /** Whether no other tensor says that the first layer is of another kind. */
  private isAtEnd(stack: string, { copies }: ExpectedGroup): boolean {
    const others = (this.layers.get(stack) ?? 0) - copies;
    return !this.groups.some(
      ({ name, copies: own }) => stackOf(name) === stack && numbersIn(asNumbered({ name }).name) === 1 && own === others,
    );
  }

  private growthOf(stack: string, layers: number): Growth | null {
    const known = this.growths.get(stack);
    if (known !== undefined) return known;
    const growth = this.grow(stack, layers);
    this.growths.set(stack, growth);
    return growth;
  }

  private grow(stack: string, layers: number): Growth | null {
    const key = this.layerKeyOf(stack, layers);
    if (key === undefined) return null;
    const growth: Growth = new Map();
    let before: Map<string, number> | undefined;
    for (let count = 1; count <= key.value; count++) {
      const groups = (count === key.value ? this.groups : this.readWith(key.path, count)) ?? null;
      // Some models have to have several layers.
      if (groups === null) continue;
      const copies = copiesOf(groups.filter((group) => stackOf(group.name) === stack));
      const isFirst = before === undefined;
      for (const [identity, own] of copies) {
        const counts = growth.get(identity) ?? Array.from({ length: count - 1 }, () => (isFirst && own === count ? 1 : 0));
        counts.push(isFirst && own === count ? 1 : own - (before?.get(identity) ?? 0));
        growth.set(identity, counts);
      }
      for (const [identity, counts] of growth) {
        if (counts.length < count) counts.push(-(before?.get(identity) ?? 0));
      }
      before = copies;
    }
    // A model whose layers depend on how many there are (the last of each period) does not grow by its layers.
    for (const [identity, counts] of growth) if (counts.some((count) => count < 0)) growth.delete(identity);
    return growth;
  }

  /** The key that this stack's layers are counted by: with one less there are fewer tensors in it. */
  private layerKeyOf(stack: string, layers: number): LayerKey | undefined {
    return this.layerKeys
      .filter(({ path, value }) => value >= layers && value <= MOST_LAYERS && layerKeyName.test(path.at(-1) ?? ''))
      .sort((a, b) => a.value - b.value)
      .find((key) => this.counts(key, stack, layers));
  }

  /** Whether a number is that of a stack's layers, of which no tensor may be in all. */
  private counts({ path, value }: LayerKey, stack: string, layers: number): boolean {
    const fewer = this.readWith(path, value - 1);
    if (fewer === null) return false;
    if (value === layers) return (layerCounts(fewer.map(asNumbered)).get(stack) ?? 0) === layers - 1;
    const kinds = new Set(this.groups.filter(({ name }) => stackOf(name) === stack).map(({ copies }) => copies));
    return kinds.size > 1 && tensorsIn(fewer, stack) < tensorsIn(this.groups, stack);
  }
}

/** Readings that are made to tell layers apart. */
const MOST_LAYERS = 512;

const layerKeyName = /layer|depth|block|pattern/;

/** Tensors of a group that each layer adds, by the group's name and shape. */
type Growth = Map<string, number[]>;

/** Groups of one name and shape are one: two kinds of layers may have the same sizes. */
function merged(groups: readonly StoredGroup[]): StoredGroup[] {
  const byIdentity = new Map<string, StoredGroup>();
  for (const group of groups) {
    const known = byIdentity.get(identityOf(group));
    const copies = (known?.copies ?? 0) + group.copies;
    byIdentity.set(identityOf(group), { ...group, copies });
  }
  return [...byIdentity.values()];
}

/** `h.N.experts` of `h.N.experts.N.weight`. */
export function innerStack(name: string): string {
  return name.slice(0, name.lastIndexOf('.N.'));
}

function identityOf({ name, shape }: TensorGroup): string {
  return `${name} ${shape.join()}`;
}

/** Experts are counted as layers are, however they are called. */
function asNumbered<Named extends { name: string }>(named: Named): Named {
  return named.name.includes('.expert_N.') ? { ...named, name: named.name.replace('.expert_N.', '.N.') } : named;
}

function tensorsIn(groups: readonly TensorGroup[], stack: string): number {
  return groups.reduce((sum, { name, copies }) => (stackOf(name) === stack ? sum + copies : sum), 0);
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
