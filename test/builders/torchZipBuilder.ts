import { deflateRawSync } from 'node:zlib';
import type { ByteSource } from '../../src/core/bytes/byteSource.js';
import { concat, latin1, u16, u32, u64, utf8 } from './byteWriter.js';
import * as p from './pickleBuilder.js';

/**
 * Zip files as PyTorch's miniz writer lays them out: stored records, a local header without CRC and sizes, `FB` padding so that data
 * starts at a multiple of the alignment, a data descriptor, and a zip64 end record even in tiny files. Options bend each of these.
 */

export interface ZipRecord {
  /** Below the top folder, e.g. `data.pkl` or `data/0`. */
  name: string;
  /** The content; nothing where `sizeBytes` makes a hole. */
  data?: Uint8Array;
  /** The content is a hole (zeros) of this size. It takes no memory until the layout is flattened. */
  sizeBytes?: number;
  /** Compress with method 8, as TorchScript does for code and `numpy.savez_compressed` for arrays. */
  deflate?: boolean;
  /** The content as another method packs it. */
  packed?: { method: number; bytes: Uint8Array };
  /** Zip64 sizes in the directory although they would fit 32 bits. */
  zip64?: boolean;
  /** Lies for the central directory. */
  central?: {
    compressedSize?: number | bigint;
    uncompressedSize?: number | bigint;
    localOffset?: number | bigint;
    method?: number;
    flags?: number;
    crc32?: number;
    name?: string;
    extra?: Uint8Array;
  };
  /** Lies for the local header. */
  local?: { name?: string; extra?: Uint8Array; signature?: number; method?: number; flags?: number };
}

export interface ZipOptions {
  /** Top folder of every record. Default `archive`; an empty string leaves it out. */
  prefix?: string;
  /** Data starts at a multiple of this. Default 64; 1 writes no padding. */
  alignment?: number;
  /** Default true: sizes follow the data instead of standing in the local header. */
  dataDescriptors?: boolean;
  /** `no-crc` as torch writes with CRC computation off. */
  crc32?: 'computed' | 'no-crc';
  /** Default true, as torch does. */
  zip64End?: boolean;
  /** Cuts the end record (and the zip64 one) off. */
  missingEnd?: boolean;
  /** Cuts the whole directory off: the file of an interrupted save. */
  missingDirectory?: boolean;
  /** Bytes in front of the first record. Offsets count from the start of the file. */
  leading?: Uint8Array;
  /** Bytes after the end record that its comment length does not cover. */
  trailing?: Uint8Array;
  comment?: Uint8Array;
  /** Lies for the end records. */
  end?: {
    entries?: number | bigint;
    directorySize?: number | bigint;
    directoryOffset?: number | bigint;
    zip64EndOffset?: number | bigint;
  };
}

/** A file with holes: everything between the segments is zeros. */
export interface SparseFile {
  sizeBytes: number;
  segments: { offset: number; bytes: Uint8Array }[];
  /** Where each record's local header and data lie, by name. */
  records: Map<string, { headerOffset: number; dataOffset: number; storedBytes: number }>;
  /** Where the central directory begins. */
  directoryOffset: number;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crc32(data: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of data) value = (value >>> 8) ^ (crcTable[(value ^ byte) & 0xff] as number);
  return (value ^ 0xffffffff) >>> 0;
}

const none = 0xffffffff;
const over = (value: number | bigint) => BigInt(value) >= 0xffffffffn;
const slot = (value: number | bigint, zip64: boolean) => u32(zip64 ? none : value);

