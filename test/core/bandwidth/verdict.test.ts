import { describe, expect, it } from 'vitest';
import { plainConnection, proxiedConnection } from '../../../src/core/bandwidth/targetFacts.js';
import { previewCheck } from '../../../src/core/bandwidth/checkPreview.js';
import { makeBandwidthReport } from '../../../src/core/bandwidth/makeBandwidthReport.js';
import { repeatsChart } from '../../../src/core/pages/bandwidth/bandwidthCharts.js';
import {
  bandwidthReport,
  checkSettings,
  fileSystemFacts,
  latencies,
  measurement,
  sample,
  sustainedMeasurement,
  targetFacts,
} from '../../builders/bandwidthCheck.js';

const replayOf = { replayOf: '/data/runs/step-10', intervalSeconds: 3600 };
const codesOf = (report: ReturnType<typeof bandwidthReport>): string[] => report.verdict.caveats.map(({ code }) => code);

/** Small files of 1 ms each, as 8 streams make them. */
const ofFiles = (changes: object = {}) => ({ metadata: { ...measurement().metadata!, files: 1000, seconds: 1, ...changes } });
const oneInterval = (intervalSeconds: number) => ({ replayOf: '/data/runs/step-10', intervalSeconds });
const writes = (...rates: number[]) => ({
  write: { ...measurement().write, samples: rates.map((rate) => sample(4 * 2 ** 30, (4 * 2 ** 30) / rate)) },
});

describe('what a bandwidth means', () => {
  it('says how long a save takes with its files, its share of the interval, what was written of it, and what is needed', () => {
    const { verdict, write } = bandwidthReport(replayOf);
    expect(write.medianBytesPerSecond).toBeCloseTo(2.1e9, 3);
    expect(write.minimumBytesPerSecond).toBeCloseTo(2e9, 3);
    expect(write.maximumBytesPerSecond).toBeCloseTo(2.2e9, 3);
    expect(write.spread).toBeCloseTo(0.2 / 2.1, 9);
    const files = (10 * 0.5) / 1000;
    expect(verdict.saveSeconds).toBeCloseTo((112e9 + 13) / 2.1e9 + files, 6);
    expect(verdict.saveSecondsRange[0]).toBeCloseTo((112e9 + 13) / 2.2e9 + files, 6);
    expect(verdict.saveSecondsRange[1]).toBeCloseTo((112e9 + 13) / 2e9 + files, 6);
    expect(verdict.restoreSeconds).toBeCloseTo((112e9 + 13) / 3.4e9, 6);
    expect(verdict.intervalShare).toBeCloseTo(verdict.saveSeconds / 3600, 12);
    expect(verdict.neededBytesPerSecond).toBeCloseTo((112e9 + 13) / (360 - files), 3);
    expect(verdict.sentences).toEqual([
      'May be enough: saving these 112 GB takes about 53.3 s (50.9 s to 56 s), 1.5 % of the interval of 1 hour. 4.29 GB of 112 GB written: 3.8 %.',
      'Writes 2.1 GB/s (median of 3, synced, last file done), reads 3.4 GB/s (cache bypassed).',
      'Staying below 10 % of the interval needs 311 MB/s: the slowest repeat is 6.43 times that, but only 200 MB/s (10 % of it) may be left after a burst. Measure the sustained rate to decide.',
    ]);
  });

  it('says that an interval is assumed where none is given', () => {
    const { verdict } = bandwidthReport({ replayOf: 'x' });
    expect(verdict.interval).toEqual({ seconds: 3600, isAssumed: true });
    expect(verdict.sentences[0]).toContain('an assumed interval of 1 hour');
  });

  it('says nothing of a share where the whole save was written', () => {
    const { verdict, shape } = bandwidthReport({ sizeBytes: 4 * 2 ** 30 });
    expect(shape.scale).toBe(1);
    expect(verdict.sentences[0]).not.toContain('written:');
  });

  it('stays a report where nothing was written in the time', () => {
    const nothing = { samples: [sample(0, 0, { isCut: true })], isDirect: true, blocks: latencies(0), syncs: latencies(0) };
    const { verdict, write } = bandwidthReport(replayOf, {}, { write: nothing });
    expect(write).toMatchObject({ medianBytesPerSecond: 0, spread: 0 });
    expect(verdict.sufficiency).toBe('not-enough');
    expect(verdict.sentences[0]).toBe('Not enough: nothing was written in the time.');
    expect(JSON.stringify(verdict).replaceAll('"caveat":null', '')).not.toMatch(/null|NaN|Infinity/);
  });
});

