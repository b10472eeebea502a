/** Values that the report panel asks for, read by the worker that is shipped. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Inspector } from '../../../src/platform/inspector.js';
import { startWorkerInspector } from '../../../src/platform/workerInspector.js';
import type { ReadingProgress } from '../../../src/protocol/messages.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

/** Two files of 80 MB: enough for two threads. */
const elements = 20_000_000;
let folder = '';
let inspector: Inspector;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'stowage-values-'));
  for (const part of [1, 2]) {
    const values = new Float32Array(elements).fill(part);
    values[0] = -part;
    if (part === 2) values[12_345_678] = NaN;
    const tensors = {
      [`layers.${part}.weight`]: { dtype: 'F32', shape: [elements / 1000, 1000], data: new Uint8Array(values.buffer) },
    };
    writeFileSync(path.join(folder, `model-0000${part}-of-00002.safetensors`), buildSafetensors({ tensors }));
  }
  const target = { kind: 'local', path: folder, rootPaths: [folder] } as const;
  inspector = startWorkerInspector(path.resolve('dist/inspectionWorker.js'), target);
  await inspector.endpoint.request('inspect', {});
});
afterAll(() => {
  inspector.dispose();
  rmSync(folder, { recursive: true, force: true });
});

describe('values in the inspection worker', () => {
  it('are scanned in threads, with progress, and can be cancelled', async () => {
    const sent: ReadingProgress[] = [];
    const abort = new AbortController();
    inspector.endpoint.on('readingValues', (progress) => {
      sent.push(progress);
      abort.abort();
    });
    await expect(inspector.endpoint.request('scanValues', { log: false }, abort.signal)).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(sent[0]).toMatchObject({ row: null, totalBytes: 2 * 4 * elements });
    const scanned = await inspector.endpoint.request('scanValues', { log: false });
    expect(scanned).toMatchObject({
      decision: 'NaN or Inf in 1 tensor of 2 that were read (160 MB).',
      severity: 'error',
      total: 2,
    });
    expect(scanned.tensors[0]).toMatchObject({ name: 'layers.2.weight', nan: 1, min: -2, max: 2 });
    expect(await inspector.endpoint.request('valuesMarkdown', {})).toContain('layers.2.weight');
  });

  it('are those of one tensor, and of parts of it', async () => {
    const { tensors } = await inspector.endpoint.request('tensorValues', { row: 1 });
    expect(tensors).toMatchObject([{ nan: 1, first: { index: [12_345, 678] }, count: elements }]);
    const grid = await inspector.endpoint.request('tensorGrid', { row: 1, index: [12_344, 677], rows: 2, columns: 2 });
    expect(grid).toMatchObject({
      rows: [12_344, 12_345],
      columns: [677, 678],
      cells: [
        [{ text: '2' }, { text: '2' }],
        [{ text: '2' }, { text: 'NaN', isOdd: true }],
      ],
    });
    const map = await inspector.endpoint.request('tensorHeatMap', { row: 0, index: [0, 0] });
    expect(map).toMatchObject({
      rows: 128,
      columns: 125,
      coverage: 'Drawn is every 157th row and every 8th column: 16,000 of 20,000,000 values.',
    });
  });
});