/** Lays a zip out without holding its holes in memory. */
export function layOutZip(records: readonly ZipRecord[], options: ZipOptions = {}): SparseFile {
  const prefix = options.prefix ?? 'archive';
  const alignment = options.alignment ?? 64;
  const descriptors = options.dataDescriptors ?? true;
  const segments: SparseFile['segments'] = [];
  const placed: SparseFile['records'] = new Map();
  const directory: Uint8Array[] = [];
  let at = 0;
  const write = (bytes: Uint8Array) => {
    if (bytes.byteLength > 0) segments.push({ offset: at, bytes });
    at += bytes.byteLength;
  };
  write(options.leading ?? new Uint8Array(0));

  for (const record of records) {
    const path = prefix === '' ? record.name : `${prefix}/${record.name}`;
    const content = record.data ?? new Uint8Array(0);
    const uncompressed = record.sizeBytes ?? content.byteLength;
    const packed = record.packed ?? (record.deflate === true ? { method: 8, bytes: deflateRawSync(content) } : undefined);
    const stored = packed?.bytes ?? content;
    const compressed = packed === undefined ? uncompressed : stored.byteLength;
    const method = packed?.method ?? 0;
    const flags = descriptors ? 0x0808 : 0x0800;
    const crc = options.crc32 === 'no-crc' || record.sizeBytes !== undefined ? 0 : crc32(content);
    const large = record.zip64 === true || over(uncompressed) || over(compressed);
    const headerOffset = at;
    const far = over(headerOffset);

    // torch repeats the 64-bit values in the local header's extra field, although its size slots are zero.
    const name = utf8(record.local?.name ?? path);
    const zip64Extra = zip64Block(large ? [uncompressed, compressed] : [], far ? [headerOffset] : []);
    const unpadded = at + 30 + name.byteLength + zip64Extra.byteLength;
    const gap = alignment > 1 ? (alignment - ((unpadded + 4) % alignment)) % alignment : 0;
    const padding = alignment > 1 ? concat(latin1('FB'), u16(gap), new Uint8Array(gap).fill(0x5a)) : new Uint8Array(0);
    const localExtra = record.local?.extra ?? concat(zip64Extra, padding);
    write(
      concat(
        u32(record.local?.signature ?? 0x04034b50),
        u16(0),
        u16(record.local?.flags ?? flags),
        u16(record.local?.method ?? method),
        u32(0),
        ...(descriptors ? [u32(0), u32(0), u32(0)] : [u32(crc), slot(compressed, large), slot(uncompressed, large)]),
        u16(name.byteLength),
        u16(localExtra.byteLength),
        name,
        localExtra,
      ),
    );
    placed.set(record.name, { headerOffset, dataOffset: at, storedBytes: compressed });
    if (record.sizeBytes === undefined) write(stored);
    else at += record.sizeBytes;
    if (descriptors)
      write(concat(u32(0x08074b50), u32(crc), ...[compressed, uncompressed].map((size) => (large ? u64(size) : u32(size)))));

    const lies = record.central ?? {};
    const listed = {
      compressed: lies.compressedSize ?? compressed,
      uncompressed: lies.uncompressedSize ?? uncompressed,
      offset: lies.localOffset ?? headerOffset,
      name: utf8(lies.name ?? path),
    };
    const wide = {
      uncompressed: record.zip64 === true || over(listed.uncompressed),
      compressed: record.zip64 === true || over(listed.compressed),
      offset: over(listed.offset),
    };
    const extra =
      lies.extra ??
      zip64Block(
        wide.uncompressed ? [listed.uncompressed] : [],
        wide.compressed ? [listed.compressed] : [],
        wide.offset ? [listed.offset] : [],
      );
    directory.push(
      concat(
        u32(0x02014b50),
        u16(0),
        u16(0),
        u16(lies.flags ?? flags),
        u16(lies.method ?? method),
        u32(0),
        u32(lies.crc32 ?? crc),
        slot(listed.compressed, wide.compressed),
        slot(listed.uncompressed, wide.uncompressed),
        u16(listed.name.byteLength),
        u16(extra.byteLength),
        u16(0),
        u16(0),
        u16(0),
        u32(0),
        slot(listed.offset, wide.offset),
        listed.name,
        extra,
      ),
    );
  }

  const directoryOffset = at;
  if (options.missingDirectory !== true) {
    write(concat(...directory));
    if (options.missingEnd !== true) write(endRecords(records.length, directoryOffset, at, options));
  }
  write(options.trailing ?? new Uint8Array(0));
  return { sizeBytes: at, segments, records: placed, directoryOffset };
}