describe('whether a bandwidth is enough', () => {
  it('is not where the median is not', () => {
    const { verdict } = bandwidthReport(oneInterval(60));
    expect(verdict).toMatchObject({
      sufficiency: 'not-enough',
      isEnough: false,
      decidedBy: { bound: 'expected', of: 'repeats', caveat: null },
    });
    expect(verdict.sentences[2]).toBe('Staying below 10 % of the interval needs 18.7 GB/s, 8.9 times what was measured.');
  });

  it('is open where the median is and the slowest repeat is not', () => {
    const { verdict, write } = bandwidthReport(oneInterval(600), {}, writes(0.5e9, 2.1e9, 2.9e9));
    expect(write.spread).toBeGreaterThan(1.1);
    expect(verdict).toMatchObject({
      sufficiency: 'may-be-enough',
      isEnough: false,
      decidedBy: { bound: 'slowest', of: 'repeats', caveat: null },
    });
    expect(verdict.sentences[0]).toMatch(/^May be enough: /);
    expect(verdict.sentences[2]).toBe(
      'Staying below 10 % of the interval needs 1.87 GB/s: the median is 1.12 times that, the slowest repeat is 0.268 times that.',
    );
  });

  it('is open where the slowest repeat is and what a burst may leave is not', () => {
    const { verdict } = bandwidthReport(replayOf);
    expect(verdict).toMatchObject({
      sufficiency: 'may-be-enough',
      isEnough: false,
      decidedBy: { bound: 'caveat', of: 'repeats', caveat: 'burst' },
      lowerBound: { caveat: 'burst' },
    });
    expect(verdict.lowerBound.bytesPerSecond).toBeCloseTo(0.2e9, 3);
    expect(verdict.lowerBound.saveSeconds).toBeCloseTo(560, 0);
  });

  it('is given where even what a burst may leave is enough', () => {
    const { verdict } = bandwidthReport(oneInterval(4 * 3600));
    expect(verdict).toMatchObject({
      sufficiency: 'enough',
      isEnough: true,
      decidedBy: { bound: 'caveat', of: 'repeats', caveat: 'burst' },
    });
    expect(verdict.sentences[2]).toMatch(/and the 200 MB\/s \(10 % of it\) that may be left after a burst are enough too\.$/);
  });

  it('is given by the slowest repeat where the whole save was written, however long a burst lasts', () => {
    const { verdict } = bandwidthReport({ sizeBytes: 4 * 2 ** 30, intervalSeconds: 60 });
    expect(codesOf(bandwidthReport({ sizeBytes: 4 * 2 ** 30 }))).toContain('burst');
    expect(verdict).toMatchObject({
      sufficiency: 'enough',
      decidedBy: { bound: 'slowest', of: 'repeats', caveat: null },
      lowerBound: { bytesPerSecond: verdict.slowestRate.bytesPerSecond, caveat: null },
    });
  });

  it('leaves half to other users of a shared file system', () => {
    const lustre = { fileSystem: fileSystemFacts({ type: 'lustre' }) };
    const { verdict } = bandwidthReport({ sizeBytes: 4 * 2 ** 30, intervalSeconds: 30 }, lustre);
    expect(verdict.lowerBound).toMatchObject({ caveat: 'other-users' });
    expect(verdict.lowerBound.bytesPerSecond).toBeCloseTo(1e9, 3);
    expect(verdict.decidedBy.caveat).toBe('other-users');
    expect(verdict.sentences[2]).toMatch(
      /but only 1 GB\/s \(50 % of it\) may be left beside other users\. Check again at a busy hour\.$/,
    );
  });

  it('never calls enough what its own lower bound is not', () => {
    for (const intervalSeconds of [1, 30, 60, 600, 3600, 1e5, 1e9])
      for (const rates of [[2e9], [1e6, 1e9, 3e9], [0, 2e9, 2e9]])
        for (const type of ['ext4', 'lustre', 'tmpfs', 's3']) {
          const { verdict } = bandwidthReport(
            oneInterval(intervalSeconds),
            { fileSystem: fileSystemFacts({ type }) },
            writes(...rates),
          );
          const { lowerBound, saveSeconds, isEnough, sufficiency } = verdict;
          expect(isEnough).toBe(lowerBound.saveSeconds <= 0.1 * intervalSeconds);
          expect(sufficiency === 'not-enough').toBe(saveSeconds > 0.1 * intervalSeconds);
        }
  });
});

describe('what files take of a save', () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({ name: `f${index}`, sizeBytes: 1e6 }));
  const ofMany = (intervalSeconds: number, metadata: object, files = many) => {
    const asked = checkSettings({ replayOf: 'x', intervalSeconds });
    const { request } = previewCheck(asked, targetFacts(), { replayOf: 'x', files });
    const measured = measurement(ofFiles(metadata));
    return makeBandwidthReport({
      settings: asked,
      request: request ?? expect.fail(),
      facts: targetFacts(),
      measurement: measured,
    });
  };

  it('is a part of the save, and is said where it is felt', () => {
    const { verdict } = ofMany(600, { seconds: 0.2 });
    expect(verdict.files).toMatchObject({ files: 5000, secondsPerFile: 0.0002 });
    expect(verdict.files?.seconds).toBeCloseTo(1, 9);
    expect(verdict.saveSeconds).toBeCloseTo(5e9 / 2.1e9 + 1, 6);
    expect(verdict.sentences.at(-1)).toBe(
      'Its 5,000 files take 1 s of these 3.38 s (29.6 %), 200 µs for each to be created, synced, renamed and removed.',
    );
  });

  it('is not said of some large files', () => {
    expect(bandwidthReport(replayOf).verdict.files?.saveShare).toBeLessThan(1e-3);
    expect(bandwidthReport(replayOf).verdict.sentences.join(' ')).not.toContain('renamed');
  });

  it('is said to dominate, and decides', () => {
    const { verdict } = ofMany(100, { seconds: 2 });
    expect(verdict.sentences.at(-1)).toBe(
      'Files dominate: 5,000 files take 10 s of these 12.4 s, 2 ms for each to be created, synced, renamed and removed. Fewer and larger files are faster.',
    );
    expect(verdict.sufficiency).toBe('not-enough');
    expect(verdict.neededBytesPerSecond).toBeNull();
    expect(verdict.sentences[2]).toBe('No bandwidth is enough: the files alone take more than 10 % of the interval.');
    expect(repeatsChart(ofMany(100, { seconds: 2 })).marks).toEqual([]);
  });

  it('is unknown where no small files were made', () => {
    for (const metadata of [null, { ...measurement().metadata!, files: 0 }])
      expect(bandwidthReport(replayOf, {}, { metadata }).verdict.files).toBeNull();
  });
});

