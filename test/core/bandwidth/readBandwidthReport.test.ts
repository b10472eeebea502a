import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBandwidthReport, readBandwidthReport } from '../../../src/core/bandwidth/readBandwidthReport.js';
import { makePlan } from '../../../src/core/planning/storagePlan.js';
import { planOfBandwidth } from '../../../src/core/planning/sources/planOfBandwidth.js';
import { renderBandwidthTerminal } from '../../../src/core/pages/bandwidth/bandwidthTerminal.js';
import { bandwidthReport, fileSystemFacts, measurement } from '../../builders/bandwidthCheck.js';
import { runs } from '../../builders/seed.js';

const report = bandwidthReport({ replayOf: '/data/runs/step-10', intervalSeconds: 1800 });

describe('a report out of a file', () => {
  it('is the report that was written', () => {
    expect(parseBandwidthReport(JSON.stringify(report))).toEqual(report);
    const lustre = fileSystemFacts({ type: 'lustre', stripe: { count: -1, sizeBytes: 4 << 20 } });
    const other = bandwidthReport({}, { fileSystem: lustre }, { metadata: null });
    expect(parseBandwidthReport(JSON.stringify(other, null, 2))).toEqual(other);
  });

  it('may be of version 1, with earlier names of two fields', () => {
    const { shape, verdict } = report;
    const { replayOf, ...files } = shape;
    const { caveats, ...numbers } = verdict;
    const first = {
      ...report,
      schemaVersion: 1,
      shape: { like: replayOf, ...files },
      verdict: { ...numbers, cannotConclude: caveats },
    };
    expect(caveats.length).toBeGreaterThan(0);
    expect(readBandwidthReport(first)).toEqual(report);
    expect(readBandwidthReport({ ...first, schemaVersion: 2 })).toBeNull();
    expect(readBandwidthReport({ ...first, schemaVersion: 3 })).toBeNull();
  });

  it('is refused wherever it is cut', () => {
    const text = JSON.stringify(report);
    for (let length = 0; length < text.length; length++) expect(parseBandwidthReport(text.slice(0, length))).toBeNull();
  });

  it('is refused or can be shown, whatever a field holds', () => {
    const paths: string[][] = [];
    const walk = (value: unknown, path: string[]): void => {
      paths.push(path);
      if (typeof value === 'object' && value !== null)
        for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
    };
    walk(report, []);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
        const read = readBandwidthReport(replaced(report, path, value));
        if (read === null) return;
        expect(renderBandwidthTerminal(read, { width: 80, color: false })).not.toContain('NaN');
        planOfBandwidth(read);
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
