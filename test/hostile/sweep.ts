/**
 * One way to damage files at many places. `npm test` visits the structurally important places always and a residue class of the
 * others that moves with the seed, so that successive seeds visit all of them; the exhaustive run visits every place and keeps its
 * progress. See docs/testing.md.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { expect } from 'vitest';
import { isExhaustive, seed } from '../builders/seed.js';
import { createRandom } from '../../src/core/datasets/text/random.js';
import { watchdog } from '../runner/watchdog.mjs';
import { beginProgress, type Progress } from './progress.js';

/** Bytes that are written over a file at one place. */
export interface Value {
  name: string;
  bytes: Uint8Array;
}

/** Places that are thinned together: `budget` of them a run, all of them when absent. */
export interface Tier {
  offsets: readonly number[];
  budget?: number;
  /** Only the first of the values, e.g. because all of them at all of these places would take too long. */
  firstValueOnly?: true;
}

export interface Sweep {
  /** What is damaged and how, e.g. `cut`. */
  damage: string;
  /** The damaged file, as STOWAGE_FILE selects it. */
  file: string;
  /** Everything the visits depend on besides the place: progress made with other bytes is void. */
  bytes: Uint8Array;
  /** Offsets that exist, from 0. */
  size: number;
  /** What is written at a place; absent for a cut. */
  values?: readonly Value[];
  /** In the order of their importance: an offset belongs to the first tier that contains it. */
  tiers: readonly Tier[];
  /** How many places the exhaustive run visits at most; all of them when absent. */
  exhaustive?: number | undefined;
  /** Tries one place; returns or throws what is wrong. */
  visit: (offset: number, value: Value) => Promise<string | null>;
}

/** A place of a sweep; the pairs of offset and value in rising order are numbered. */
interface Place {
  offset: number;
  value: Value;
  index: number;
}

interface Failure {
  offset: number;
  value: string;
  text: string;
}

const nothing: Value = { name: 'nothing', bytes: new Uint8Array(0) };
const maxFailures = 20;
const onlyOffset = process.env['STOWAGE_OFFSET'] === undefined ? null : Number(process.env['STOWAGE_OFFSET']);

/** Visits the places of this run and throws what was found; answers how many there were, which is never 0. */
export async function sweep(plan: Sweep): Promise<number> {
  const name = `${plan.damage} ${plan.file}`;
  const progress = isExhaustive ? beginProgress(name, keyOf(plan), plan.size * valuesOf(plan).length) : null;
  const failures: Failure[] = (progress?.failures ?? []) as Failure[];
  let visited = progress?.visited ?? 0;
  watchdog().begin(`Seed ${seed}: ${name}`, { values: valuesOf(plan).map(({ name }) => name), command: commandOf(plan) });
  for (const place of placesOf(plan, progress)) {
    watchdog().at(place.index);
    const text = await outcomeOf(plan, place);
    visited += 1;
    if (text !== null && failures.length < maxFailures) failures.push({ offset: place.offset, value: place.value.name, text });
    progress?.advance(place.index + 1, visited, failures);
  }
  watchdog().end();
  if (visited === 0) throw new Error(`${name}: no place was visited.`);
  progress?.finish(visited, failures);
  if (failures.length > 0) throw new Error(reportOf(plan, visited, failures));
  return visited;
}

function* placesOf(plan: Sweep, progress: Progress | null): Generator<Place> {
  const values = valuesOf(plan);
  const place = (index: number): Place => ({
    offset: Math.floor(index / values.length),
    value: values[index % values.length] as Value,
    index,
  });
  if (onlyOffset !== null) {
    if (onlyOffset < plan.size) for (const at of values.keys()) yield place(onlyOffset * values.length + at);
  } else if (progress === null) for (const index of thinned(plan, seed)) yield place(index);
  else {
    const places = plan.size * values.length;
    const stride = strideOf(places, plan.exhaustive ?? places, values.length);
    for (let index = firstFrom(progress.next, stride, phaseOf(plan, seed)); index < places; index += stride) yield place(index);
  }
}

const phaseOf = ({ damage, file }: Sweep, seed: number): number => seed + hashOf(`${damage} ${file}`);

