/** Hashes of ArrayRecord files: those that array_record wrote, and files that it seldom writes. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coreHash } from '../../../src/core/verification/hashes/coreHash.js';
import { concat, u64 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { fileOf, flipped, verifyFiles } from '../../builders/verification.js';
import type { VerifiedFile } from '../../../src/core/verification/verification.js';

const name = 'c4-train.array_record-00000-of-00002';
const written = new Uint8Array(readFileSync(`test/fixtures/frameworks/datasets/array-record/data/${name}`));
const verified = async (file: Uint8Array): Promise<VerifiedFile> =>
  fileOf(await verifyFiles(memoryTree('m', { [name]: file })), name);

function hashOf(bytes: Uint8Array): bigint {
  const hash = coreHash('riegeli');
  hash.update(bytes);
  return BigInt(`0x${hash.digest()}`);
}

function hashed(bytes: Uint8Array): Uint8Array {
  return concat(u64(hashOf(bytes)), bytes);
}

function chunk(data: Uint8Array, records: number): Uint8Array {
  const header = concat(u64(data.byteLength), u64(hashOf(data)), u64((BigInt(records) << 8n) | 0x72n), u64(0));
  return concat(hashed(header), data);
}

const blockHeader = hashed(concat(u64(0), u64(64)));

describe('a file that array_record wrote', () => {
  it('is covered in every byte', async () => {
    const { status, by, coverage } = await verified(written);
    expect({ status, by, coverage }).toEqual({
      status: 'same',
      by: ['array-record-hash'],
      coverage: { bytes: written.byteLength, of: written.byteLength },
    });
  });

  it.each([
    ['the header of the first block', 10, { offset: 0, length: 24, what: 'header of a block: its hash does not match' }],
    ['the header of a chunk', 64 + 33, { offset: 64, length: 40, what: 'header of chunk 1: its hash does not match' }],
    ['data', 64 + 40 + 5, { offset: 64, what: 'data of chunk 1: their hash does not match' }],
    [
      'the header of the second block',
      65536 + 20,
      { offset: 65536, length: 24, what: 'header of a block: its hash does not match' },
    ],
  ])('is changed where %s is', async (_, at, damage) => {
    const file = await verified(flipped(written, at * 8));
    expect(file.status).toBe('changed');
    expect(file.damage).toMatchObject([damage]);
  });

  it('is changed where it ends too early', async () => {
    const { status, damage } = await verified(written.subarray(0, 2000));
    expect(status).toBe('changed');
    expect(damage[0]?.what).toContain('cut off by the end of the file');
  });
});

describe('a chunk of more records than bytes', () => {
  const records = 300;
  const first = chunk(new Uint8Array(3), records);
  const file = concat(
    blockHeader,
    first,
    new Uint8Array(records - blockHeader.byteLength - first.byteLength),
    chunk(Uint8Array.of(7), 1),
  );

  it('is padded, and the padding is not covered', async () => {
    const { status, coverage, damage } = await verified(file);
    expect({ status, damage }).toEqual({ status: 'same', damage: [] });
    expect(coverage).toEqual({ bytes: blockHeader.byteLength + first.byteLength + 41, of: file.byteLength });
  });

  it('is followed by chunks that are compared', async () => {
    const { damage } = await verified(flipped(file, (file.byteLength - 1) * 8));
    expect(damage).toMatchObject([{ offset: records, length: 41, what: 'data of chunk 1: their hash does not match' }]);
  });
});
