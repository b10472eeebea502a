/** Decoders of compressed bytes, each by itself: inside of a file, checksums keep most mutations away from them. */
import { ofBeginning } from '../../src/core/bytes/unpackBudget.js';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { FormatError } from '../../src/core/bytes/formatError.js';
import { inflateBeginning } from '../../src/core/bytes/inflate.js';
import { decompressHadoopLz4, decompressLz4Block } from '../../src/core/bytes/lz4.js';
import { decompressSnappy } from '../../src/core/bytes/snappy.js';
import { unpack, type PackedFormat } from '../../src/core/bytes/unpack.js';
import { decompressLzf } from '../../src/core/bytes/lzf.js';
import { decompressZstd } from '../../src/core/bytes/zstd.js';
import { bzip2Base64, lzmaBase64, xzBase64 } from '../../test/builders/packedPickles.js';
import type { FuzzTarget } from '../target.js';

const maxBytes = 1024 * 1024;
const plain = Uint8Array.from({ length: 3000 }, (_, index) => (index * index) % 7);
const fromBase64 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));
const lz4Block = Uint8Array.of(0x1f, 0x61, 1, 0, 0x50, 0x50, ...Array.from({ length: 5 }, () => 0x61));
const lz4Frame = fromBase64('BCJNGGRApwwAAAAfYQEATFBhYWFhYQAAAAA=');
const hadoop = Uint8Array.of(0, 0, 0, 64, 0, 0, 0, lz4Block.byteLength, ...lz4Block);
const snappy = Uint8Array.of(64, 0x00, 0x61, 0xfa, 0x01, 0x00);

const packed: Readonly<Record<PackedFormat, () => Uint8Array[]>> = {
  gzip: () => [new Uint8Array(gzipSync(plain)), new Uint8Array(gzipSync(plain, { level: 0 }))],
  zlib: () => [new Uint8Array(deflateSync(plain)), new Uint8Array(deflateSync('a'))],
  zstd: () => [new Uint8Array(readFileSync('test/fixtures/frameworks/datasets/jsonl/data/c.jsonl.zst'))],
  lz4: () => [lz4Frame],
  bzip2: () => [fromBase64(bzip2Base64)],
  lzma: () => [fromBase64(lzmaBase64)],
  xz: () => [fromBase64(xzBase64)],
  zfile: () => [new Uint8Array(Buffer.concat([Buffer.from('ZF0xbb8'.padEnd(21)), deflateSync(plain)]))],
};

type Decode = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

const blocks: Readonly<Record<string, { decode: Decode; seeds: () => Uint8Array[] }>> = {
  deflate: { decode: (bytes) => inflateBeginning(bytes, maxBytes), seeds: () => [new Uint8Array(deflateRawSync(plain))] },
  'lz4-block': { decode: (bytes) => decompressLz4Block(bytes, 64), seeds: () => [lz4Block] },
  'lz4-hadoop': { decode: (bytes) => decompressHadoopLz4(bytes, 64), seeds: () => [hadoop] },
  lzf: { decode: (bytes) => decompressLzf(bytes, maxBytes), seeds: () => [Uint8Array.of(0, 0x61, 0xe0, 0xff, 0)] },
  snappy: { decode: (bytes) => decompressSnappy(bytes), seeds: () => [snappy] },
  'zstd-frame': { decode: (bytes) => decompressZstd(bytes, maxBytes), seeds: packed.zstd },
};

export function codecTargets(): FuzzTarget[] {
  const whole = Object.entries(packed).map(([name, seeds]) =>
    target(name, seeds, async (bytes) => (await unpack(bytes, name as PackedFormat, maxBytes, ofBeginning(undefined))).bytes),
  );
  return [...whole, ...Object.entries(blocks).map(([name, { decode, seeds }]) => target(name, seeds, decode))];
}

function target(name: string, seeds: () => Uint8Array[], decode: Decode): FuzzTarget {
  return {
    name: `codec-${name}`,
    seeds: () => seeds().map((bytes) => ({ packed: bytes })),
    formOf: () => 'bytes',
    async execute(input) {
      try {
        const { byteLength } = await decode(Object.values(input)[0] as Uint8Array);
        // A window or a block may be decoded beyond the bound.
        if (byteLength > 2 * maxBytes && name !== 'snappy') throw new Error(`${byteLength} B out of at most ${maxBytes}`);
      } catch (error) {
        if (!FormatError.is(error)) throw error;
      }
    },
  };
}
