/** Pickles among the data of HDF5 datasets: what they import and call, and which were not scanned. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { overwrite, u32 } from '../../builders/byteWriter.js';
import { hdf5WithPickles } from '../../builders/hdf5Pickles.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

type Report = Awaited<ReturnType<typeof inspectHostile>>;
const inspectFile = (file: Uint8Array): Promise<Report> => inspectHostile(memoryTree('a.h5', { 'a.h5': file }));
/** The same file with the number of another filter in place of LZF's, 32,000. */
function withZstandard(file: Uint8Array): Uint8Array {
  const at = file.findIndex((byte, index) => byte === 0x00 && file[index + 1] === 0x7d && (file[index + 2] ?? 9) <= 8);
  const changed = file.slice();
  changed[at] = 32_015 & 0xff;
  return changed;
}
const codesOf = ({ findings }: Report): string[] => findings.map(({ code }) => code);

describe('pickles in a dataset', () => {
  it.each([
    ...(['pytables', 'u8', 'opaque', 'text', 'vlen'] as const),
    ...(['compressed', 'u8Deflated', 'u8InChunks', 'u8Matrix', 'opaqueDeflated', 'vlenDeflated', 'opaqueLzf'] as const),
  ])('of the kind %s are scanned', async (kind) => {
    const report = await inspectFile(hdf5WithPickles(kind));
    expect(report.pickleImports.map(({ name }) => name)).toContain('posix.system');
    expect(codesOf(report)).toContain('pickle-calls-unexpected');
  });

  it('behind a filter that is not undone are not scanned, which is said of opaque values', async () => {
    const report = await inspectFile(withZstandard(hdf5WithPickles('opaqueLzf')));
    expect(report.findings).toMatchObject([{ code: 'pickle-not-scanned', severity: 'warning' }]);
    expect(report.findings[0]?.message).toContain('compressed with Zstandard');
    expect(codesOf(await inspectFile(withZstandard(hdf5WithPickles('u8Lzf'))))).toEqual([]);
  });

  it('whose chunks or filters are damaged take nothing with them', async () => {
    for (const kind of ['u8Deflated', 'opaqueDeflated', 'compressed'] as const) {
      const file = hdf5WithPickles(kind);
      for (let at = 0; at + 2 <= file.byteLength; at += 97) await inspectFile(overwrite(file, at, new Uint8Array([0xff, 0x5a])));
    }
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
