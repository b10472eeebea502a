/** Files with as many values as a header may have are read; of one with more, what was cut is reported. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { OnnxQuantization } from '../../../src/core/formats/protobuf/onnxQuantization.js';
import { parseBundleIndex } from '../../../src/core/formats/tensorflow/tensorBundle.js';
import { eachTableEntry } from '../../../src/core/formats/tensorflow/sortedTable.js';
import { parseSnapshotManifest } from '../../../src/core/formats/torch/snapshotManifest.js';
import { readZipDirectory } from '../../../src/core/formats/zip.js';
import { bytes, concat, u16, u32, u64, utf8 } from '../../builders/byteWriter.js';
import { inspectOne } from '../../builders/inspectOne.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { protoField, tableBlock, varint } from '../../builders/tensorBundleBuilder.js';

const beyond = { code: 'limit-exceeded' };
const none = new Uint8Array(0);

function repeated(unit: Uint8Array, times: number): Uint8Array {
  return new Uint8Array(Buffer.alloc(unit.byteLength * times, unit));
}

async function inspectFile(name: string, file: Uint8Array) {
  const { report, tensors } = await inspectOne(memoryTree(name, { [name]: file }), { path: name });
  return { tensors: tensors.size, codes: report.findings.map(({ code }) => code) };
}

describe('entries of a zip directory', () => {
  const name = utf8('a');
  const local = concat(u32(0x04034b50), u16(20), new Uint8Array(20), u16(1), u16(0), name);
  const entry = concat(u32(0x02014b50), u16(20), u16(20), new Uint8Array(20), u16(1), new Uint8Array(16), name);
  function zipOf(entries: number): Uint8Array {
    const directory = repeated(entry, entries);
    const at = local.byteLength;
    const end64 = concat(
      ...[u32(0x06064b50), u64(44), u16(45), u16(45), u32(0), u32(0)],
      ...[entries, entries, directory.byteLength, at].map((value) => u64(value)),
    );
    const locator = concat(u32(0x07064b50), u32(0), u64(at + directory.byteLength), u32(1));
    const end = concat(u32(0x06054b50), u16(0), u16(0), u16(0xffff), u16(0xffff), u32(0xffffffff), u32(0xffffffff), u16(0));
    return concat(local, directory, end64, locator, end);
  }

  it('are read up to their limit', async () => {
    const read = (entries: number) => readZipDirectory(memorySource('a.zip', zipOf(entries)));
    expect((await read(limits.zipEntries)).entries.length).toBe(limits.zipEntries);
    await expect(read(limits.zipEntries + 1)).rejects.toMatchObject(beyond);
  });
});

describe('entries of a TorchSnapshot manifest', () => {
  const entries = (count: number): string[] => Array.from({ length: count }, (_, index) => `"0/${index}": {}`);
  const json = (count: number) => parseSnapshotManifest(utf8(`{"world_size": 2, "manifest": {${entries(count).join(',')}}}`));

  it('are read up to their limit from JSON', async () => {
    expect(await json(limits.manifestEntries)).toMatchObject({ worldSize: 2, tensors: [] });
    await expect(json(limits.manifestEntries + 1)).rejects.toMatchObject(beyond);
  });

  it('are read up to their limit from YAML', async () => {
    const yaml = (count: number) =>
      parseSnapshotManifest(
        utf8(`world_size: 2\nmanifest:\n${Array.from({ length: count }, (_, index) => `  a${index}: {}\n`).join('')}`),
      );
    await expect(yaml(limits.manifestEntries + 1)).rejects.toMatchObject(beyond);
  });

  it('are not read from a longer file', async () => {
    await expect(parseSnapshotManifest(new Uint8Array(limits.manifestBytes + 1))).rejects.toMatchObject(beyond);
  });
});

describe('tensors of one header', () => {
  const { headerTensors } = limits;

  it.each<[kind: string, name: string, file: (tensors: number) => Uint8Array]>([
    [
      'GGUF',
      'a.gguf',
      (tensors) =>
        concat(
          utf8('GGUF'),
          u32(3),
          u64(tensors),
          u64(0),
          repeated(concat(u64(1), utf8('a'), u32(1), u64(0), u32(0), u64(0)), tensors),
          new Uint8Array(32),
        ),
    ],
    [
      'ggml',
      'a.ggml',
      (tensors) =>
        concat(
          u32(0x67676d6c),
          ...[1, 32, 32, 4, 1, 8, 0].map((value) => u32(value)),
          u32(0),
          repeated(concat(u32(1), u32(1), u32(0), u32(1), utf8('a'), u32(0)), tensors),
        ),
    ],
    ['HDF5', 'a.h5', hdf5Of],
  ])('are read up to their limit from %s', async (_, name, file) => {
    // These readers keep what is before the limit.
    expect(await inspectFile(name, file(headerTensors + 1))).toEqual({
      tensors: headerTensors,
      codes: expect.arrayContaining(['header-too-large']) as string[],
    });
  });

  it('are read up to their limit from ONNX', async () => {
    const file = (tensors: number): Uint8Array =>
      concat(
        protoField(1, 9),
        bytes(0x3a),
        varint(2 * tensors),
        repeated(bytes(0x2a, 0), tensors),
        protoField(8, protoField(2, 17)),
      );
    const all = await inspectFile('a.onnx', file(headerTensors));
    expect(all.tensors).toBe(headerTensors);
    expect(all.codes).not.toContain('header-too-large');
    expect((await inspectFile('a.onnx', file(headerTensors + 1))).codes).toContain('header-too-large');
  });

  it('have names up to their limit in ONNX', async () => {
    const unit = 1024;
    const tensor = (nameBytes: number): Uint8Array => {
      const name = concat(bytes(0x42), varint(nameBytes), new Uint8Array(nameBytes).fill(0x61));
      return concat(bytes(0x2a), varint(name.byteLength), name);
    };
    const file = (nameBytes: number): Uint8Array => {
      const graph = concat(repeated(tensor(unit), limits.tensorNameBytes / unit - 1), tensor(unit - 1), tensor(nameBytes));
      return concat(protoField(1, 9), bytes(0x3a), varint(graph.byteLength), graph, protoField(8, protoField(2, 17)));
    };
    expect((await inspectFile('a.onnx', file(1))).codes).not.toContain('header-too-large');
    expect((await inspectFile('a.onnx', file(2))).codes).toContain('header-too-large');
  });

  it('are read up to their limit from a tensor bundle', () => {
    const index = (tensors: number) => parseBundleIndex(tableOf([concat(entry('', bytes(8, 1)), repeated(entry('a'), tensors))]));
    expect(index(headerTensors).tensors.length).toBe(headerTensors);
    expect(() => index(headerTensors + 1)).toThrow(expect.objectContaining(beyond));
  });
});

describe('extents of one header', () => {
  it('are read up to their limit from ONNX', async () => {
    const file = (extents: number): Uint8Array => {
      const tensor = repeated(bytes(0x32, 0), extents + 1);
      const graph = concat(bytes(0x2a), varint(tensor.byteLength), tensor);
      return concat(protoField(1, 9), bytes(0x3a), varint(graph.byteLength), graph, protoField(8, protoField(2, 17)));
    };
    expect((await inspectFile('a.onnx', file(limits.headerExtents))).codes).not.toContain('header-too-large');
    expect((await inspectFile('a.onnx', file(limits.headerExtents + 1))).codes).toContain('header-too-large');
  });

  it('are slices of a tensor bundle, which only one tensor has', () => {
    const slice = entry('\0a\0\u0001');
    const sliced = entry('a', protoField(7, none));
    const index = (slices: number) =>
      parseBundleIndex(tableOf([concat(entry('', bytes(8, 1)), repeated(slice, slices), sliced, sliced)]));
    const { tensors } = index(limits.headerExtents);
    expect(tensors.map(({ extents }) => extents.length)).toEqual([limits.headerExtents, 0]);
    expect(() => index(limits.headerExtents + 1)).toThrow(expect.objectContaining(beyond));
  });
});

describe('a sorted table', () => {
  it('has keys up to three times its size and a constant', () => {
    const first = concat(varint(0), varint(60_000), varint(0), repeated(utf8('a'), 60_000));
    const next = concat(varint(60_000), varint(0), varint(0));
    const table = (keys: number): Uint8Array => tableOf([concat(first, repeated(next, keys - 1))]);
    const most = Math.floor(limits.tableKeyBytes / 60_000);
    let count = 0;
    eachTableEntry(table(most), () => (count += 1));
    expect(count).toBe(most);
    expect(() => eachTableEntry(table(most + 10), () => undefined)).toThrow(expect.objectContaining(beyond));
  });

  it('names the same block only so many times', () => {
    const block = concat(repeated(concat(varint(0), varint(0), varint(0)), 10_000), u32(0), u32(1));
    const handle = concat(varint(0), varint(block.byteLength));
    const table = tableOf([], { block, index: tableBlock(Array.from({ length: 1_000 }, () => [none, handle])) });
    expect(() => eachTableEntry(table, () => undefined)).toThrow(expect.objectContaining(beyond));
  });
});

it('quantized inputs of ONNX are counted', () => {
  const quantization = new OnnxQuantization(100);
  const add = (name: string): void =>
    quantization.addNode(concat(protoField(1, none), protoField(1, utf8(name)), protoField(4, utf8('QuantizeLinear'))));
  for (let index = 0; index < 100; index++) add(String(index));
  add('0');
  expect(() => add('more')).toThrow(expect.objectContaining(beyond));
});

it('values of MessagePack are counted', async () => {
  const file = (values: number): Uint8Array =>
    concat(bytes(0x81, 0xa1, 0x61, 0xdd), u32(values).toReversed(), repeated(bytes(0xc0), values));
  // The map and the list count twice each: where they begin and where they end.
  expect((await inspectFile('a.msgpack', file(limits.msgpackValues - 3))).codes).not.toContain('header-too-large');
  expect((await inspectFile('a.msgpack', file(limits.msgpackValues + 1))).codes).toContain('header-too-large');
});

it('messages of an HDF5 header are counted', async () => {
  const file = (messages: number): Uint8Array => {
    const root = hdf5Header(repeated(bytes(0, 0, 0, 0), messages));
    return concat(superblock(48 + root.byteLength), root);
  };
  expect((await inspectFile('a.h5', file(limits.hdf5Messages))).codes).not.toContain('header-too-large');
  expect((await inspectFile('a.h5', file(limits.hdf5Messages + 1))).codes).toContain('header-too-large');
});

/** An entry of a table whose key shares nothing. */
function entry(key: string, value: Uint8Array = none): Uint8Array {
  return concat(varint(0), varint(key.length), varint(value.byteLength), utf8(key), value);
}

