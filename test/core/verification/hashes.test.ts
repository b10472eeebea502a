import { describe, expect, it } from 'vitest';
import { encodeText } from '../../../src/core/bytes/text.js';
import { coreHash } from '../../../src/core/verification/hashes/coreHash.js';
import type { CheckName } from '../../../src/core/verification/hashes/hash.js';
import { lookup3 } from '../../../src/core/verification/hashes/lookup3.js';
import { nodeHash } from '../../../src/platform/verification/nodeHash.js';

const digits = encodeText('123456789');
const ramp = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7 + 3) & 0xff);

function digestOf(name: CheckName, ...pieces: Uint8Array[]): string {
  const hash = coreHash(name);
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

/** Of zlib, google-crc32c and xxhash in Python. */
const known: readonly [CheckName, Uint8Array, string][] = [
  ['crc32', digits, 'cbf43926'],
  ['crc32c', digits, 'e3069283'],
  ['adler32', digits, '091e01de'],
  ['xxh64', digits, '8cb841db40e6ae83'],
  ['xxh64', new Uint8Array(0), 'ef46db3751d8e999'],
];

describe('checksums', () => {
  it.each(known)('%s of %j is known', (name, bytes, digest) => {
    expect(digestOf(name, bytes)).toBe(digest);
  });

  it.each(['crc32', 'crc32c', 'adler32', 'fletcher32', 'lookup3', 'riegeli', 'xxh64'] as const)(
    '%s is the same in pieces of any length and at any address',
    (name) => {
      const whole = digestOf(name, ramp);
      for (const length of [1, 3, 16, 31, 32, 33, 100, 999]) {
        const pieces = Array.from({ length: Math.ceil(ramp.length / length) }, (_, index) =>
          ramp.subarray(index * length, (index + 1) * length),
        );
        expect(digestOf(name, ...pieces)).toBe(whole);
      }
    },
  );

  it('CRC-32 of the platform is that of the core', () => {
    const hash = nodeHash('crc32');
    hash.update(ramp.subarray(0, 500));
    hash.update(ramp.subarray(500));
    expect(hash.digest()).toBe(digestOf('crc32', ramp));
  });

  it('lookup3 has the values of its author (lookup3.c, driver5)', () => {
    expect(lookup3(encodeText('Four score and seven years ago'))).toBe(0x17770551);
    expect(lookup3(new Uint8Array(0))).toBe(0xdeadbeef);
  });

  /** Of highwayhasher 0.4.4 (npm), with the key of Riegeli: every form of what is behind the last whole packet. */
  it.each([
    [0, '72c3b1e9c0139fe1'],
    [1, '4dcd0168117850c8'],
    [2, 'eb3c21f60bdb6d05'],
    [3, '3f7d9179c416aa8b'],
    [4, 'd68f71556126a0f8'],
    [15, '061966eb76c461a7'],
    [16, 'c0190b8aa768ad39'],
    [17, '2168b216409cd1c3'],
    [23, 'de43cfaed00de6ad'],
    [31, '18533e0d730a4584'],
    [32, '6a2c29f49d855647'],
    [33, 'a56314eb640ed7ef'],
    [48, '718243feb9d01d47'],
    [63, '2139360ba9bb718a'],
    [999, 'f5e3050066c64991'],
    [1000, '851e84e8d1e6e97d'],
  ])('HighwayHash-64 of %i bytes is known', (length, digest) => {
    expect(digestOf('riegeli', ramp.subarray(0, length))).toBe(digest);
  });

  it('Fletcher-32 is that of HDF5, which takes big-endian words and pads the last one', () => {
    expect(digestOf('fletcher32', Uint8Array.of(1, 2, 3, 4))).toBe('05080406');
    expect(digestOf('fletcher32', Uint8Array.of(1, 2, 3))).toBe('05040402');
  });
});
