import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { concat, u32, u64 } from '../../test/builders/byteWriter.js';
import { counted, fileBomb, type Bomb, type Part } from './bomb.js';

const million = 1_000_000;

export function datasetBombs(): Bomb[] {
  const parquet = (name: string, parts: () => readonly Part[], footerBytes: number): Bomb =>
    fileBomb(`Parquet: ${name}`, 'a.parquet', () => ['PAR1', ...parts(), u32(footerBytes), 'PAR1']);
  return [
    parquet(
      'a list of 10^9 elements',
      () => [Uint8Array.of(0x15, 2, 0x19, 0xfc), leb128(1_000_000_000)],
      4 + leb128(1e9).byteLength,
    ),
    parquet(
      '20 M empty columns of a schema',
      () => [Uint8Array.of(0x15, 2, 0x19, 0xfc), leb128(20 * million), { unit: '\0', times: 20 * million }],
      4 + leb128(20 * million).byteLength + 20 * million,
    ),
    parquet('structs 20 M deep', () => [{ unit: '\x1c', times: 20 * million }], 20 * million),
    parquet(
      '10 M row groups',
      () => [Uint8Array.of(0x15, 2, 0x39, 0xfc), leb128(10 * million), { unit: '\0', times: 10 * million }, Uint8Array.of(0)],
      5 + leb128(10 * million).byteLength + 10 * million,
    ),
    fileBomb('Arrow: metadata of 60 MB', 'a.arrow', () => [
      u32(0xffffffff),
      u32(60 * million),
      { unit: '\x04\0\0\0', times: 15 * million },
    ]),
    fileBomb('Arrow: metadata of 2 GB declared', 'a.arrow', () => [u32(0xffffffff), u32(0x7fffffff), 'a']),
    fileBomb('Arrow: 2 M empty messages', 'a.arrow', () => [
      { unit: concat(u32(0xffffffff), u32(8), u64(0)), times: 2 * million },
    ]),
    fileBomb('TFRecord: 6 M empty records', 'a.tfrecord', () => [
      { unit: concat(u64(0), u32(0x07980329), u32(0)), times: 6 * million },
    ]),
    fileBomb('TFRecord: a length of 2^63', 'a.tfrecord', () => [u64(2n ** 63n), u32(0)]),
    fileBomb('JSON lines: one line of 1 GB', 'a.jsonl', () => ['{"text":"', { unit: 'a', times: 1_000 * million }, '"}\n']),
    fileBomb('JSON lines: 30 M lines', 'a.jsonl', () => [{ unit: '{}\n', times: 30 * million }]),
    fileBomb('JSON lines: nested lists', 'a.jsonl', () => [{ unit: '[', times: 60 * million }]),
    fileBomb('text: one line of 1 GB', 'data/a.txt', () => [{ unit: 'a', times: 1_000 * million }]),
    fileBomb('CSV: an open quote in 60 MB', 'data/a.csv', () => ['text\n"', { unit: 'a""', times: 20 * million }]),
    fileBomb('LitData: index of 60 MB', 'lit/index.json', () => [
      '{"config":{"data_format":["no_header_tensor:16"]},"chunks":[',
      { unit: '{"chunk_bytes":8,"chunk_size":1,"dim":4,"filename":"a.bin"},', times: million },
      '{}]}',
    ]),
    fileBomb('LitData: 2^32 items', 'lit/chunk-0-0.bin', () => [u32(0xffffffff), { unit: u32(8), times: million }]),
    fileBomb('MDS: index of 60 MB', 'mds/index.json', () => [
      '{"version":2,"shards":[',
      {
        unit: '{"format":"mds","samples":1,"column_names":["a"],"column_encodings":["int"],"column_sizes":[8],"raw_data":{"basename":"a","bytes":1}},',
        times: 450_000,
      },
      '{}]}',
    ]),
    fileBomb('MDS: 2^32 samples', 'mds/shard.00000.mds', () => [u32(0xffffffff), { unit: u32(8), times: million }]),
    fileBomb('Megatron: 10^9 documents in 100 B', 'mega/a.idx', () => [
      'MMIDIDX\0\0',
      u64(1),
      Uint8Array.of(4),
      u64(1_000_000_000),
      u64(1_000_000_000),
      new Uint8Array(66),
    ]),
    fileBomb('Megatron: 8 M documents', 'mega/a.idx', () => [
      'MMIDIDX\0\0',
      u64(1),
      Uint8Array.of(4),
      u64(8 * million),
      u64(8 * million),
      { unit: u32(1), times: 8 * million },
      { unit: u64(0), times: 8 * million },
      { unit: u64(0), times: 8 * million },
    ]),
    fileBomb('ArrayRecord: 60 MB of zeros', 'a.array_record', () => [{ unit: '\0', times: 60 * million }]),
    fileBomb('DataTrove: 20 M documents', 'trove/a.ds.index', () => [counted(20 * million, (number) => u64(number))]),
    { name: 'a directory of 200,000 empty files', write: (folder) => emptyFiles(folder, 200_000, (number) => `${number}.txt`) },
    {
      name: 'a directory of 100,000 safetensors of 0 B',
      write: (folder) => emptyFiles(folder, 100_000, (number) => `model-${number}.safetensors`),
    },
    { name: 'directories 400 deep', write: deepDirectories },
  ];
}

function leb128(value: number): Uint8Array {
  const out: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.of(...out, rest);
    out.push((rest % 128) | 128);
  }
}

function emptyFiles(folder: string, times: number, nameOf: (number: number) => string): string {
  for (let number = 0; number < times; number++) closeSync(openSync(path.join(folder, nameOf(number)), 'w'));
  return folder;
}

function deepDirectories(folder: string): string {
  mkdirSync(path.join(folder, ...Array.from({ length: 400 }, () => 'a')), { recursive: true });
  return folder;
}