function zip64Block(...values: readonly (readonly (number | bigint)[])[]): Uint8Array {
  const body = concat(...values.flat().map((value) => u64(value)));
  return body.byteLength === 0 ? body : concat(u16(1), u16(body.byteLength), body);
}

function endRecords(count: number, directoryOffset: number, directoryEnd: number, options: ZipOptions): Uint8Array {
  const entries = options.end?.entries ?? count;
  const size = options.end?.directorySize ?? directoryEnd - directoryOffset;
  const offset = options.end?.directoryOffset ?? directoryOffset;
  const comment = options.comment ?? new Uint8Array(0);
  const zip64 =
    options.zip64End === false
      ? new Uint8Array(0)
      : concat(
          ...[u32(0x06064b50), u64(44), u16(0x031e), u16(45), u32(0), u32(0), u64(entries), u64(entries), u64(size), u64(offset)],
          ...[u32(0x07064b50), u32(0), u64(options.end?.zip64EndOffset ?? directoryEnd), u32(1)],
        );
  const short = BigInt(entries) >= 0xffffn ? 0xffff : entries;
  return concat(
    zip64,
    ...[u32(0x06054b50), u16(0), u16(0), u16(short), u16(short), slot(size, over(size)), slot(offset, over(offset))],
    ...[u16(comment.byteLength), comment],
  );
}

/** The file as one array. Only for files without large holes. */
export function flatten(file: SparseFile): Uint8Array {
  const whole = new Uint8Array(file.sizeBytes);
  for (const segment of file.segments) whole.set(segment.bytes, segment.offset);
  return whole;
}

/** A file with holes as a source, so that a test can read 100 GB without a disk. */
export function sparseSource(file: Pick<SparseFile, 'sizeBytes' | 'segments'>, name = 'sparse.pt'): ByteSource {
  return {
    name,
    sizeBytes: file.sizeBytes,
    read(offset, length) {
      if (offset < 0 || offset + length > file.sizeBytes)
        return Promise.reject(new RangeError(`read ${offset}+${length} of ${file.sizeBytes}`));
      const out = new Uint8Array(length);
      for (const { offset: start, bytes } of file.segments) {
        const from = Math.max(offset, start);
        const to = Math.min(offset + length, start + bytes.byteLength);
        if (from < to) out.set(bytes.subarray(from - start, to - start), from - offset);
      }
      return Promise.resolve(out);
    },
    close: () => Promise.resolve(),
  };
}

/** Any zip as one array. */
export function buildZip(records: readonly ZipRecord[], options: ZipOptions = {}): Uint8Array {
  return flatten(layOutZip(records, options));
}

export interface TorchZipFile {
  /** `data.pkl`, e.g. from `pickle(dict(...))`. */
  pickle: Uint8Array;
  /** `data/<key>` by key: the bytes, or the size of a hole. */
  storages?: Readonly<Record<string, Uint8Array | number>>;
  /** Which release's side records to write. Default `2.6`: with `.format_version` and `.storage_alignment`; `1.13` writes none of them. */
  torch?: '1.13' | '2.1' | '2.6';
  byteorder?: string;
  version?: string;
  serializationId?: string;
  /** More records, at the end. */
  extra?: readonly ZipRecord[];
  /** Bends single records by name; `null` leaves the record out. */
  records?: Readonly<Record<string, Partial<ZipRecord> | null>>;
  /** Names in the order they are to be written, where it differs; others follow in their own order. */
  order?: readonly string[];
}

