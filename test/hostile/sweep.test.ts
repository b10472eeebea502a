/** The mechanism of all sweeps: what a seed visits, that seeds together visit all, and what a failure names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seed } from '../builders/seed.js';
import { randomDamage, sweep, thinned, turnOf, upTo, type Sweep } from './sweep.js';

const values = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => ({ name, bytes: Uint8Array.of(index) }));
const plan: Sweep = {
  damage: 'field',
  file: 'family/case/data/a.bin',
  bytes: new Uint8Array(500),
  size: 500,
  values,
  tiers: [{ offsets: [0, 1, 499] }, { offsets: upTo(40), budget: 20 }, { offsets: upTo(500), budget: 60 }],
  visit: () => Promise.resolve(null),
};

describe('places', () => {
  it('that are always visited are visited with every value', () => {
    for (const seed of upTo(20)) {
      const always = [0, 1, 499].flatMap((offset) => values.map((_, value) => offset * values.length + value));
      expect(thinned(plan, seed)).toEqual(expect.arrayContaining(always));
    }
  });

  it('are all visited by successive seeds, each about as often', () => {
    const visits = new Map<number, number>();
    // The largest stride is 3,000 / 60, next number without a common divisor.
    const stride = 53;
    for (const seed of upTo(stride))
      for (const place of thinned(plan, 20_000 + seed)) visits.set(place, (visits.get(place) ?? 0) + 1);
    expect(visits.size).toBe(500 * values.length);
  });

  it('meet every value within one seed', () => {
    for (const seed of upTo(20)) {
      const met = new Set(thinned({ ...plan, tiers: [{ offsets: upTo(500), budget: 30 }] }, seed).map((place) => place % 6));
      expect(met.size).toBe(values.length);
    }
  });

  it('are as many as the budget allows, and in rising order', () => {
    const places = thinned(plan, 7);
    expect(places.length).toBeLessThanOrEqual(3 * values.length + 20 + 60 + 2);
    expect(places.length).toBeGreaterThan(3 * values.length + 40);
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  });
});

describe('a sweep', () => {
  let progress = '';
  // In an exhaustive run these sweeps are none of its own.
  beforeEach(() => {
    progress = mkdtempSync(path.join(tmpdir(), 'stowage-'));
    vi.stubEnv('STOWAGE_PROGRESS', progress);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(progress, { recursive: true });
  });

  it('names seed, file, offset and value of what failed', async () => {
    const failing = sweep({ ...plan, visit: (offset) => Promise.resolve(offset === 499 ? 'wrong sum' : null) });
    await expect(failing).rejects.toThrow(
      new RegExp(`Seed ${seed}: field family/case/data/a\\.bin failed.*offset 499, value a: wrong sum.*STOWAGE_OFFSET=499`, 's'),
    );
  });

  it('of nothing fails', async () => {
    await expect(sweep({ ...plan, file: 'family/case/data/empty', size: 0 })).rejects.toThrow('no place was visited');
  });
});

it('files of one shape take turns', () => {
  expect(['a', 'b', 'c']).toContain(turnOf(['a', 'b', 'c'], 'shape'));
  expect(() => turnOf([], 'shape')).toThrow('nothing to choose from');
});

it('random damage is the same for the same number', () => {
  const bytes = new Uint8Array(64);
  expect(randomDamage(bytes, 'a', 3)).toEqual(randomDamage(bytes, 'a', 3));
  expect(randomDamage(bytes, 'a', 3)).not.toEqual(randomDamage(bytes, 'a', 4));
});
