/** Every shape of a checkpoint file cut short: a report with exact sums, and the damage noticed. */
import { describe, expect, it } from 'vitest';
import { sweepCuts } from './damage.js';
import { chosenOf, isTorch, singleFiles } from './fixtureFiles.js';
import type { Budgets } from './structure.js';

const files = await singleFiles(200_000);

const budgets: Budgets = { edge: 16, nearEdge: 40, nearBytes: 700, headers: 30, rest: 40 };
/** Half of all shapes are torch's: their containers are alike. */
const torchBudgets: Budgets = { edge: 8, nearEdge: 16, headers: 24, rest: 32 };

/** The count of a msgpack map, its first key and what stands below it. */
const recognisedBytes = 6;

describe.each(chosenOf(files))('$name', (file) => {
  it('gives an exact account wherever it is cut, and reports that it was', async () => {
    // A file whose name has no extension, or that of many formats, is recognised by its first bytes: without them it is another file.
    const leastBytes = file.path.includes('.') && !/\.(bin|zip)$/.test(file.path) ? 0 : recognisedBytes;
    // Behind a vocabulary without tensors GGUF has padding at most, which older writers leave out.
    const isPadding = (length: number): boolean =>
      file.name.startsWith('gguf/vocab-only') && file.bytes.subarray(length).every((byte) => byte === 0);
    await sweepCuts(file, isTorch(file) ? torchBudgets : budgets, (length) => length >= leastBytes && !isPadding(length));
  });
});

it('runs over real files', () => expect(files.length).toBeGreaterThan(15));
