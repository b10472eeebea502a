import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBandwidthReport, readBandwidthReport } from '../../../src/core/bandwidth/readBandwidthReport.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { planOfBandwidth } from '../../../src/core/planning/sources/planOfBandwidth.js';
import { renderBandwidthTerminal } from '../../../src/core/pages/bandwidth/bandwidthTerminal.js';
import { bandwidthCharts } from '../../../src/core/pages/bandwidth/bandwidthCharts.js';
import { renderBandwidthMarkdown } from '../../../src/core/pages/bandwidth/bandwidthMarkdown.js';
import { chartSvg } from '../../../src/core/pages/charts/chartSvg.js';
import {
  bandwidthReport,
  fileSystemFacts,
  measurement,
  sustainedMeasurement,
  sweepMeasurement,
} from '../../builders/bandwidthCheck.js';
import { runs } from '../../builders/seed.js';

const report = bandwidthReport({ replayOf: '/data/runs/step-10', intervalSeconds: 1800 });

const full = bandwidthReport(
  { replayOf: '/data/runs/step-10', sweepStreams: [1, 2, 8], isSustained: true },
  {},
  {
    sweep: sweepMeasurement({ 1: 0.9e9, 2: 1.9e9, 8: 2e9 }),
    sustained: sustainedMeasurement(Array.from({ length: 300 }, (_, second) => (second < 100 ? 2e9 : 0.6e9))),
  },
);

describe('a report out of a file', () => {
  it('is the report that was written', () => {
    expect(parseBandwidthReport(JSON.stringify(report))).toEqual(report);
    const lustre = fileSystemFacts({ type: 'lustre', stripe: { count: -1, sizeBytes: 4 << 20 } });
    const other = bandwidthReport({}, { fileSystem: lustre }, { metadata: null });
    expect(parseBandwidthReport(JSON.stringify(other, null, 2))).toEqual(other);
  });

  it('may be of version 1 or 2: its numbers are judged as they are now', () => {
    const { shape, verdict, sweep, sustained, ...rest } = report;
    expect([sweep, sustained]).toEqual([null, null]);
    const { replayOf, ...files } = shape;
    const { caveats, interval } = verdict;
    // What the median had decided.
    const before = { sentences: ['Writes 2.1 GB/s.'], saveSeconds: 53.3, interval, isEnough: true };
    const second = { ...rest, schemaVersion: 2, shape, verdict: { ...before, caveats } };
    const first = {
      ...rest,
      schemaVersion: 1,
      shape: { like: replayOf, ...files },
      verdict: { ...before, cannotConclude: caveats },
    };
    expect(caveats.length).toBeGreaterThan(0);
    expect(readBandwidthReport(second)).toEqual(report);
    expect(readBandwidthReport(first)).toEqual(report);
    for (const schemaVersion of [1, 3, 4]) expect(readBandwidthReport({ ...second, schemaVersion })).toBeNull();
    for (const schemaVersion of [2, 3]) expect(readBandwidthReport({ ...first, schemaVersion })).toBeNull();
  });

  it('of an earlier version keeps that another check was running, and that an interval was assumed', () => {
    const others = [{ path: 'p', startedAt: '', host: 'h', bytes: 1, files: 1, state: 'running' as const }];
    const { sweep: _sweep, sustained: _sustained, ...disturbed } = bandwidthReport({}, { others });
    const read = readBandwidthReport({ ...disturbed, schemaVersion: 2 });
    expect(read?.verdict).toEqual(disturbed.verdict);
    expect(read?.verdict.caveats.map(({ code }) => code)).toContain('other-check');
  });

  it('has its sweep and its sustained rate', () => {
    expect(readBandwidthReport(JSON.parse(JSON.stringify(full)))).toEqual(full);
    expect(readBandwidthReport({ ...full, sweep: { ...full.sweep, points: [] } })).toBeNull();
    const curve = Array.from({ length: limits.sustainedCurvePoints + 1 }, () => ({ seconds: 1, bytesPerSecond: 1 }));
    expect(readBandwidthReport({ ...full, sustained: { ...full.sustained, curve } })).toBeNull();
  });

  it('is refused wherever it is cut', () => {
    const text = JSON.stringify(full);
    for (let length = 0; length < text.length; length++) expect(parseBandwidthReport(text.slice(0, length))).toBeNull();
  });

  it('is refused or can be shown, whatever a field holds', () => {
    const paths: string[][] = [];
    const walk = (value: unknown, path: string[]): void => {
      paths.push(path);
      if (typeof value === 'object' && value !== null)
        for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
    };
    walk(full, []);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
        const read = readBandwidthReport(replaced(full, path, value));
        if (read === null) return;
        expect(renderBandwidthTerminal(read, { width: 80, color: false })).not.toContain('NaN');
        planOfBandwidth(read);
        expect(renderBandwidthMarkdown(read, 'charts')).not.toContain('NaN');
        for (const chart of bandwidthCharts(read)) expect(chartSvg(chart)).not.toContain('NaN');
      }),
      runs(100, 5000),
    );
  });
});

