/** Numbers for what tensors hold: one for each weight of transformers, with the numbers of its layer and expert. */
import type { WeightPlace } from '../../weightNames/weightPlace.js';
import type { SidePlaces } from './sidePlaces.js';

/** No model has so many layers or experts; three such numbers are one exact integer. */
const mostNumber = 131_072;
const mostNumbers = 3;
const experts = '.experts.N.';

/** One weight of transformers, with `N` for its numbers. */
interface Weight {
  id: number;
  /** How many numbers it has. */
  numbers: number;
  /** Whether a tensor of either side has all its layers, or all experts of a layer: then all of them are one key. */
  isStackedLayers: boolean;
  isStackedExperts: boolean;
}

export class WeightKeys {
  private readonly weights = new Map<string, Weight>();
  private readonly keys: Map<number, number>[] = [];
  /** How many keys there are. */
  count = 0;

  constructor(sides: readonly SidePlaces[]) {
    for (const { places } of sides) for (const place of places) if (place !== null) this.addPlace(place);
  }

  /**
   * The keys of what a tensor holds, one for each of its place's names; undefined where its own numbers are not those that these names have.
   * @param numbers in the tensor's own name
   * @param layersBefore of other pipeline stages, which count from 0 as well
   */
  of(place: WeightPlace, numbers: readonly number[], layersBefore: number): number[] | undefined {
    const keys: number[] = [];
    for (const name of place.names) {
      const weight = this.weights.get(name);
      const own = weight === undefined ? undefined : ownNumbers(weight, name, place, numbers, layersBefore);
      if (weight === undefined || own === undefined) return undefined;
      keys.push(this.keyOf(weight.id, own));
    }
    return keys;
  }

  private addPlace({ names, isStackedLayers = false, isStackedExperts = false }: WeightPlace): void {
    for (const name of names) {
      const known = this.weights.get(name);
      const weight = known ?? {
        id: this.weights.size,
        numbers: name.split('.').filter((segment) => segment === 'N').length,
        isStackedLayers: false,
        isStackedExperts: false,
      };
      weight.isStackedLayers ||= isStackedLayers;
      weight.isStackedExperts ||= isStackedExperts && name.includes(experts);
      if (known === undefined) this.weights.set(name, weight);
    }
  }

  private keyOf(weight: number, number: number): number {
    const keys = (this.keys[weight] ??= new Map());
    let key = keys.get(number);
    if (key === undefined) keys.set(number, (key = this.count++));
    return key;
  }
}

/** The numbers of layer and expert as one; a stacked axis counts as 0. Layers are the first number of a name, experts the last. */
function ownNumbers(
  weight: Weight,
  name: string,
  place: WeightPlace,
  numbers: readonly number[],
  layersBefore: number,
): number | undefined {
  // GPT-NeoX numbers its embedding and its last norm as well.
  if (weight.numbers === 0) return 0;
  const hasExperts = name.includes(experts);
  const lacksLayers = place.isStackedLayers === true;
  const lacksExperts = place.isStackedExperts === true && hasExperts;
  if (weight.numbers > mostNumbers || numbers.length + Number(lacksLayers) + Number(lacksExperts) !== weight.numbers)
    return undefined;
  let all = 0;
  let next = 0;
  for (let at = 0; at < weight.numbers; at++) {
    const isLayer = at === 0;
    const isExpert = hasExperts && at === weight.numbers - 1;
    let number = (isLayer && lacksLayers) || (isExpert && lacksExperts) ? 0 : (numbers[next++] as number);
    if (isLayer && !lacksLayers) number += layersBefore - (place.firstLayer ?? 0);
    if (number < 0 || number >= mostNumber) return undefined;
    if ((isLayer && weight.isStackedLayers) || (isExpert && weight.isStackedExperts)) number = 0;
    all = all * mostNumber + number;
  }
  return all;
}
