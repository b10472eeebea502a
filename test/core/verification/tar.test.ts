/** Sums of the headers of tar archives. */
import { describe, expect, it } from 'vitest';
import { buildTar, paxRecord, type TarFile } from '../../builders/tarBuilder.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { fileOf, flipped, verifyDirectory, verifyFiles } from '../../builders/verification.js';
import type { VerifiedFile } from '../../../src/core/verification/verification.js';

const verified = async (file: Uint8Array): Promise<VerifiedFile> =>
  fileOf(await verifyFiles(memoryTree('m', { 'a.tar': file })), 'a.tar');
const members: TarFile[] = [
  { name: 'a.txt', data: new Uint8Array(700).fill(1) },
  { name: 'x', type: 'x', data: paxRecord('path', 'long/name.txt') },
  { name: 'b.txt', data: new Uint8Array(5).fill(2) },
  { name: 'folder/', type: '5' },
];
const archive = buildTar(members);
const headers = [0, 1536, 2560, 3584];

describe('an archive', () => {
  it('is covered in its headers', async () => {
    const { status, by, coverage } = await verified(archive);
    expect({ status, by, coverage }).toEqual({
      status: 'same',
      by: ['tar-sum'],
      coverage: { bytes: headers.length * 504, of: archive.byteLength },
    });
  });

  it.each(headers)('is changed where any bit of a header is the other way (byte %i)', async (at) => {
    for (let byte = 0; byte < 512; byte += 7) {
      if (byte >= 148 && byte < 156) continue;
      const { status, damage } = await verified(flipped(archive, (at + byte) * 8 + (byte % 8)));
      expect(status, `byte ${at + byte}`).toBe('changed');
      expect(damage.length).toBeGreaterThan(0);
    }
  });

  it('is changed where its data are cut off', async () => {
    expect((await verified(archive.subarray(0, 900))).damage).toEqual([
      { offset: 512, length: 388, what: 'data of a.txt: cut off by the end of the file' },
    ]);
    expect((await verified(archive.subarray(0, 512 + 700))).status).toBe('same');
  });

  it('may have members of types that only their writers know, with data', async () => {
    const vendor = buildTar([{ name: 'v', type: 'D', data: new Uint8Array(600).fill(3) }, ...members]);
    expect((await verified(vendor)).status).toBe('same');
    const sparse = buildTar([{ name: 's', type: 'S', data: new Uint8Array(600).fill(3) }, ...members]);
    // One more block of the map of a sparse file, which the size does not count.
    sparse[482] = 1;
    sparse[154] = 0;
    const sum = sparse.subarray(0, 512).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
    sparse.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
    const file = new Uint8Array(sparse.byteLength + 512);
    file.set(sparse.subarray(0, 512));
    file.set(sparse.subarray(512), 1024);
    expect((await verified(file)).status).toBe('same');
  });

  it('that is something else is not called damaged', async () => {
    expect(await verified(new Uint8Array(2000).fill(9))).toMatchObject({
      status: 'unverifiable',
      reason: 'it is no tar archive: a manifest is needed',
    });
  });

  it('of webdataset is the same', async () => {
    const report = await verifyDirectory('test/fixtures/frameworks/datasets/webdataset/data');
    expect(fileOf(report, 'train-000000.tar')).toMatchObject({ status: 'same', by: ['tar-sum'] });
  });
});