/** A table of one block of entries, or of a block that the given index names. */
function tableOf(entries: Uint8Array[], made?: { block: Uint8Array; index: Uint8Array }): Uint8Array {
  const block = made?.block ?? concat(...entries, u32(0), u32(1));
  const trailer = new Uint8Array(5);
  const index = made?.index ?? tableBlock([[utf8('k'), concat(varint(0), varint(block.byteLength))]]);
  const at = block.byteLength + trailer.byteLength;
  const footer = concat(varint(at), varint(0), varint(at), varint(index.byteLength));
  return concat(block, trailer, index, trailer, footer, new Uint8Array(40 - footer.byteLength), u32(0x8b80fb57), u32(0xdb477524));
}

function superblock(fileBytes: number): Uint8Array {
  const signature = bytes(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);
  return concat(signature, bytes(2, 8, 8, 0), u64(0), u64(0xffffffffffffffffn), u64(fileBytes), u64(48), u32(0));
}

/** An object header of version 2. */
function hdf5Header(messages: Uint8Array): Uint8Array {
  return concat(utf8('OHDR'), bytes(2, 2), u32(messages.byteLength), messages, u32(0));
}

function hdf5Message(type: number, body: Uint8Array): Uint8Array {
  return concat(bytes(type), u16(body.byteLength), bytes(0), body);
}

