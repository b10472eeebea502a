import { describe, expect, it } from 'vitest';
import { plainConnection } from '../../../src/core/bandwidth/targetFacts.js';
import { fileSystemFacts, bandwidthReport, measurement, sample, latencies } from '../../builders/bandwidthCheck.js';

const replayOf = { replayOf: '/data/runs/step-10', intervalSeconds: 3600 };
const codesOf = (report: ReturnType<typeof bandwidthReport>): string[] => report.verdict.caveats.map(({ code }) => code);

describe('what a bandwidth means', () => {
  it('says how long a save takes, its share of the interval, and what is needed', () => {
    const { verdict, write } = bandwidthReport(replayOf);
    expect(write.medianBytesPerSecond).toBeCloseTo(2.1e9, 3);
    expect(write.minimumBytesPerSecond).toBeCloseTo(2e9, 3);
    expect(write.maximumBytesPerSecond).toBeCloseTo(2.2e9, 3);
    expect(write.spread).toBeCloseTo(0.2 / 2.1, 9);
    expect(verdict.saveSeconds).toBeCloseTo((112e9 + 13) / 2.1e9, 6);
    expect(verdict.saveSecondsRange[0]).toBeCloseTo((112e9 + 13) / 2.2e9, 6);
    expect(verdict.saveSecondsRange[1]).toBeCloseTo((112e9 + 13) / 2e9, 6);
    expect(verdict.restoreSeconds).toBeCloseTo((112e9 + 13) / 3.4e9, 6);
    expect(verdict.intervalShare).toBeCloseTo(verdict.saveSeconds / 3600, 12);
    expect(verdict.neededBytesPerSecond).toBeCloseTo((112e9 + 13) / 360, 3);
    expect(verdict.sentences).toEqual([
      'Writes 2.1 GB/s (median of 3, synced, last file done), reads 3.4 GB/s (cache bypassed).',
      'Saving these 112 GB takes about 53.3 s (50.9 s to 56 s), 1.5 % of the interval of 1 hour.',
      'Staying below 10 % of it needs 311 MB/s: what was measured is 6.75 times that.',
    ]);
  });

  it('says that an interval is assumed where none is given', () => {
    const { verdict } = bandwidthReport({ replayOf: 'x' });
    expect(verdict.interval).toEqual({ seconds: 3600, isAssumed: true });
    expect(verdict.sentences[1]).toContain('an assumed interval of 1 hour');
  });

  it('says when it is not enough', () => {
    const { verdict } = bandwidthReport({ replayOf: 'x', intervalSeconds: 60 });
    expect(verdict.isEnough).toBe(false);
    expect(verdict.sentences[2]).toBe('Staying below 10 % of it needs 18.7 GB/s, 8.89 times what was measured.');
  });

  it('stays a report where nothing was written in the time', () => {
    const nothing = { samples: [sample(0, 0, { isCut: true })], isDirect: true, blocks: latencies(0), syncs: latencies(0) };
    const { verdict, write } = bandwidthReport(replayOf, {}, { write: nothing });
    expect(write).toMatchObject({ medianBytesPerSecond: 0, spread: 0 });
    expect(JSON.stringify(verdict)).not.toMatch(/null|NaN|Infinity/);
  });
});

describe('what cannot be concluded', () => {
  it('names a burst and the scale of a local check', () => {
    expect(codesOf(bandwidthReport(replayOf))).toEqual(['burst', 'scaled']);
  });

  it('names other users and other nodes of a shared file system', () => {
    const report = bandwidthReport(replayOf, { fileSystem: fileSystemFacts({ type: 'lustre' }) });
    expect(codesOf(report)).toEqual(['one-node', 'burst', 'scaled', 'other-users']);
  });

  it.each([
    ['tmpfs', 'memory'],
    ['overlay', 'container-layer'],
  ])('names %s as what it is', (type, code) => {
    const report = bandwidthReport(replayOf, { fileSystem: fileSystemFacts({ type }) });
    expect(codesOf(report)[0]).toBe(code);
    expect(report.fileSystem.meaning).toMatch(/memory|container/);
  });

  it('says when an object store is spoken to without encryption', () => {
    const of = (options: string[]) => bandwidthReport(replayOf, { fileSystem: fileSystemFacts({ type: 's3', options }) });
    expect(codesOf(of(['10.0.0.7:9000', 'us-east-1', plainConnection]))).toContain('not-encrypted');
    expect(codesOf(of(['s3.us-east-1.amazonaws.com', 'us-east-1']))).not.toContain('not-encrypted');
  });

  it.each([
    [{ dataWaitShare: 0.12 }, /12 % of the time, writers waited/],
    [{ dataWaitShare: null, busyShare: 0.97 }, /busy for 97 % of the time/],
  ])('says where the check itself was the limit: %j', (changes, text) => {
    const { io } = measurement();
    const { verdict } = bandwidthReport(replayOf, {}, { io: { ...io, ...changes } });
    expect(verdict.caveats.find(({ code }) => code === 'own-pace')?.text).toMatch(text);
    const calm = bandwidthReport(replayOf, {}, { io: { ...io, dataWaitShare: 0.05, busyShare: 0.9 } });
    expect(codesOf(calm)).not.toContain('own-pace');
  });

  it('names cut, short and uneven repeats, caches, and another check', () => {
    const { write, read } = measurement();
    const samples = [sample(1e9, 0.4, { isCut: true }), sample(1e9, 0.9)];
    const other = { path: 'p', startedAt: '', host: 'h', bytes: 1, files: 1, state: 'running' as const };
    const report = bandwidthReport(
      replayOf,
      { others: [other] },
      { write: { ...write, samples, isDirect: false }, read: { ...read, cache: 'possibly-cached' } },
    );
    expect(codesOf(report)).toEqual([
      'burst',
      'scaled',
      'cut',
      'short',
      'spread',
      'through-cache',
      'cached-reads',
      'other-check',
    ]);
  });
});
