/** Pickles among the data of HDF5 datasets: what they import and call, and which were not scanned. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { overwrite, u32 } from '../../builders/byteWriter.js';
import { hdf5WithPickles } from '../../builders/hdf5Pickles.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

type Report = Awaited<ReturnType<typeof inspectHostile>>;
const inspectFile = (file: Uint8Array): Promise<Report> => inspectHostile(memoryTree('a.h5', { 'a.h5': file }));
const codesOf = ({ findings }: Report): string[] => findings.map(({ code }) => code);

describe('pickles in a dataset', () => {
  it.each(['pytables', 'u8', 'opaque', 'text', 'vlen'] as const)('of the kind %s are scanned', async (kind) => {
    const report = await inspectFile(hdf5WithPickles(kind));
    expect(report.pickleImports.map(({ name }) => name)).toContain('posix.system');
    expect(codesOf(report)).toContain('pickle-calls-unexpected');
  });

  it('that are compressed are not scanned, which is said', async () => {
    const report = await inspectFile(hdf5WithPickles('compressed'));
    expect(report.findings).toMatchObject([{ code: 'pickle-not-scanned', severity: 'warning' }]);
  });

  it('whose heap is damaged are not scanned, which is said', async () => {
    const file = hdf5WithPickles('pytables');
    const heap = Buffer.from(file).indexOf('GCOL');
    const report = await inspectFile(overwrite(file, heap, u32(0)));
    expect(codesOf(report)).toContain('pickle-not-scanned');
  });

  it('are read within a budget', async () => {
    const report = await inspectFile(hdf5WithPickles('pytables'));
    expect(report.io.reads).toBeLessThan(limits.hdf5PickleValues);
    expect(report.io.bytesRead).toBeLessThanOrEqual(report.totalBytes);
  });
});
