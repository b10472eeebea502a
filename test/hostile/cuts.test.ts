/** Every shape of a checkpoint file cut short: a report with exact sums, and the damage noticed. */
import { describe, expect, it } from 'vitest';
import { sweepCuts } from './damage.js';
import { chosenOf, singleFiles } from './fixtureFiles.js';

const files = await singleFiles();

describe.each(chosenOf(files))('$name', (file) => {
  it('gives an exact account wherever it is cut, and reports that it was', async () => {
    await sweepCuts(file, { edge: 8, nearEdge: 16, headers: 24, rest: 40 });
  });
});

it('runs over real files', () => expect(files.length).toBeGreaterThan(0));
