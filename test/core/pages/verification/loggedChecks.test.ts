import { describe, expect, it } from 'vitest';
import {
  loggedItem,
  loggedSentence,
  loggedState,
  logOutcomeWords,
  passedBefore,
} from '../../../../src/core/pages/verification/loggedChecks.js';
import { valuesCheck, verifyCheck } from '../../../builders/logEntry.js';

const same = 'Names, sizes and times of files are the same since.';

describe('logged checks in words', () => {
  it.each([
    [verifyCheck(), `Checksums: all 12 files matched on 2026-11-20 (94 % of bytes covered). ${same}`],
    [
      verifyCheck({ matched: 10, unverifiable: 2 }),
      `Checksums: 10 of 12 files matched on 2026-11-20 (94 % of bytes covered). ${same}`,
    ],
    [
      verifyCheck({ matched: 11, failed: 1, coveredBytes: 1000 }),
      `Checksums: 1 of 12 files failed on 2026-11-20 (100 % of bytes covered). ${same}`,
    ],
    [verifyCheck({ matched: 0, unverifiable: 12 }), `Checksums: none covered any of 12 files on 2026-11-20. ${same}`],
    [
      verifyCheck({ path: 'checkpoint-30', matched: 1, changed: { files: 13, newer: 3 } }),
      'Checksums of checkpoint-30: the file matched on 2026-11-20 (94 % of bytes covered). Changed since: 3 files are newer, 13 files are here in place of 12.',
    ],
    [
      verifyCheck({ changed: { files: 12, newer: 0 } }),
      'Checksums: all 12 files matched on 2026-11-20 (94 % of bytes covered). Changed since: names, sizes or times of files differ.',
    ],
    [valuesCheck(), `Values: no NaN and no Inf in weights and optimizer state, 291 tensors read on 2026-11-20 (2 MB). ${same}`],
    [
      valuesCheck({ tensors: 290, notRead: 1, notFinite: 2 }),
      `Values: NaN or Inf in 2 tensors, 290 of 291 tensors read on 2026-11-20 (2 MB). ${same}`,
    ],
    [valuesCheck({ tensors: 0, notRead: 3 }), `Values: those of 3 tensors were not read on 2026-11-20. ${same}`],
  ])('%#', (check, text) => {
    expect(loggedSentence(check)).toBe(text);
  });

  it('are items of a list as well', () => {
    expect(loggedItem(verifyCheck({ changed: { files: 1, newer: 1 } }))).toBe(
      'checksums: all 12 files matched on 2026-11-20 (94 % of bytes covered); changed since: 1 file is newer, 1 file is here in place of 12',
    );
  });

  it('passed only where something was compared, and nothing failed or changed', () => {
    const changed = { files: 12, newer: 1 };
    expect([verifyCheck(), valuesCheck()].map(loggedState)).toEqual(['passed', 'passed']);
    expect(loggedState(valuesCheck({ errors: 1 }))).toBe('open');
    expect([verifyCheck({ failed: 1 }), valuesCheck({ notFinite: 1 })].map(loggedState)).toEqual(['failed', 'failed']);
    const open = [
      verifyCheck({ changed }),
      verifyCheck({ failed: 1, changed }),
      verifyCheck({ matched: 0 }),
      valuesCheck({ tensors: 0 }),
    ];
    expect(open.map(loggedState)).toEqual(open.map(() => 'open'));
  });

  it('of many checkpoints are the first, and how many more', () => {
    const loggedChecks = Array.from({ length: 11 }, (_, index) => verifyCheck({ path: `checkpoint-${index}` }));
    expect(passedBefore({ loggedChecks })).toHaveLength(9);
    expect(passedBefore({ loggedChecks }).at(-1)).toBe('3 more in the log.');
    expect(passedBefore({})).toEqual([]);
  });

  it('show names of files as text', () => {
    expect(loggedSentence(verifyCheck({ path: 'a\u202eb' }))).not.toContain('\u202e');
    expect(logOutcomeWords({ path: '/r/\u202e', problem: null }).join()).not.toContain('\u202e');
  });

  it('say whether an entry was made', () => {
    expect(logOutcomeWords(undefined)).toEqual([]);
    expect(logOutcomeWords({ path: '/r/.stowage/verified.json', problem: 'it is no JSON' })).toEqual([
      'Not logged in /r/.stowage/verified.json: it is no JSON.',
    ]);
  });
});
