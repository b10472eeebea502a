import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { inspect } from '../../../src/core/inspection/inspect.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildNpy } from '../../builders/npyBuilder.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const model = buildSafetensors({ tensors: { 'a.weight': { dtype: 'F32', shape: [4, 4] } } });
const array = buildNpy({ descr: '<f4', shape: [8, 8], data: new Uint8Array(256).fill(1) });

async function reportOf(files: Record<string, Uint8Array>): Promise<CheckpointReport> {
  return (await inspect(memoryTree('m', files), { path: 'm' })).report as CheckpointReport;
}

describe('arrays beside a model', () => {
  it('are no parameters of it', async () => {
    const report = await reportOf({ 'model.safetensors': model, 'predictions.npy': array });
    expect(report.parameters.unique).toBe(16);
    expect(report.components.trainerState?.tensorBytes).toBe(256);
    expect(report.resume.verdict).toBe('weights-only');
  });

  it('whose name says that they are weights stay weights', async () => {
    const report = await reportOf({ 'model.safetensors': model, 'extra_weights.npy': array });
    expect(report.parameters.unique).toBe(80);
  });

  it('without a model stay what they are', async () => {
    expect((await reportOf({ 'predictions.npy': array })).parameters.unique).toBe(64);
  });
});
