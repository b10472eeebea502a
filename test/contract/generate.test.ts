import { expect, it } from 'vitest';
import { changedFiles } from '../../scripts/generate.mjs';
import { findingSubjects, findingTable } from '../../src/core/findings/findingTable.js';

it('committed files are those that `npm run generate` writes', async () => {
  expect([...(await changedFiles()).keys()]).toEqual([]);
});

it('every finding has a subject', () => {
  expect(Object.values(findingSubjects).flatMap((findings) => Object.keys(findings))).toEqual(Object.keys(findingTable));
});
