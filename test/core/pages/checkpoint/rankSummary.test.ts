/** Which rank is odd, in words: what a reader with a thousand ranks looks for. */
import { describe, expect, it } from 'vitest';
import { describeFinding } from '../../../../src/core/findings/describeFindings.js';
import { deviationWords, summarizeRanks } from '../../../../src/core/pages/checkpoint/rankSummary.js';
import { ranksReport } from '../../../builders/ranksReport.js';
import { hostileTexts } from '../../../builders/hostileReport.js';

const usual = 820_000_000;
const summaryOf = (count: number, odd: Record<number, number> = {}) => summarizeRanks(ranksReport(count, odd));
/** Ranks of just these sizes. */
const ofSizes = (...sizes: number[]) => summaryOf(sizes.length, Object.fromEntries(sizes.entries()));

describe('ranks', () => {
  it('are not compared where there is one or none', () => {
    expect(summaryOf(0)).toBeNull();
    expect(summaryOf(1)).toBeNull();
  });

  it('are equal, or nearly so', () => {
    expect(ofSizes(7, 7, 7)?.words).toBe('all of the same size');
    expect(ofSizes(1000, 1000, 1032, 990)).toMatchObject({ words: 'equal within 3.2 %', odd: [] });
    expect(summaryOf(1024)).toMatchObject({ count: '1,024', words: 'equal within < 0.1 %', odd: [] });
    expect(ofSizes(0, 0)?.words).toBe('all of the same size');
  });

  it('that are odd are named, the farthest first', () => {
    expect(summaryOf(1024, { 517: 336_200_000 })?.words).toBe('rank 517 has 336 MB, 59.0 % less than usual');
    const summary = summaryOf(1024, { 3: usual * 1.5, 9: 0, 10: usual * 12.5, 11: usual * 1.2, 12: usual * 1.1 });
    expect(summary?.odd.map(({ rank }) => rank)).toEqual(['10', '9', '3', '11', '12']);
    expect(summary?.words).toBe(
      'rank 10 has 10.3 GB, 12.5 times the usual; rank 9 has 0 B, 100.0 % less than usual; ' +
        'rank 3 has 1.23 GB, 50.0 % more than usual; 2 more differ',
    );
  });

  it('that all differ have no odd one among them', () => {
    expect(ofSizes(172_205, 153_649, 143_981, 118_669)).toMatchObject({ odd: [], words: 'from 119 kB to 172 kB each' });
    expect(ofSizes(10, 20)).toMatchObject({ odd: [], words: 'from 10 B to 20 B each' });
  });

  it('among which most have nothing', () => {
    expect(ofSizes(0, 0, 0, 0, 5)?.words).toBe('rank 4 has 5 B, where most ranks have none');
    expect(deviationWords(0, 0)).toBe('as usual');
  });

  it('are counted against the job, where some are missing', () => {
    const report = ranksReport(7);
    report.topology.worldSize = 8;
    // A finding names ranks that are missing: without one, the others write no files of their own.
    expect(summarizeRanks(report)?.count).toBe('7');
    const missing = { code: 'rank-file-missing', facts: { files: 1, ranks: 1, worldSize: 8, first: 'rank_7.pt' } } as const;
    report.findings = [describeFinding(missing)];
    expect(summarizeRanks(report)?.count).toBe('7 of 8');
    report.topology.worldSize = null;
    expect(summarizeRanks(report)?.count).toBe('7');
  });

  it('have names that stay text', () => {
    const report = ranksReport(8, { 2: 1 });
    report.ranks = report.ranks.map((rank, index) => (index === 2 ? { ...rank, rank: hostileTexts.bidi } : rank));
    expect(summarizeRanks(report)?.words).toContain('\\u202e');
  });
});
