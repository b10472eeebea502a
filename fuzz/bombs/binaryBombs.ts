import { concat, u16, u32, u64, utf8 } from '../../test/builders/byteWriter.js';
import { manifest, object } from '../../test/builders/ocdbtBuilder.js';
import { buildBundleIndex, buildTable, protoField, tableBlock, varint } from '../../test/builders/tensorBundleBuilder.js';
import { counted, fileBomb, zstdRun, type Bomb, type Part } from './bomb.js';

const million = 1_000_000;

export function ggufBombs(): Bomb[] {
  const gguf = (name: string, tensors: number | bigint, keys: number | bigint, parts: () => readonly Part[]): Bomb =>
    fileBomb(`GGUF: ${name}`, 'model.gguf', () => ['GGUF', u32(3), u64(tensors), u64(keys), ...parts()]);
  const text = (content: string): Uint8Array => concat(u64(content.length), utf8(content));
  return [
    gguf('5 M keys', 0, 5 * million, () => [
      counted(5 * million, (number) => concat(text(String(number)), u32(0), Uint8Array.of(1))),
    ]),
    gguf('20 M texts in an array', 0, 1, () => [
      text('a'),
      u32(9),
      u32(8),
      u64(20 * million),
      { unit: u64(0), times: 20 * million },
    ]),
    gguf('200 MB of bytes in an array', 0, 1, () => [
      text('a'),
      u32(9),
      u32(0),
      u64(200 * million),
      { unit: 'a', times: 200 * million },
    ]),
    gguf('3 M tensors', 3 * million, 0, () => [
      counted(3 * million, (number) => concat(text(`t${number}`), u32(1), u64(0), u32(0), u64(0))),
    ]),
    gguf('4 M arrays in an array', 0, 1, () => [
      text('a'),
      u32(9),
      u32(9),
      u64(4 * million),
      { unit: concat(u32(0), u64(0)), times: 4 * million },
    ]),
    gguf('the same key 5 M times', 0, 5 * million, () => [
      { unit: concat(text('a'), u32(0), Uint8Array.of(1)), times: 5 * million },
    ]),
    gguf('2^60 declared keys', 0, 2n ** 60n, () => [text('a')]),
    fileBomb('ggml: 1 M tensors', 'model.ggml', () => [
      u32(0x67676d6c),
      ...[32000, 32, 32, 4, 1, 8, 0].map((value) => u32(value)),
      { unit: u32(0), times: 32_000 },
      { unit: concat(u32(1), u32(1), u32(0), u32(1), utf8('a'), u32(0)), times: million },
    ]),
  ];
}

export function treeBombs(): Bomb[] {
  return [
    fileBomb('HDF5: 200,000 groups in each other', 'a.h5', () => hdf5Chain(200_000, false)),
    fileBomb('HDF5: a group that contains itself 300,000 times', 'a.h5', hdf5Cycle),
    fileBomb('HDF5: 300,000 datasets', 'a.h5', () => hdf5Wide(300_000)),
    fileBomb('Keras: HDF5 as text of 60 MB', 'model.keras', () => ['PK\x03\x04', { unit: 'a', times: 60 * million }]),
    fileBomb('msgpack: 20 M nested lists', 'a.msgpack', () => [{ unit: '\x91', times: 20 * million }]),
    fileBomb('msgpack: a map of 2^32 entries', 'a.msgpack', () => ['\xdf\xff\xff\xff\xff\xa1a\xc0']),
    fileBomb('msgpack: a map of 4 M entries', 'a.msgpack', () => [
      Uint8Array.of(0xdf),
      bigEndian(4 * million),
      counted(4 * million, (number) => concat(Uint8Array.of(0xa8), utf8(String(number).padStart(8, '0')), Uint8Array.of(0xc0))),
    ]),
    fileBomb('msgpack: 5 M empty maps in a list', 'a.msgpack', () => [
      Uint8Array.of(0xdd),
      bigEndian(5 * million),
      { unit: '\x80', times: 5 * million },
    ]),
    fileBomb('ONNX: 5 M initializers', 'model.onnx', () => [
      ...onnx(protoField(7, new Uint8Array(0))).slice(0, 1),
      Uint8Array.of(0x3a),
      varint(2 * 5 * million),
      { unit: Uint8Array.of(0x2a, 0), times: 5 * million },
    ]),
    fileBomb('ONNX: 3 M nodes', 'model.onnx', () => [
      ...onnx(new Uint8Array(0)).slice(0, 1),
      Uint8Array.of(0x3a),
      varint(7 * 3 * million),
      { unit: concat(Uint8Array.of(0x0a, 5), protoField(4, utf8('abc'))), times: 3 * million },
    ]),
    fileBomb('ONNX: graphs 200,000 deep', 'model.onnx', () => [deepOnnx(200_000)]),
    fileBomb('SavedModel: nested 200,000 deep', 'saved/saved_model.pb', () => [deepOnnx(200_000)]),
    fileBomb('tensor bundle: 50,000 variables', 'bundle/model.index', () => [
      buildBundleIndex({
        entries: Array.from({ length: 50_000 }, (_, number) => ({ key: `v${String(number).padStart(8, '0')}`, size: 0 })),
      }),
    ]),
    fileBomb('tensor bundle: keys that share 60 kB', 'bundle/model.index', () => [buildTable([sharedKeys(300_000)])]),
    fileBomb('tensor bundle: a block that points at itself', 'bundle/model.index', () => [
      buildTable([tableBlock([[utf8('a'), concat(varint(0), varint(2 ** 40))]])]),
    ]),
    fileBomb('OCDBT: manifest of zstd, 4 GB', 'ocdbt/manifest.ocdbt', () => [
      object('manifest', Buffer.concat([...partsOf(zstdRun(0, 32_768))]), { compression: 1 }),
    ]),
    fileBomb('OCDBT: a root of 2^60 bytes', 'ocdbt/manifest.ocdbt', () => [
      manifest([{ path: 'd/a' }], { file: 0, offset: 0, bytes: 2n ** 60n, height: 200 }),
    ]),
  ];
}

