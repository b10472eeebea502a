import path from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { limits } from '../../src/core/bytes/limits.js';
import { concat, u32, u64, utf8 } from '../../test/builders/byteWriter.js';
import { global, pickle, str } from '../../test/builders/pickleBuilder.js';
import { buildZip } from '../../test/builders/torchZipBuilder.js';
import { counted, fileBomb, packed, writeParts, zstdRun, type Bomb, type Part } from './bomb.js';

const head = '\x80\x02';
const million = 1_000_000;
const hundredMillion = 100 * million;

/** 900,000 times `]` as one bzip2 stream, by Python's bz2; streams may follow each other. */
const bzip2Lists = Buffer.from('QlpoOTFBWSZTWeXn8fwABuSDAIACAgAACCAAMMwJqmmUoTapKE8XckU4UJDl5/H8', 'base64');

/** `data.pkl` as a torch archive has it. */
const torch = (name: string, data: () => Uint8Array): Bomb =>
  fileBomb(name, 'model.pt', () => [
    buildZip([
      { name: 'data.pkl', data: data() },
      { name: 'version', data: utf8('3\n') },
    ]),
  ]);

export function pickleBombs(): Bomb[] {
  const file = (name: string, parts: () => readonly Part[]): Bomb => fileBomb(`pickle: ${name}`, 'bomb.pkl', parts);
  return [
    file('100 M empty lists', () => [head, { unit: ']', times: hundredMillion }, '.']),
    file('30 M nested tuples', () => [head, 'N', { unit: '\x85', times: 30 * million }, '.']),
    file('100 M marks', () => [head, { unit: '(', times: hundredMillion }, '.']),
    file('6 M entries of the memo', () => [
      head,
      'N',
      counted(6 * million, (number) => Buffer.concat([Buffer.from('r'), u32(number)])),
      '.',
    ]),
    file('3 M globals', () => [head, counted(3 * million, (number) => `cmodule\nn${number}\n0`), 'N.']),
    file('20 M empty dicts in a list', () => [head, '](', { unit: '}', times: 20 * million }, 'e.']),
    file('10 M texts', () => [head, '](', { unit: 'X\x01\0\0\0a', times: 10 * million }, 'e.']),
    file('a decimal of 50 M digits', () => [head, 'I', { unit: '7', times: 50 * million }, '\n.']),
    file('240 bytes that share lists', sharedLists),
    file('a declared length of 2^60', () => ['\x80\x04\x8e', u64(2n ** 60n), 'a.']),
    file('3 M calls', () => [head, 'cos\nsystem\nq\0', { unit: '(K\x01th\0)R0', times: 3 * million }, '.']),
    file('pickles within pickles', () => [nested(2_000)]),
    fileBomb('pickle: 20 M lists in DCP .metadata', 'dcp/.metadata', () => [head, { unit: ']', times: 20 * million }, '.']),
    fileBomb('pickle: 2 M items in DCP .metadata', 'dcp/.metadata', () => [
      head,
      '}(',
      counted(2 * million, (number) => Buffer.concat([str(`layer.${number}`), Buffer.from('}')])),
      'u.',
    ]),
    packed(
      fileBomb('joblib: gzip of 2 GB', 'bomb.joblib', () => [gzipSync(Buffer.alloc(2_000_000_000, 0x5d))]),
      limits.unpackedBytes,
    ),
    packed(
      fileBomb('joblib: bzip2 of 18 GB', 'bomb.joblib', () => [{ unit: bzip2Lists, times: 20_000 }]),
      limits.unpackedBytes,
    ),
    packed(
      fileBomb('pickle: zstd of 12 GB in .pkl', 'bomb.pkl', () => zstdRun(0x5d, 100_000)),
      limits.unpackedBytes,
    ),
    packed(
      fileBomb('pickle: gzip of 2 GB in .pkl', 'bomb.pkl', () => [gzipSync(Buffer.alloc(2_000_000_000, 0x5d))]),
      limits.unpackedBytes,
    ),
    {
      name: 'a directory of 20 pickles: bzip2 of 360 MB in each',
      write(folder) {
        for (let number = 0; number < 20; number++)
          writeParts(path.join(folder, `${number}.pkl`), [{ unit: bzip2Lists, times: 400 }]);
        return folder;
      },
      // Each file is read once, and adds to what may be unpacked.
      unpackedBytes: limits.unpackedBytes + 20 * 400 * bzip2Lists.byteLength * limits.unpackedPerByteRead,
    },
    torch('torch: 20 M lists in data.pkl', () => Buffer.concat([Buffer.from(head), Buffer.alloc(20 * million, ']')])),
    fileBomb('torch: data.pkl deflated, 1 GB', 'model.pt', () => [deflatedRecord('archive/data.pkl', 1_000_000_000)]),
    fileBomb('torch before 1.6: 20 M lists', 'model.pth', () => [
      pickle(Buffer.from([0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19])),
      pickle(Buffer.from([0x4d, 0xe9, 0x03])),
      pickle(Buffer.from('}')),
      head,
      { unit: ']', times: 20 * million },
      '.',
    ]),
  ];
}

/** Each list has the one before ten times: 10^20 entries when it is followed. */
function sharedLists(): Part[] {
  const parts: Part[] = [head, ']q\0(X\x01\0\0\0ae'];
  for (let level = 1; level <= 14; level++)
    parts.push(`]q${String.fromCharCode(level)}(`, { unit: `h${String.fromCharCode(level - 1)}`, times: 5 }, 'e');
  return [...parts, '.'];
}

function nested(depth: number): Uint8Array {
  const before = concat(Uint8Array.of(0x80, 3), global('torch.storage', '_load_from_bytes'), utf8('B'));
  const parts: Uint8Array[] = [pickle(utf8('N'))];
  let bytes = 4;
  for (let level = 0; level < depth; level++) {
    const length = u32(bytes);
    parts.unshift(before, length);
    parts.push(Uint8Array.of(0x85, 0x52, 0x2e));
    bytes += before.byteLength + 4 + 3;
  }
  return concat(...parts);
}

/** A zip of one deflated record of `]`. */
export function deflatedRecord(name: string, plainBytes: number): Uint8Array {
  const data = new Uint8Array(deflateRawSync(Buffer.alloc(plainBytes, 0x5d)));
  return buildZip([{ name, data, central: { method: 8, uncompressedSize: plainBytes } }], { prefix: '' });
}
