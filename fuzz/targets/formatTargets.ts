/** Each format of single files, by the table of formats. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SNIFF_BYTES } from '../../src/core/formats/fileFormat.js';
import { fileFormats } from '../../src/core/checkpoints/fileFormats.js';
import { buildNpy } from '../../test/builders/npyBuilder.js';
import { global, pickle, reduce, str, tuple } from '../../test/builders/pickleBuilder.js';
import { concat, u32, utf8 } from '../../test/builders/byteWriter.js';
import { hdf5Base64 } from '../../test/builders/packedPickles.js';
import { buildTar } from '../../test/builders/tarBuilder.js';
import { torchState } from '../../test/builders/torchStateBuilder.js';
import type { FuzzTarget, Input } from '../target.js';
import { singleInputs } from './fixtureInputs.js';
import { inspectInput } from './inspected.js';

const maxSeeds = 60;
const maxSeedBytes = 96 * 1024;

const magics = [
  ...['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', 'PK\x06\x06', 'PK\x06\x07', '\x93NUMPY', 'GGUF', 'tjgg', 'fmgg', 'lmgg'],
  ...['\x89HDF\r\n\x1a\n', 'OHDR', 'OCHK', 'TREE', 'SNOD', 'HEAP', 'GCOL', 'FRHP', 'FHDB', 'FHIB', 'BTHD', 'BTLF', 'BTIN'],
  ...[
    'FAHD',
    'FADB',
    'EAHD',
    'EAIB',
    'EASB',
    'EADB',
    'ustar',
    '\x80\x02',
    '\x80\x04\x95',
    '\x80\x05',
    'ctorch._utils\n_rebuild_tensor_v2\n',
  ],
  ...[
    'cbuiltins\ngetattr\n',
    'ccollections\nOrderedDict\n',
    '(',
    ']',
    '}',
    ')',
    'q\0',
    'h\0',
    'R',
    'b',
    '.',
    'tR',
    'u',
    'e',
    's',
    '\x85',
  ],
  ...[
    '\x8c\x04name',
    '\x93',
    '\x94',
    'BF16',
    'F4',
    'F8_E4M3',
    '"data_offsets":[0,8]',
    '"shape":[',
    '__metadata__',
    '\xc7',
    '\xdf\xff\xff\xff\xff',
  ],
  ...[
    'general.alignment',
    'split.count',
    'quantization_config',
    '\xc9\0\0\0\x10\x01',
    "'shape': (",
    "'descr': '<f4'",
    '|O',
    '\x1f\x8b\x08',
  ],
];

/** Built where no fixture is of the format. */
const built: Readonly<Record<string, () => Input[]>> = {
  npy: () => [
    { 'a.npy': buildNpy({ shape: [2, 3], data: new Uint8Array(24) }) },
    { 'a.npy': buildNpy({ descr: [['a', '<f4']], shape: [2], data: new Uint8Array(8), version: [3, 0] }) },
  ],
  nemo: () => [
    {
      'a.nemo': buildTar([
        { name: 'model_config.yaml', data: utf8('name: a\n') },
        { name: 'model_weights.ckpt', data: torchState((tensor) => ({ a: tensor([2]) })) },
      ]),
    },
  ],
  llmc: () => [
    { 'model.bin': concat(u32(20240326), u32(3), ...[8, 16, 2, 2, 4, 16].map(u32), new Uint8Array(1024 - 32 + 4096)) },
  ],
  hdf5: () => [{ 'a.h5': new Uint8Array(Buffer.from(hdf5Base64, 'base64')) }],
  pickle: () => [
    ...corpusOfImports().map((bytes) => ({ 'a.pkl': bytes })),
    { 'a.pkl': pickle(reduce(global('os', 'system'), tuple(str('id')))) },
  ],
};

function corpusOfImports(): Uint8Array[] {
  const text = readFileSync(path.resolve('test/fixtures/pickle-imports/corpus.jsonl'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .slice(0, maxSeeds)
    .map((line) => new Uint8Array(Buffer.from((JSON.parse(line) as { pickle: string }).pickle, 'base64')));
}

export function formatTargets(): FuzzTarget[] {
  return fileFormats.map((format) => ({
    name: `format-${format.id}`,
    seeds: () => [...(built[format.id]?.() ?? []), ...fixturesOf(format.id)],
    formOf: () => 'bytes',
    dictionary: magics,
    execute: inspectInput,
  }));
}

/** Small files with the first bytes or the names of a format: each size once, as files of one shape often have one size. */
function fixturesOf(id: string): Input[] {
  const format = fileFormats.find((known) => known.id === id);
  const own = singleInputs().filter(({ path: name, bytes }) => {
    const isNamed = format?.names?.some(({ extensions }) => extensions.some((extension) => name.endsWith(`.${extension}`)));
    return isNamed === true || format?.content?.matches(bytes.subarray(0, SNIFF_BYTES)) === true;
  });
  const bySize = new Map(own.map((file) => [file.bytes.byteLength, file]));
  const small = [...bySize.values()].filter(({ bytes }, index) => index < 3 || bytes.byteLength <= maxSeedBytes);
  return small.slice(0, maxSeeds).map(({ path: name, bytes }) => ({ [name]: bytes }));
}