const bigEndian = (value: number): Uint8Array => u32(value).toReversed();
const onnx = (graph: Uint8Array): Uint8Array[] => [protoField(1, 8), protoField(7, graph)];

function* partsOf(parts: readonly Part[]): Generator<Uint8Array> {
  for (const part of parts)
    if (part instanceof Uint8Array) yield part;
    else if (typeof part === 'object' && 'unit' in part) yield Buffer.alloc(part.unit.length * part.times, part.unit);
}

/** A message in a message in a message, written from the inside. */
function deepOnnx(depth: number): Uint8Array {
  const heads: Uint8Array[] = [];
  let bytes = 0;
  for (let level = 0; level < depth; level++) {
    const head = concat(Uint8Array.of(level === depth - 1 ? 0x3a : level % 2 === 0 ? 0x0a : 0x2a), varint(bytes));
    heads.push(head);
    bytes += head.byteLength;
  }
  return Buffer.concat([protoField(1, 8), ...heads.reverse()]);
}

/** A sorted table in which each key is 60,000 bytes of the one before and one more: 18 GB of keys in 2 MB. */
function sharedKeys(times: number): Uint8Array {
  const first = concat(varint(0), varint(60_000), varint(0), Buffer.alloc(60_000, 'a'));
  const next = concat(varint(60_000), varint(1), varint(0), utf8('b'));
  return concat(first, Buffer.alloc(next.byteLength * times, next), u32(0), u32(1));
}

/** Superblock of version 2 with the address of the root. */
function superblock(fileBytes: number): Uint8Array {
  return concat(
    Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a, 2, 8, 8, 0),
    u64(0),
    u64(0xffffffffffffffffn),
    u64(fileBytes),
    u64(48),
    u32(0),
  );
}

/** An object header of version 2 around messages. */
function header(messages: Uint8Array): Uint8Array {
  return concat(utf8('OHDR'), Uint8Array.of(2, 2), u32(messages.byteLength), messages, u32(0));
}

function link(name: string, address: number): Uint8Array {
  const body = concat(Uint8Array.of(1, 0, name.length), utf8(name), u64(address));
  return concat(Uint8Array.of(6), u16(body.byteLength), Uint8Array.of(0), body);
}

function hdf5Chain(depth: number, isCycle: boolean): Part[] {
  const bytes = header(link('g', 0)).byteLength;
  const next = (number: number): number => (number === depth - 1 && isCycle ? 48 : 48 + (number + 1) * bytes);
  return [
    superblock(48 + depth * bytes),
    counted(depth, (number) => header(number === depth - 1 && !isCycle ? link('', 0) : link('g', next(number)))),
  ];
}

function hdf5Cycle(): Part[] {
  const links = Buffer.concat(Array.from({ length: 300_000 }, (_, number) => link(String(number).padStart(6, '0'), 48)));
  const root = header(links);
  return [superblock(48 + root.byteLength), root];
}

/** Datasets of one element, whose layout has no data yet. */
function hdf5Wide(times: number): Part[] {
  const message = (type: number, body: Uint8Array): Uint8Array =>
    concat(Uint8Array.of(type), u16(body.byteLength), Uint8Array.of(0), body);
  const dataset = header(
    concat(
      message(1, concat(Uint8Array.of(2, 1, 0, 1), u64(1))),
      message(3, concat(Uint8Array.of(0x10, 0, 0, 0), u32(4), u16(0), u16(32))),
      message(8, concat(Uint8Array.of(3, 1), u64(0xffffffffffffffffn), u64(4))),
    ),
  );
  // As many links as an object header may have.
  const perGroup = 60_000;
  const groups = Math.ceil(times / perGroup);
  const linksOf = (count: number, addressOf: (number: number) => number): Uint8Array =>
    header(Buffer.concat(Array.from({ length: count }, (_, number) => link(String(number).padStart(6, '0'), addressOf(number)))));
  const groupBytes = linksOf(perGroup, () => 0).byteLength;
  const groupAt = (group: number): number => 48 + linksOf(groups, () => 0).byteLength + group * groupBytes;
  const at = (number: number): number => groupAt(groups) + number * dataset.byteLength;
  return [
    superblock(at(groups * perGroup)),
    linksOf(groups, groupAt),
    counted(groups, (group) => linksOf(perGroup, (number) => at(group * perGroup + number))),
    { unit: dataset, times: groups * perGroup },
  ];
}