describe('a plan from a report', () => {
  it('has what was measured, and the interval where it was given', () => {
    const { inputs, origins, name } = planOfBandwidth(report);
    expect(name).toBe('step-10');
    expect(inputs).toMatchObject({ checkpointBytes: 112e9 + 13, intervalSeconds: 1800 });
    expect(inputs.writeBytesPerSecond).toBeCloseTo(2.1e9, 3);
    expect(origins.writeBytesPerSecond).toEqual({ kind: 'measured', text: 'one node at runs, 2026-01-02' });
  });

  it.each([
    ['nfs', false],
    ['s3', true],
    ['tmpfs', true],
  ])('has no rate of reads that may have come from memory: %s', (type, isKept) => {
    const { read } = measurement();
    const cached = bandwidthReport(
      {},
      { fileSystem: fileSystemFacts({ type }) },
      { read: { ...read, cache: 'possibly-cached' } },
    );
    expect(cached.verdict.restoreSeconds === null).toBe(!isKept);
    expect(Object.keys(planOfBandwidth(cached).inputs).filter((key) => /read/i.test(key))).toEqual([]);
  });

  it('has no size and no interval that was not given', () => {
    const { inputs } = planOfBandwidth(bandwidthReport());
    expect(Object.keys(inputs)).not.toContain('checkpointBytes');
    expect(Object.keys(inputs)).not.toContain('intervalSeconds');
  });

  it('of a node’s own drives is of one node that saves to them', () => {
    const { inputs } = planOfBandwidth(report);
    expect(inputs).toMatchObject({ store: 'local-nvme', gpus: 8 });
    expect(inputs.nvmeWriteBytesPerSecond).toBe(inputs.writeBytesPerSecond);
    const plan = makePlan({ inputs: { ...inputs, objectStore: 'none' }, measured: [], saved: [] });
    expect(plan.risks.risks).toContainEqual(expect.objectContaining({ id: 'no-copy', failure: 'node' }));
  });

  it.each([
    ['lustre', 'lustre'],
    ['nfs4', 'nfs'],
    ['gpfs', 'storage-scale'],
    ['panfs', undefined],
  ])('of one node on %s has its way to the storage, and leaves open what the whole storage gives', (type, store) => {
    const { inputs } = planOfBandwidth(bandwidthReport({}, { fileSystem: fileSystemFacts({ type }) }));
    expect(inputs.store).toBe(store);
    expect(inputs.clientBytesPerSecond).toBeCloseTo(2.1e9, 3);
    expect(inputs.writeBytesPerSecond).toBeUndefined();
    expect(inputs.gpus).toBeUndefined();
  });

  it('has the sustained rate where it was measured, wherever the storage is', () => {
    const { inputs, origins } = planOfBandwidth(full);
    expect(inputs.writeBytesPerSecond).toBeCloseTo(0.6e9, -6);
    expect(inputs.nvmeWriteBytesPerSecond).toBe(inputs.writeBytesPerSecond);
    expect(origins.writeBytesPerSecond).toEqual({ kind: 'measured', text: 'one node, sustained, at runs, 2026-01-02' });
    const lustre = bandwidthReport(
      { isSustained: true },
      { fileSystem: fileSystemFacts({ type: 'lustre' }) },
      { sustained: sustainedMeasurement(Array.from({ length: 60 }, () => 1.5e9)) },
    );
    expect(planOfBandwidth(lustre).inputs.clientBytesPerSecond).toBeCloseTo(1.5e9, 3);
  });

  it('has the median where the rate had fallen, not settled, and was above it', () => {
    const rates = Array.from({ length: 72 }, (_, second) => (second < 60 ? 6e9 : 3e9));
    const rising = bandwidthReport({ isSustained: true }, {}, { sustained: sustainedMeasurement(rates) });
    expect(rising.sustained?.outcome).toBe('unsettled');
    expect(planOfBandwidth(rising).inputs.writeBytesPerSecond).toBeCloseTo(2.1e9, 3);
  });

  it('of memory has no rate', () => {
    expect(planOfBandwidth(bandwidthReport({}, { fileSystem: fileSystemFacts({ type: 'tmpfs' }) })).inputs).toEqual({});
  });
});

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}
