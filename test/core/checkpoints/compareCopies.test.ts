/** Two files with tensors of the same names: copies only where their bytes agree. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryTree, type MemoryFile } from '../../builders/memoryTree.js';
import { patternBytes } from '../../builders/byteWriter.js';

const values = 256 * 1024;

/** A model of two tensors, whose bytes are a pattern but for one value. */
function model(changedAt: number | null): Uint8Array {
  const file = buildSafetensors({
    tensors: {
      'a.weight': { dtype: 'F32', shape: [values], data: patternBytes(values * 4) },
      'b.weight': { dtype: 'F32', shape: [4], data: patternBytes(16) },
    },
  });
  const copy = file.slice();
  if (changedAt !== null) copy[copy.length - 16 - values * 4 + changedAt] = 0xaa;
  return copy;
}

async function reportOf(files: Record<string, MemoryFile>): Promise<CheckpointReport> {
  return (
    await inspectCheckpoint(memoryTree('m', { 'config.json': new TextEncoder().encode('{"model_type": "llama"}'), ...files }), {
      path: 'm',
    })
  ).report;
}

const codes = ({ findings }: CheckpointReport): string[] => findings.map(({ code }) => code);

describe('files with tensors of the same names', () => {
  it('are copies where sampled bytes agree, which is said', async () => {
    const report = await reportOf({ 'model.safetensors': model(null), 'model.fp32.safetensors': model(null) });
    expect(report.storedTwice).toMatchObject({
      bytes: values * 4 + 16,
      items: [{ basis: 'sampled', coverage: { counted: 2, of: 2, unit: 'tensors' } }],
    });
    expect(report.parameters.unique).toBe(values + 4);
    expect(codes(report)).toContain('weights-stored-twice');
  });

  it('are two models where they differ, and count as such', async () => {
    const report = await reportOf({ 'model.safetensors': model(null), 'model.fp32.safetensors': model(0) });
    expect(report.storedTwice).toEqual({ bytes: 0, items: [] });
    expect(report.parameters.unique).toBe(2 * (values + 4));
    expect(codes(report)).toContain('weights-differ');
  });

  it('are compared at a few places', async () => {
    const report = await reportOf({ 'model.safetensors': model(null), 'model.fp32.safetensors': model(null) });
    expect(report.io.bytesRead).toBeLessThan(limits.copyBytes);
  });
});
