/** HDF5 of h5py: a pickle behind its LZF filter, and links to other files. */
import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decompressLzf } from '../../../src/core/bytes/lzf.js';
import { hdf5Elsewhere } from '../../builders/hdf5Elsewhere.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectAnyHostile } from '../../hostile/accountable.js';

async function findingsOf(kind: keyof typeof hdf5Elsewhere): Promise<string[]> {
  const file = new Uint8Array(inflateSync(Buffer.from(hdf5Elsewhere[kind], 'base64')));
  const report = await inspectAnyHostile(memoryTree('m', { 'a.h5': file }));
  return report.findings.filter(({ severity }) => severity !== 'note').map(({ code, message }) => `${code}: ${message}`);
}

it('a pickle of u8 in LZF is scanned', async () => {
  expect(await findingsOf('lzf')).toEqual(['pickle-calls-unexpected: Unexpected call in a pickle: os.system("id").']);
});

it.each([
  ['external', '/etc/passwd'],
  ['externalOld', 'other.h5'],
] as const)('%s links are named', async (kind, name) => {
  expect(await findingsOf(kind)).toEqual([`links-to-other-files: External links to 1 other file, first ${name}.`]);
});

it('LZF unpacks within its bound, and refuses references in front of the block', () => {
  const packed = Uint8Array.of(0, 0x61, 0xe0, 0xff, 0);
  expect(decompressLzf(packed, 1_000)).toHaveLength(1 + 7 + 255 + 2);
  expect(decompressLzf(packed, 10).byteLength).toBeLessThanOrEqual(10);
  expect(() => decompressLzf(Uint8Array.of(0, 0x61, 0x20, 5), 10)).toThrow(/in front of/);
});
