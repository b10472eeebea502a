/** Files that take less on the disk than their size. */
import { expect, it } from 'vitest';
import { memoryTree, type ReadLog } from '../../builders/memoryTree.js';
import { patternBytes } from '../../builders/byteWriter.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { codes } from '../../builders/torchDirectory.js';
import { inspectHostile } from '../../hostile/accountable.js';

const ELEMENTS = 65_536;
const file = (data: Uint8Array): Uint8Array => buildSafetensors({ tensors: { w: { dtype: 'F32', shape: [ELEMENTS], data } } });
const written = patternBytes(4 * ELEMENTS).map((byte) => byte | 1);
const half = written.slice().fill(0, 2 * ELEMENTS);
const scattered = written.map((byte, at) => (at % 8192 < 4096 ? 0 : byte));

it.each<[string, Uint8Array, number | undefined, string[]]>([
  ['a file whose second half was never written', half, 2 * ELEMENTS, ['file-has-holes']],
  ['zeros that take space', half, 4 * ELEMENTS + 4096, []],
  ['zeros of unknown space', half, undefined, []],
  ['a hard link, which counts elsewhere', half, 0, []],
  ['data that a file system compresses', written, 2 * ELEMENTS, []],
  ['zeros here and there that it compresses', scattered, 2 * ELEMENTS, []],
])('%s', async (_, data, allocatedBytes, expected) => {
  const bytes = file(data);
  const log: ReadLog = { reads: [] };
  const entry = allocatedBytes === undefined ? {} : { allocatedBytes };
  const report = await inspectHostile(memoryTree('m', { 'model.safetensors': { entry, bytes } }, log));
  expect(codes(report).filter((code) => code.startsWith('file-'))).toEqual(expected);
  expect(report.findings.find(({ code }) => code === 'file-has-holes')?.severity).toBe(
    expected.length === 0 ? undefined : 'warning',
  );
  expect(report.io.bytesRead).toBeLessThan(24 * 1024);
});
