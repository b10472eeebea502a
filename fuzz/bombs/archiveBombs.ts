import { gzipSync } from 'node:zlib';
import { limits } from '../../src/core/bytes/limits.js';
import { concat, u16, u32, u64, utf8 } from '../../test/builders/byteWriter.js';
import { buildTar } from '../../test/builders/tarBuilder.js';
import { counted, fileBomb, packed, zstdRun, type Bomb, type Part } from './bomb.js';
import { deflatedRecord } from './pickleBombs.js';

const million = 1_000_000;

export function archiveBombs(): Bomb[] {
  return [
    fileBomb('zip: 2 M entries in .npz', 'a.npz', () => zipOf(2 * million, (number) => `${String(number).padStart(8, '0')}.npy`)),
    fileBomb('zip: 2 M entries in .pt', 'a.pt', () =>
      zipOf(2 * million, (number) => `archive/data/${String(number).padStart(8, '0')}`),
    ),
    fileBomb('zip: 2 M entries in .keras', 'a.keras', () =>
      zipOf(2 * million, (number) => `${String(number).padStart(8, '0')}.json`),
    ),
    fileBomb('npz: arrays deflated, 1 GB', 'a.npz', () => [deflatedRecord('a.npy', 1_000 * million)]),
    fileBomb('Keras: config.json deflated, 1 GB', 'a.keras', () => [deflatedRecord('config.json', 1_000 * million)]),
    fileBomb('tar: 300,000 members', 'a.tar', () => [
      { unit: buildTar([{ name: 'a.txt' }], new Uint8Array(0)), times: 300_000 },
      Buffer.alloc(1024),
    ]),
    fileBomb('tar: a GNU name of 100 MB', 'a.tar', () => [
      tarHeader('././@LongLink', 100 * million, 'L'),
      { unit: 'a', times: Math.ceil((100 * million) / 512) * 512 },
      tarHeader('a.txt', 0, '0'),
      Buffer.alloc(1024),
    ]),
    fileBomb('tar: a pax header of 100 MB', 'a.tar', () => [
      tarHeader('pax', 100 * million, 'x'),
      { unit: '\n', times: Math.ceil((100 * million) / 512) * 512 },
      tarHeader('a.txt', 0, '0'),
      Buffer.alloc(1024),
    ]),
    packed(
      fileBomb('tar.gz of 2 GB', 'a.tar.gz', () => [
        gzipSync(Buffer.alloc(2_000 * million, buildTar([{ name: 'a.txt' }], new Uint8Array(0)))),
      ]),
      limits.countedTextBytes,
    ),
    fileBomb('NeMo: 300,000 members', 'a.nemo', () => [
      { unit: buildTar([{ name: 'a.yaml' }], new Uint8Array(0)), times: 300_000 },
      Buffer.alloc(1024),
    ]),
    packed(
      fileBomb('JSON lines: gzip of 2 GB', 'a.jsonl.gz', () => [
        gzipSync(Buffer.alloc(2_000 * million, '{"text":"aaaaaaaa"}\n')),
      ]),
      limits.countedTextBytes,
    ),
    packed(
      fileBomb('JSON lines: zstd of 12 GB', 'a.jsonl.zst', () => zstdRun(0x61, 100_000)),
      limits.countedTextBytes,
    ),
    packed(
      fileBomb('JSON lines: zstd, a window of 128 MiB and blocks of 1 B', 'a.jsonl.zst', () => [
        ...zstdRun(0x61, 300, 17 << 3).slice(0, -1),
        { unit: Uint8Array.of((1 << 3) & 255, 0, 0, 0x61), times: 200_000 },
        Uint8Array.of((1 << 3) | 1, 0, 0, 0x61),
      ]),
      limits.countedTextBytes,
    ),
  ];
}

/** Empty stored records that share one local header, and their directory, with 64-bit counts. */
function zipOf(times: number, nameOf: (number: number) => string): Part[] {
  const name = utf8(nameOf(0));
  const local = concat(
    u32(0x04034b50),
    u16(20),
    u16(0),
    u16(0),
    u32(0),
    u32(0),
    u32(0),
    u32(0),
    u16(name.byteLength),
    u16(0),
    name,
  );
  const entry = (number: number): Uint8Array =>
    concat(
      u32(0x02014b50),
      u16(20),
      u16(20),
      u16(0),
      u16(0),
      u32(0),
      u32(0),
      u32(0),
      u32(0),
      u16(name.byteLength),
      u16(0),
      u16(0),
      u16(0),
      u16(0),
      u32(0),
      u32(0),
      utf8(nameOf(number)),
    );
  const directoryBytes = times * (46 + name.byteLength);
  const end64 = concat(
    u32(0x06064b50),
    u64(44),
    u16(45),
    u16(45),
    u32(0),
    u32(0),
    u64(times),
    u64(times),
    u64(directoryBytes),
    u64(local.byteLength),
  );
  const locator = concat(u32(0x07064b50), u32(0), u64(local.byteLength + directoryBytes), u32(1));
  const end = concat(u32(0x06054b50), u16(0), u16(0), u16(0xffff), u16(0xffff), u32(0xffffffff), u32(0xffffffff), u16(0));
  return [local, counted(times, entry), end64, locator, end];
}

function tarHeader(name: string, sizeBytes: number, type: string): Uint8Array {
  const block = Buffer.alloc(512);
  block.write(name, 0, 'latin1');
  block.write('0000644\0', 100, 'latin1');
  block.write(`${sizeBytes.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  block.write('        ', 148, 'latin1');
  block.write(type, 156, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
