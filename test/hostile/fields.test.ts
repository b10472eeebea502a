/** Wherever a length could be: 0, the largest values and powers of two in its place, and random bytes. Always a report with exact sums. */
import { describe, expect, it } from 'vitest';
import { sweepFields, sweepRandomDamage } from './damage.js';
import { chosenOf, isTorch, singleFiles } from './fixtureFiles.js';
import type { Budgets } from './structure.js';

/** Larger files have more payload, not more headers. */
const maxBytes = 20_000;
const files = await singleFiles(maxBytes);

const budgets: Budgets = { edge: 8, nearEdge: 150, nearBytes: 700, headers: 40, rest: 150 };
/** Half of all shapes are torch's: their containers are alike. */
const torchBudgets: Budgets = { edge: 6, nearEdge: 24, nearBytes: 400, headers: 32, rest: 32 };

describe.each(chosenOf(files))('$name', (file) => {
  it('survives fields replaced', async () => {
    // Also in the exhaustive run no more places than a file of that size has.
    const most = file.bytes.byteLength <= maxBytes ? {} : { exhaustive: maxBytes };
    await sweepFields(file, { ...(isTorch(file) ? torchBudgets : budgets), ...most });
  });

  it('survives random damage', async () => {
    await sweepRandomDamage(file, isTorch(file) ? 8 : 40, 1000);
  });
});

it('runs over real files', () => expect(files.length).toBeGreaterThan(15));