/** The records `torch.save` writes, in its order. */
export function torchRecords(file: TorchZipFile): ZipRecord[] {
  const release = file.torch ?? '2.6';
  const text = (name: string, value: string): ZipRecord => ({ name, data: utf8(value) });
  const records: ZipRecord[] = [{ name: 'data.pkl', data: file.pickle }];
  if (release === '2.6') records.push(text('.format_version', '1'), text('.storage_alignment', '64'));
  if (release !== '1.13') records.push(text('byteorder', file.byteorder ?? 'little'));
  for (const [key, value] of Object.entries(file.storages ?? {})) {
    records.push(typeof value === 'number' ? { name: `data/${key}`, sizeBytes: value } : { name: `data/${key}`, data: value });
  }
  records.push(text('version', file.version ?? '3\n'));
  if (release !== '1.13') records.push(text('.data/serialization_id', file.serializationId ?? '0'.repeat(40)));
  records.push(...(file.extra ?? []));
  const bent = records.flatMap((record) => {
    const change = file.records?.[record.name];
    return change === null ? [] : [{ ...record, ...change }];
  });
  const place = (record: ZipRecord) => {
    const index = file.order?.indexOf(record.name) ?? -1;
    return index === -1 ? Number.MAX_SAFE_INTEGER : index;
  };
  return file.order ? bent.sort((a, b) => place(a) - place(b)) : bent;
}

/** A torch file as one array. */
export function buildTorchZip(file: TorchZipFile, options: ZipOptions = {}): Uint8Array {
  return buildZip(torchRecords(file), options);
}

/** A torch file of any declared size; see `sparseSource`. */
export function layOutTorchZip(file: TorchZipFile, options: ZipOptions = {}): SparseFile {
  return layOutZip(torchRecords(file), options);
}

const storageTypes: Readonly<Record<string, readonly [type: string, bytes: number]>> = {
  f64: ['DoubleStorage', 8],
  f32: ['FloatStorage', 4],
  f16: ['HalfStorage', 2],
  bf16: ['BFloat16Storage', 2],
  i64: ['LongStorage', 8],
  i32: ['IntStorage', 4],
  i16: ['ShortStorage', 2],
  i8: ['CharStorage', 1],
  u8: ['ByteStorage', 1],
  bool: ['BoolStorage', 1],
};

/** Pickle and storages of a plain state_dict: `{ 'layer.weight': ['f32', [4, 8]] }`, storages are holes or patterns by choice. */
export function stateDict(
  tensors: Readonly<Record<string, readonly [dtype: string, shape: readonly number[]]>>,
): Required<Pick<TorchZipFile, 'pickle' | 'storages'>> {
  const storages: Record<string, number> = {};
  const pairs = Object.entries(tensors).map(([name, [dtype, shape]], index): p.Pair => {
    const [storageType, itemBytes] = storageTypes[dtype] ?? ['UntypedStorage', 1];
    storages[String(index)] = shape.reduce((product, size) => product * size, 1) * itemBytes;
    return [p.str(name), p.torchTensor({ storageType, key: String(index), shape })];
  });
  return { pickle: p.pickle(p.orderedDict(...pairs)), storages };
}

/** A file in the format before torch 1.6: five pickles, then each storage as its element count and its bytes. */
export function buildTorchLegacy(
  object: Uint8Array,
  storages: readonly { key: string; numel: number | bigint; data: Uint8Array }[],
  littleEndian = true,
): Uint8Array {
  const systemInfo = p.dict(
    [p.str('protocol_version'), p.int(1001)],
    [p.str('little_endian'), p.bool(littleEndian)],
    [p.str('type_sizes'), p.dict([p.str('short'), p.int(2)], [p.str('int'), p.int(4)], [p.str('long'), p.int(4)])],
  );
  return concat(
    p.pickle(p.int(0x1950a86a20f9469cfc6cn)),
    p.pickle(p.int(1001)),
    p.pickle(systemInfo),
    object,
    p.pickle(p.list(...storages.map((storage) => p.str(storage.key)))),
    ...storages.flatMap((storage) => [u64(storage.numel), storage.data]),
  );
}
