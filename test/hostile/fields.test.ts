/** Wherever a length could be: 0, the largest values and powers of two in its place, and random bytes. Always a report with exact sums. */
import { describe, expect, it } from 'vitest';
import { sweepFields, sweepRandomDamage } from './damage.js';
import { chosenOf, singleFiles } from './fixtureFiles.js';

/** Larger files have more payload, not more headers. */
const files = (await singleFiles()).filter(({ bytes }) => bytes.byteLength <= 20_000);

describe.each(chosenOf(files))('$name', (file) => {
  it('survives fields replaced', async () => {
    await sweepFields(file, { edge: 8, nearEdge: 16, headers: 36, rest: 36 });
  });

  it('survives random damage', async () => {
    await sweepRandomDamage(file, 12, 1000);
  });
});

it('runs over real files', () => expect(files.length).toBeGreaterThan(0));