/** The first number from `least` on that leaves the same rest as `phase`. */
const firstFrom = (least: number, stride: number, phase: number): number =>
  least + ((phase - (least % stride) + stride) % stride);

/**
 * Numbers of the places that a seed visits, offset by offset with its values. A residue class of each tier: as many successive seeds as
 * its stride visit all of it.
 */
export function thinned(plan: Sweep, seed: number): number[] {
  const values = valuesOf(plan).length;
  const phase = phaseOf(plan, seed);
  const taken = new Uint8Array(plan.size);
  const chosen: number[] = [];
  for (const { offsets, budget, firstValueOnly } of plan.tiers) {
    if (budget === 0) continue;
    if (firstValueOnly === true) {
      for (const offset of offsets) if (offset >= 0 && offset < plan.size) chosen.push(offset * values);
      continue;
    }
    const own = offsets.filter((offset) => offset >= 0 && offset < plan.size && taken[offset] === 0);
    for (const offset of own) taken[offset] = 1;
    const distinct = [...new Set(own)].sort((a, b) => a - b);
    const stride = budget === undefined ? 1 : strideOf(distinct.length * values, budget, values);
    for (let at = phase % stride; at < distinct.length * values; at += stride)
      chosen.push((distinct[Math.floor(at / values)] as number) * values + (at % values));
  }
  return [...new Set(chosen)].sort((a, b) => a - b);
}

/** Has no divisor in common with the number of values nor with 8: every seed meets all values and all alignments. */
function strideOf(places: number, budget: number, values: number): number {
  let stride = Math.max(1, Math.ceil(places / budget));
  while (stride > 1 && (stride % 2 === 0 || commonDivisor(stride, values) > 1)) stride += 1;
  return stride;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

async function outcomeOf(plan: Sweep, place: Place): Promise<string | null> {
  try {
    return await plan.visit(place.offset, place.value);
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function reportOf(plan: Sweep, visited: number, failures: readonly Failure[]): string {
  const { damage, file } = plan;
  const [first] = failures as [Failure];
  const list = failures.map(({ offset, value, text }) => `  offset ${offset}, value ${value}: ${text}`);
  return [
    `Seed ${seed}: ${damage} ${file} failed at ${failures.length < maxFailures ? failures.length : `${maxFailures} or more`} of ${visited} places.`,
    ...list,
    `Repeat: STOWAGE_OFFSET=${first.offset} ${commandOf(plan)}`,
  ].join('\n');
}

const commandOf = ({ file }: Sweep): string => `STOWAGE_SEED=${seed} STOWAGE_FILE='${file}' npx vitest run ${testFile()}`;

const testFile = (): string =>
  path
    .relative(process.cwd(), expect.getState().testPath ?? '')
    .split(path.sep)
    .join('/');

const valuesOf = (plan: Sweep): readonly Value[] => plan.values ?? [nothing];

function keyOf(plan: Sweep): string {
  const hash = createHash('sha256').update(plan.bytes);
  for (const { name, bytes } of valuesOf(plan)) hash.update(name).update(bytes);
  return hash.digest('hex').slice(0, 16);
}

/** FNV-1a: files of one size are not all visited at the same places. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** One of several alike, another one for the next seed. */
export function turnOf<T>(alike: readonly T[], name: string): T {
  if (alike.length === 0) throw new Error(`${name}: nothing to choose from.`);
  return alike[(seed + hashOf(name)) % alike.length] as T;
}

/** A copy with one to twelve bytes changed, the same for the same seed, name and number. */
export function randomDamage(bytes: Uint8Array, name: string, number: number): Uint8Array {
  const random = createRandom(hashOf(`${seed} ${name} ${number}`));
  const copy = bytes.slice();
  const changes = 1 + Math.floor(random() * 12);
  for (let change = 0; change < changes; change++) copy[Math.floor(random() * copy.byteLength)] = Math.floor(random() * 256);
  return copy;
}

export const upTo = (length: number): number[] => Array.from({ length }, (_, offset) => offset);

/** The first and the last `width` offsets. */
export const edges = (size: number, width: number): number[] => [
  ...upTo(Math.min(width, size)),
  ...upTo(Math.min(width, size)).map((offset) => size - 1 - offset),
];
