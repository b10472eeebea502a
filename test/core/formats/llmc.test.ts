import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../src/core/inspection/reportJson.js';
import { concat, u32 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

function header(values: Readonly<Record<number, number>>): Uint8Array {
  return concat(...Array.from({ length: 256 }, (_, index) => u32(values[index] ?? 0)));
}

const [T, V, L, C] = [8, 10, 2, 4] as const;
const padded = 16;
const parameters = padded * C + T * C + L * (4 * C + 3 * C * C + 3 * C + C * C + C + 4 * C * C + 4 * C + 4 * C * C + C) + 2 * C;

function model(version: number, extra = 0): Uint8Array {
  const sizes = { 0: 20240326, 1: version, 2: T, 3: V, 4: L, 5: 2, 6: C, 7: padded };
  return concat(header(sizes), new Uint8Array(parameters * (version === 3 ? 4 : 2) + extra));
}

function state(rank: number, options: { shuffled?: number; master?: number; extra?: number } = {}): Uint8Array {
  const { shuffled = 0, master = 1, extra = 0 } = options;
  const head = header({ 0: 20240527, 1: 1, 2: 2, 3: rank, 4: master, 5: shuffled, 10: 40 });
  return concat(head, new Uint8Array((parameters / 2) * 4 * (2 + master) + extra));
}

const run = {
  'model_00000040.bin': model(5),
  'state_00000040_00000.bin': state(0),
  'state_00000040_00001.bin': state(1),
  DONE_00000040: new Uint8Array(0),
};

async function codesOf(files: Record<string, Uint8Array>): Promise<string[]> {
  const report = await inspectHostile(memoryTree('log124M', files));
  return report.findings.map(({ code }) => code);
}

describe('runs', () => {
  it('are read with all their ranks', async () => {
    const { report, tensors } = await inspectCheckpoint(memoryTree('log124M', run), { path: 'log124M' });
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ framework: { name: 'llm.c' }, step: 40, topology: { worldSize: 2 } });
    expect(report.parameters.unique).toBe(parameters);
    expect(report.components.weights?.tensorBytes).toBe(parameters * 2);
    expect(report.components.masterWeights?.tensorBytes).toBe(parameters * 4);
    expect(report.components.optimizer?.tensorBytes).toBe(parameters * 8);
    expect(listTensors(tensors, report.files)[0]).toMatchObject({ name: 'wte', dtype: 'bf16', shape: [padded, C] });
    expect(report.resume.verdict).toBe('complete');
  });

  it('count the state as the optimizer’s where its parts cannot be distinguished', async () => {
    const { report } = await inspectCheckpoint(
      memoryTree('r', { ...run, 'state_00000040_00000.bin': state(0, { shuffled: 1, extra: 333 }) }),
      {
        path: 'r',
      },
    );
    expect(report.components.optimizer?.otherBytes).toBeGreaterThan(parameters * 4);
  });

  it('say what is missing', async () => {
    const { 'state_00000040_00001.bin': _, DONE_00000040: __, ...rest } = run;
    expect(await codesOf(rest)).toEqual(expect.arrayContaining(['rank-file-missing', 'save-unfinished']));
  });
});

describe('damage', () => {
  it.each<[string, string, Uint8Array]>([
    ['an end that is missing', 'file-truncated', model(3).subarray(0, 1500)],
    ['bytes behind the end', 'file-too-long', model(3, 100)],
    ['a version that is not known', 'unsupported-version', model(4)],
    ['a size of zero', 'header-corrupt', header({ 0: 20240326, 1: 3, 2: 1, 3: 1 })],
    ['sizes beyond any file', 'header-corrupt', header({ 0: 20240326, 1: 3, 2: 1e9, 3: 1e9, 4: 2e9, 5: 1, 6: 2e9, 7: 2e9 })],
    ['a header that is cut', 'file-truncated', model(3).subarray(0, 700)],
    ['another magic', 'file-not-its-format', new Uint8Array(2000).fill(7)],
  ])('%s', async (_, code, file) => {
    expect(await codesOf({ 'model_00000040.bin': file, DONE_00000040: new Uint8Array(0) })).toContain(code);
  });
});
