/** What the editor asks of values: those of one tensor by its row. */
import { describe, expect, it } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { readTasks } from '../../../src/core/values/readTasks.js';
import { createValuesReader } from '../../../src/platform/values/valuesReader.js';
import { createValuesService } from '../../../src/platform/valuesService.js';
import type { ReadingProgress } from '../../../src/protocol/messages.js';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const { signal } = new AbortController();
const f32 = (...values: number[]) => ({
  dtype: 'F32',
  shape: [values.length],
  data: new Uint8Array(Float32Array.from(values).buffer),
});
const z = { ...f32(1, 1, 1, 1, 1, 1, Infinity, 8, -7, 0, 0.25, 4), shape: [2, 2, 3] };
const file = buildSafetensors({ tensors: { a: f32(1, 2), b: f32(3, NaN, 5, 6), text: { dtype: 'F6_E2M3', shape: [4] }, z } });

async function started(log?: ReadLog) {
  const tree = memoryTree('m', { 'model.safetensors': file }, log);
  const { report, tensors: table } = await inspect(tree, { path: '/m' });
  if (report.kind !== 'checkpoint') throw new Error(report.kind);
  const sent: ReadingProgress[] = [];
  const reader = createValuesReader({
    path: '/m',
    openTree: () => Promise.resolve(tree),
    readValues: (reading, hooks) => readTasks(reading.tree, reading.tasks, hooks),
    log: (_tree, { tensors }) => Promise.resolve({ path: `/.stowage/verified.json of ${tensors}`, problem: null }),
  });
  const service = createValuesService(
    reader,
    () => ({ table, files: report.files, findings: report.findings }),
    (progress) => sent.push(progress),
  );
  return { service, sent };
}

describe('the service of values', () => {
  it('reads one tensor and no byte of another, and says how far it is', async () => {
    const log: ReadLog = { reads: [] };
    const { service, sent } = await started(log);
    const before = log.reads.length;
    const report = await service.tensorValues({ row: 1 }, signal);
    expect(report.tensors).toMatchObject([{ name: 'b', count: 4, nan: 1, min: 3, max: 6, first: { index: [1] } }]);
    expect(log.reads.slice(before)).toMatchObject([{ length: 16 }]);
    expect(sent).toEqual([{ row: 1, bytesRead: 16, totalBytes: 16 }]);
  });

  it('shows a part of a tensor, and draws a matrix', async () => {
    const { service } = await started();
    expect(await service.tensorGrid({ row: 1, index: [1], rows: 2, columns: 8 }, signal)).toMatchObject({
      rows: [1, 2],
      columns: [0],
      cells: [[{ text: 'NaN', isOdd: true }], [{ text: '5', isOdd: false }]],
    });
    expect(await service.tensorGrid({ row: 1, index: [0], rows: 1e9, columns: 1e9 }, signal)).toMatchObject({
      rows: [0, 1, 2, 3],
    });
    for (const index of [[-1], [4], [0.5], [NaN]])
      await expect(service.tensorGrid({ row: 1, index, rows: 1, columns: 1 }, signal)).rejects.toThrow(
        'axis 0 has indices below 4',
      );
    await expect(service.tensorHeatMap({ row: 1, index: [0] }, signal)).rejects.toThrow('two axes');
    expect(await service.tensorHeatMap({ row: 3, index: [1, 0, 0] }, signal)).toMatchObject({
      rows: 2,
      columns: 3,
      levels: [9, 8, -7, 0, 1, 4],
      coverage: 'All 6 values are drawn.',
      scale: 'Full colour from ±8 on.',
    });
    expect(await service.tensorGrid({ row: 2, index: [0], rows: 1, columns: 1 }, signal)).toEqual({
      why: 'No slice: values of its type are not known (f6_e2m3).',
    });
  });

  it('scans all tensors, and has what it found as Markdown', async () => {
    const { service, sent } = await started();
    expect(() => service.valuesMarkdown({}, signal)).toThrow('no values were read');
    const scanned = await service.scanValues({ log: false }, signal);
    expect(scanned).toMatchObject({
      decision: 'NaN or Inf in 2 tensors of 3 that were read (72 B). Of 4 tensors 1 was not read.',
      severity: 'error',
      notRead: ['Not read: 1 tensor, 3 B: values of their types are not known (f6_e2m3).'],
      total: 3,
      moreFindings: 0,
    });
    expect(scanned.findings.map(({ message }) => message)).toEqual([
      '1 NaN among 4 values of b, the first at [1].',
      '1 Inf among 12 values of z, the first at [1, 0, 0].',
    ]);
    expect(scanned.tensors.map(({ name, nan, inf, zeroShare }) => [name, nan, inf, zeroShare])).toEqual([
      ['z', 0, 1, 1 / 12],
      ['b', 1, 0, 0],
      ['a', 0, 0, 0],
    ]);
    expect(scanned.tensors[0]?.offsetBytes).toBe(scanned.findings[1]?.offset);
    expect(sent.every(({ row }) => row === null)).toBe(true);
    expect(JSON.parse(JSON.stringify(scanned))).toEqual(scanned);
    expect(await service.valuesMarkdown({}, signal)).toContain('NaN or Inf in 2 tensors');
  });

  it('says why it has no values', async () => {
    const { service } = await started();
    const { tensors, notRead } = await service.tensorValues({ row: 2 }, signal);
    expect([tensors, notRead]).toEqual([[], [{ name: 'text', dtype: 'f6_e2m3', bytes: 3, code: 'dtype', detail: 'f6_e2m3' }]]);
  });

  it('refuses rows that are not there, and reads nothing where there is no reader, or no inspection', async () => {
    const { service } = await started();
    for (const row of [-1, 4, 0.5, NaN]) expect(() => service.tensorValues({ row }, signal)).toThrow('there is no tensor');
    const tensors = () => {
      throw new FormatError('unsupported', 'the inspection has not finished');
    };
    expect(() => createValuesService(null, tensors, () => undefined).tensorValues({ row: 0 }, signal)).toThrow();
  });
});
