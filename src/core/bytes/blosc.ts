/**
 * Buffers of Blosc 1 (github.com/Blosc/c-blosc, README_HEADER.rst), as zarr and HDF5's filter of that name store chunks:
 *
 *   u8 version, u8 version of the compressor, u8 flags, u8 bytes of an element, u32 bytes, u32 bytes of a block, u32 bytes of the buffer
 *   u32 where each block begins | blocks: for each of its parts u32 bytes, and these; a part that did not shrink is stored as it is
 *
 * A block has one part for each byte of an element, or one. What is in it was shuffled, by bytes or by bits.
 */
import { decompressBloscLz } from './bloscLz.js';
import { FormatError } from './formatError.js';
import { decompressLz4Block } from './lz4.js';
import { unshuffle, unshuffleBits } from './shuffle.js';
import { decompressSnappy } from './snappy.js';
import { unpackStream } from './unpackStream.js';

const HEADER_BYTES = 16;
const IS_SHUFFLED = 0x01;
const IS_STORED = 0x02;
const IS_BIT_SHUFFLED = 0x04;
const IS_NOT_SPLIT = 0x10;
/** Blocks of larger elements, and of fewer of them, are not split, whatever the flags of old versions say. */
const MOST_PARTS = 16;
const LEAST_PART_BYTES = 128;

/**
 * @param mostBytes what comes out may not be larger: compared with the header before anything is allocated
 * @throws FormatError `corrupt`, `unsupported` for a compressor that is not known, or an error of a library for damaged data
 */
export function unpackBlosc(buffer: Uint8Array, mostBytes: number): Uint8Array {
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  if (buffer.byteLength < HEADER_BYTES) throw corrupt();
  const flags = view.getUint8(2);
  const elementBytes = view.getUint8(3);
  const plainBytes = view.getUint32(4, true);
  if (plainBytes > mostBytes) throw corrupt();
  if ((flags & IS_STORED) !== 0) return stretch(buffer, HEADER_BYTES, plainBytes);
  const blockBytes = view.getUint32(8, true);
  const blocks = Math.ceil(plainBytes / blockBytes);
  if (!(blocks <= (buffer.byteLength - HEADER_BYTES) / 4)) throw corrupt();
  const unpackPart = partDecoder(flags >> 5);
  const output = new Uint8Array(plainBytes);
  for (let block = 0; block < blocks; block++) {
    const own = output.subarray(block * blockBytes, (block + 1) * blockBytes);
    const isSplit =
      (flags & IS_NOT_SPLIT) === 0 &&
      own.byteLength === blockBytes &&
      elementBytes <= MOST_PARTS &&
      blockBytes / elementBytes >= LEAST_PART_BYTES;
    const parts = isSplit ? elementBytes : 1;
    const partBytes = Math.floor(own.byteLength / parts);
    let at = view.getUint32(HEADER_BYTES + 4 * block, true);
    for (let part = 0; part < parts; part++) {
      if (at + 4 > buffer.byteLength) throw corrupt();
      const packed = stretch(buffer, at + 4, view.getUint32(at, true));
      own.set(packed.byteLength === partBytes ? packed : unpackPart(packed, partBytes), part * partBytes);
      at += 4 + packed.byteLength;
    }
    if ((flags & IS_SHUFFLED) !== 0) own.set(unshuffle(own, elementBytes));
    else if ((flags & IS_BIT_SHUFFLED) !== 0) own.set(unshuffleBits(own, elementBytes));
  }
  return output;
}

function partDecoder(compressor: number): (packed: Uint8Array, partBytes: number) => Uint8Array {
  const decode = decoders[compressor];
  if (decode === undefined) throw new FormatError('unsupported', `Blosc with compressor ${compressor}`);
  return (packed, partBytes) => {
    const plain = decode(packed, partBytes);
    if (plain.byteLength !== partBytes) throw corrupt();
    return plain;
  };
}

/** By their number in the flags. LZ4HC writes what LZ4 reads. */
const decoders: Readonly<Record<number, (packed: Uint8Array, partBytes: number) => Uint8Array>> = {
  0: decompressBloscLz,
  1: decompressLz4Block,
  2: (packed) => decompressSnappy(packed),
  3: (packed, partBytes) => unpackStream(packed, 'zlib', partBytes),
  4: (packed, partBytes) => unpackStream(packed, 'zstd', partBytes),
};

function stretch(buffer: Uint8Array, start: number, length: number): Uint8Array {
  if (start + length > buffer.byteLength) throw corrupt();
  return buffer.subarray(start, start + length);
}

function corrupt(): FormatError {
  return new FormatError('corrupt', 'a Blosc buffer cannot be unpacked');
}
