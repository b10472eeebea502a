/** Mutations of JSON values: what a field may be instead. */
import { mutateText } from './mutateText.js';
import type { Random } from './random.js';

const values: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 0.5, 1e308, -1e308, 1e-320, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 1e21],
  ...['', 'a', '0', 'NaN', 'Infinity', '__proto__', '../../etc/passwd', '/dev/zero', '\0', '\ud800', '\u202e', 'x'.repeat(600)],
  ...['<img src=x onerror=alert(1)>', '2026-01-01T00:00:00.000Z', '9'.repeat(400), [], {}, [[]], [null], [{}], { a: 1 }],
  ...[{ toString: 1, valueOf: 1 }, { length: 2 ** 53 }, { then: 1 }, Array.from({ length: 300 }, () => 0)],
];

interface Place {
  parent: Record<string, unknown>;
  key: string;
}

/** Places beyond these are as good as those. */
const maxPlaces = 2_000;

/** A changed text; where it is no JSON, or once in eight, it is changed as text. */
export function mutateJson(text: string, random: Random, other: string, words: readonly string[]): string {
  const root = random.once(8) ? undefined : parsed(text);
  if (root === undefined) return mutateText(text, random, other, words);
  const times = 1 + (random.once(2) ? random.below(4) : 0);
  for (let time = 0; time < times; time++) change(root, random, parsed(other) ?? { value: null }, words);
  return JSON.stringify(root.value) ?? 'null';
}

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function change(root: { value: unknown }, random: Random, other: { value: unknown }, words: readonly string[]): void {
  const places = placesIn(root);
  const { parent, key } = random.of(places);
  switch (random.below(7)) {
    case 0:
      remove(parent, key);
      return;
    case 1:
      put(parent, key, copyOf(random.of(places)));
      return;
    case 2:
      put(parent, key, copyOf(random.of(placesIn(other))));
      return;
    case 3:
      if (!Array.isArray(parent) && parent !== (root as object))
        put(parent, random.of([...words, '__proto__', 'toString', 'a']), parent[key]);
      return;
    case 4:
      put(parent, key, nested(parent[key], random));
      return;
    default:
      put(parent, key, words.length > 0 && random.once(4) ? random.of(words) : structuredClone(random.of(values)));
  }
}

/** Without recursion: a mutated input may nest as deep as JSON.parse takes. */
function placesIn(root: { value: unknown }): Place[] {
  const places: Place[] = [{ parent: root, key: 'value' }];
  for (let at = 0; at < places.length && places.length < maxPlaces; at++) {
    const { parent, key } = places[at] as Place;
    const value = parent[key];
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) places.push({ parent: value as Record<string, unknown>, key: name });
  }
  return places;
}

function copyOf({ parent, key }: Place): unknown {
  const text = JSON.stringify(parent[key]);
  return text === undefined || text.length > 4096 ? null : (JSON.parse(text) as unknown);
}

function nested(value: unknown, random: Random): unknown {
  let outer = value;
  const depth = random.of([1, 2, 70, 200]);
  for (let level = 0; level < depth; level++) outer = random.once(2) ? [outer] : { a: outer };
  return outer;
}

/** As JSON.parse does: `__proto__` is a member like any other. */
function put(parent: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function remove(parent: Record<string, unknown>, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}