describe('a sustained rate', () => {
  const asked = { ...replayOf, isSustained: true };
  const fell = sustainedMeasurement([...Array.from({ length: 30 }, () => 2.1e9), ...Array.from({ length: 30 }, () => 0.5e9)]);
  const steady = (seconds: number, changes = {}) =>
    sustainedMeasurement(
      Array.from({ length: seconds }, () => 2.05e9),
      { endedBy: 'bytes', ...changes },
    );

  it('decides in place of the median, and takes the place of the caveats of a burst', () => {
    const report = bandwidthReport(asked, {}, { sustained: fell });
    expect(report.sustained).toMatchObject({ outcome: 'fell', endedBy: 'settled' });
    expect(codesOf(report)).toEqual([]);
    expect(report.verdict).toMatchObject({
      sufficiency: 'enough',
      decidedBy: { bound: 'slowest', of: 'sustained', caveat: null },
      expectedRate: { of: 'sustained' },
    });
    expect(report.verdict.saveSeconds).toBeCloseTo(112e9 / 0.5e9, 0);
    expect(report.verdict.sentences[0]).toMatch(/ 78 GB of 112 GB written: 69\.6 %\.$/);
    expect(report.verdict.sentences[2]).toBe(
      'Sustained: falls from 2.1 GB/s to 500 MB/s after 63 GB (30 s) and the 12.9 GB of this check before them.',
    );
  });

  it('is of the repeats where they had spent the burst', () => {
    const slow = sustainedMeasurement(Array.from({ length: 60 }, () => 0.5e9));
    const report = bandwidthReport(asked, {}, { sustained: slow });
    expect(report.sustained).toMatchObject({ outcome: 'spent-before', burst: { bytes: 3 * 4 * 2 ** 30 } });
    expect(codesOf(report)).toEqual([]);
    expect(report.verdict.sentences[2]).toBe(
      'Sustained: 500 MB/s; no fall within 30 GB (60 s), but the repeats wrote 2.1 GB/s: they had spent a burst of at most 12.9 GB.',
    );
  });

  it('without a fall within the bytes of a save leaves the caveat of the room that was used again', () => {
    const report = bandwidthReport(asked, {}, { sustained: steady(60) });
    expect(report.sustained).toMatchObject({ outcome: 'steady', burst: null });
    expect(report.verdict.sentences[2]).toBe('Sustained: 2.05 GB/s; no fall within 123 GB (60 s).');
    expect(codesOf(report)).toEqual(['reused-room']);
    expect(report.verdict.sentences[0]).not.toContain('written:');
    expect(report.verdict.lowerBound.caveat).toBe('reused-room');
    expect(report.verdict.sufficiency).toBe('enough');
  });

  it('that ended before a save’s bytes, or was still falling, leaves the burst open', () => {
    const short = bandwidthReport(asked, {}, { sustained: steady(20) });
    expect(codesOf(short)).toEqual(['burst', 'reused-room', 'scaled']);
    const falling = sustainedMeasurement([...Array.from({ length: 60 }, () => 2e9), ...Array.from({ length: 12 }, () => 1e9)]);
    const unsettled = bandwidthReport(asked, {}, { sustained: { ...falling, endedBy: 'seconds' } });
    expect(unsettled.sustained?.outcome).toBe('unsettled');
    expect(codesOf(unsettled)).toEqual(['burst', 'scaled']);
    expect(unsettled.verdict.expectedRate).toMatchObject({ of: 'sustained' });
    expect(unsettled.verdict.sentences[2]).toContain('had not settled after 132 GB');
  });

  it('is a rate also where all was written within one look', () => {
    const report = bandwidthReport(asked, {}, { sustained: { ...steady(0), bytes: 1e9, seconds: 0.5 } });
    expect(report.sustained).toMatchObject({ bytesPerSecond: 2e9, curve: [{ seconds: 0.5, bytesPerSecond: 2e9 }] });
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
    expect(codesOf(of(['10.0.0.7:9000', 'us-east-1', proxiedConnection]))).toContain('through-proxy');
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
