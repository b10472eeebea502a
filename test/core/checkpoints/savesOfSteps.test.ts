/** Files of one directory that are saves of one model at several steps. */
import { expect, it } from 'vitest';
import type { MemoryFile } from '../../builders/memoryTree.js';
import { inspectFiles } from '../../builders/torchDirectory.js';
import * as p from '../../builders/pickleBuilder.js';
import { buildTorchZip } from '../../builders/torchZipBuilder.js';

const save = (value: number, elements = 4): MemoryFile =>
  buildTorchZip({
    pickle: p.pickle(
      p.dict([
        p.str('model'),
        p.dict([p.str('w'), p.torchTensor({ storageType: 'FloatStorage', key: '0', shape: [elements, 8] })]),
      ]),
    ),
    storages: { '0': new Uint8Array(elements * 32).fill(value) },
  });

it.each([
  ['detectron2', ['model_0004999.pth', 'model_0009999.pth', 'model_final.pth']],
  ['a program’s own', ['ckpt_0004999.pth', 'ckpt_0009999.pth', 'ckpt_last.pth']],
  ['numbered .pt files', ['model_000100.pt', 'model_000200.pt']],
])('counts the parameters of saves of %s once', async (_, names) => {
  const report = await inspectFiles(Object.fromEntries(names.map((name, index) => [name, save(index + 1)])), 'output');
  expect(report.parameters.unique).toBe(32);
  expect(report.findings.map(({ code }) => code)).toEqual([]);
});

it('counts what differs in its shapes as several models', async () => {
  const report = await inspectFiles({ 'model_125.pth': save(1), 'model_350.pth': save(2, 6) }, 'output');
  expect(report.parameters.unique).toBe(32 + 48);
});
