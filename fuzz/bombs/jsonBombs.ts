import { u64 } from '../../test/builders/byteWriter.js';
import { buildNpy } from '../../test/builders/npyBuilder.js';
import { bytesOfParts, counted, fileBomb, type Bomb, type Part } from './bomb.js';

const million = 1_000_000;

/** JSON beside weights: what a directory of a model has. */
export function jsonBombs(): Bomb[] {
  const json = (name: string, file: string, parts: () => readonly Part[]): Bomb => fileBomb(name, `model/${file}`, parts);
  return [
    json('config.json: 21 M objects in 63 MB', 'config.json', () => ['[', { unit: '{},', times: 21 * million }, '0]']),
    json('config.json: 30 M nested lists', 'config.json', () => [{ unit: '[', times: 30 * million }]),
    json('config.json: 5 M keys in 60 MB', 'config.json', () => [
      '{',
      counted(5 * million, (number) => `"k${number}":0,`),
      '"a":0}',
    ]),
    json('tokenizer.json: 100 MB of texts', 'tokenizer.json', () => [
      '{"model":{"vocab":{',
      counted(5 * million, (number) => `"token${number}":${number},`),
      '"z":0}}}',
    ]),
    json('shard index: 1 M tensors in 1 M files', 'model.safetensors.index.json', () => [
      '{"metadata":{},"weight_map":{',
      counted(million, (number) => `"layer.${number}.weight":"model-${number}.safetensors",`),
      '"z":"z.safetensors"}}',
    ]),
    json('shard index: 60 MB of nested lists', 'model.safetensors.index.json', () => [
      '{"weight_map":',
      { unit: '[', times: 60 * million },
    ]),
    json('trainer_state.json: 600,000 logs', 'trainer_state.json', () => [
      '{"global_step":5,"log_history":[',
      { unit: '{"loss":1.5,"step":10},', times: 600_000 },
      '{}]}',
    ]),
    json('generation_config.json: one text of 60 MB', 'generation_config.json', () => [
      '{"a":"',
      { unit: 'x', times: 60 * million },
      '"}',
    ]),
    fileBomb('Orbax _METADATA: 60 MB of objects', 'orbax/_METADATA', () => [
      '{"tree_metadata":{',
      counted(million, (number) => `"('p', '${number}')":{"key_metadata":[{"key":"p","key_type":2}]},`),
      '"z":{}}}',
    ]),
    fileBomb('zarr v2: 60 MB of attributes', 'zarr/.zattrs', () => ['[', { unit: '{},', times: 20 * million }, '0]']),
    fileBomb('zarr v3: nested lists', 'zarr/zarr.json', () => [{ unit: '[', times: 30 * million }]),
    fileBomb('TorchSnapshot: 60 MB of manifest', 'snapshot/.snapshot_metadata', () => [
      'version: 0.1.0\nworld_size: 1\nmanifest:\n',
      counted(800_000, (number) => `  0/a/${number}:\n    type: Dict\n    keys: []\n`),
    ]),
  ];
}

/** Headers that are JSON or Python literals. */
export function headerBombs(): Bomb[] {
  const safetensors = (name: string, parts: () => readonly Part[], bytes?: number): Bomb =>
    fileBomb(`safetensors: ${name}`, 'model.safetensors', () => [u64(bytes ?? bytesOfParts(parts())), ...parts()]);
  const tensor = (number: number): string =>
    `"t${String(number).padStart(7, '0')}":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},`;
  return [
    safetensors('1.6 M empty tensors', () => ['{', counted(1_600_000, tensor), '"__metadata__":{}}']),
    safetensors('100 MB of spaces', () => ['{}', { unit: ' ', times: 99 * million }]),
    safetensors('one text of 99 MB', () => ['{"__metadata__":{"a":"', { unit: 'x', times: 99 * million }, '"}}']),
    safetensors('5 M texts of metadata', () => [
      '{"__metadata__":{',
      counted(5 * million, (number) => `"${String(number).padStart(8, '0')}":"",`),
      '"a":""}}',
    ]),
    safetensors('49 M dimensions', () => [
      '{"a":{"dtype":"F32","shape":[',
      { unit: '1,', times: 49 * million },
      '1],"data_offsets":[0,4]}}',
    ]),
    safetensors('99 M nested objects', () => [{ unit: '{"":', times: 24 * million }]),
    safetensors('a declared length of 2^60', () => ['{}'], 2 ** 60),
    safetensors('600,000 unknown types', () => [
      '{',
      counted(
        600_000,
        (number) =>
          `"t${String(number).padStart(7, '0')}":{"dtype":"X${String(number).padStart(7, '0')}","shape":[1],"data_offsets":[0,0]},`,
      ),
      '"__metadata__":{}}',
    ]),
    fileBomb('npy: 20 M nested lists', 'a.npy', () => [...npy(20 * million), { unit: '[', times: 20 * million }]),
    fileBomb('npy: 5 M dimensions', 'a.npy', () => [
      ...npy(10 * million + 52),
      "{'descr': '<f4', 'fortran_order': False, 'shape': (",
      { unit: '1,', times: 5 * million },
      ')}',
    ]),
    fileBomb('npy: a declared header of 4 GB', 'a.npy', () => npy(0xffffffff)),
    fileBomb('npy: objects, 20 M lists', 'a.npy', () => [
      buildNpy({ descr: '|O', shape: [1] }),
      '\x80\x02',
      { unit: ']', times: 20 * million },
    ]),
  ];
}

/** Signature, version 2, and the length of a header. */
function npy(headerBytes: number): readonly Part[] {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(headerBytes);
  return ['\x93NUMPY\x02\0', length];
}