/** Datasets with a null dataspace in groups, as many as one header may link. */
function hdf5Of(datasets: number): Uint8Array {
  const dataset = hdf5Header(
    concat(
      hdf5Message(1, bytes(2, 0, 0, 2)),
      hdf5Message(3, concat(bytes(0x10, 0, 0, 0), u32(4), u16(0), u16(32))),
      hdf5Message(8, concat(bytes(3, 1), u64(0xffffffffffffffffn), u64(0))),
    ),
  );
  const perGroup = 60_000;
  const groups = Math.ceil(datasets / perGroup);
  const link = hdf5Message(6, concat(bytes(1, 0, 6), utf8('000000'), u64(0)));
  const links = (count: number, addressOf: (index: number) => number): Uint8Array => {
    const messages = repeated(link, count);
    const view = new DataView(messages.buffer);
    for (let index = 0; index < count; index++)
      view.setBigUint64((index + 1) * link.byteLength - 8, BigInt(addressOf(index)), true);
    return hdf5Header(messages);
  };
  const sizes = Array.from({ length: groups }, (_, group) => Math.min(perGroup, datasets - group * perGroup));
  const groupBytes = links(perGroup, () => 0).byteLength;
  const groupAt = (group: number): number => 48 + links(groups, () => 0).byteLength + group * groupBytes;
  const firstAt = groupAt(groups - 1) + links(sizes.at(-1) as number, () => 0).byteLength;
  const root = links(groups, groupAt);
  const members = sizes.map((size, group) => links(size, (index) => firstAt + (group * perGroup + index) * dataset.byteLength));
  return concat(superblock(firstAt + datasets * dataset.byteLength), root, ...members, repeated(dataset, datasets));
}
