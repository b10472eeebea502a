/**
 * The first bytes of a DEFLATE stream (RFC 1951). By hand, because the platforms' decompressors and the usual libraries want the whole
 * stream or fail at its end: here neither more input nor more output is touched than asked for.
 */
import { FormatError } from './formatError.js';

const MAX_CODE_BITS = 15;

/** Order in which the lengths of the code length codes are stored (RFC 1951, 3.2.7). */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const lengthBases = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const lengthExtras = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBases = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289,
  16385, 24577,
];

/** Codes of one alphabet in canonical order: how many there are of each length, and their symbols. */
interface Huffman {
  counts: Uint16Array;
  symbols: Uint16Array;
}

/** Ends decoding: the output is full, or the input that was given is used up. */
class Enough extends Error {}

/**
 * Decodes the beginning of a stream: at most `maxBytes`, and no more than `input` (which may be cut anywhere) has.
 * @throws FormatError `corrupt` where the stream is no DEFLATE stream
 */
export function inflateBeginning(input: Uint8Array, maxBytes: number): Uint8Array {
  const inflater = new Inflater(input, maxBytes);
  try {
    inflater.run();
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return inflater.output.subarray(0, inflater.length);
}

class Inflater {
  readonly output: Uint8Array;
  length = 0;
  private at = 0;
  private bitBuffer = 0;
  private bitCount = 0;

  constructor(
    private readonly input: Uint8Array,
    maxBytes: number,
  ) {
    this.output = new Uint8Array(maxBytes);
  }

  run(): void {
    let isLast = false;
    while (!isLast) {
      isLast = this.bits(1) === 1;
      const type = this.bits(2);
      if (type === 0) this.storedBlock();
      else if (type === 1) this.codedBlock(fixedLengths(), fixedDistances());
      else if (type === 2) this.dynamicBlock();
      else throw this.corrupt('there is no such block type');
    }
  }

  private storedBlock(): void {
    this.bitBuffer = 0;
    this.bitCount = 0;
    const length = this.byte() | (this.byte() << 8);
    const check = this.byte() | (this.byte() << 8);
    if (length !== (~check & 0xffff)) throw this.corrupt('the length of a stored block is damaged');
    for (let index = 0; index < length; index++) this.put(this.byte());
  }

  private dynamicBlock(): void {
    const lengthCodes = this.bits(5) + 257;
    const distanceCodes = this.bits(5) + 1;
    const codeLengthCodes = this.bits(4) + 4;
    const codeLengths = new Uint8Array(19);
    for (let index = 0; index < codeLengthCodes; index++) codeLengths[lengthOrder[index] as number] = this.bits(3);
    const codes = huffmanOf(codeLengths);
    const lengths = new Uint8Array(lengthCodes + distanceCodes);
    for (let index = 0; index < lengths.length;) {
      const symbol = this.symbol(codes);
      if (symbol < 16) {
        lengths[index++] = symbol;
        continue;
      }
      const [value, repeat] = this.repeatOf(symbol, index === 0 ? undefined : lengths[index - 1]);
      if (index + repeat > lengths.length) throw this.corrupt('too many code lengths');
      lengths.fill(value, index, index + repeat);
      index += repeat;
    }
    this.codedBlock(huffmanOf(lengths.subarray(0, lengthCodes)), huffmanOf(lengths.subarray(lengthCodes)));
  }

  private repeatOf(symbol: number, previous: number | undefined): [value: number, repeat: number] {
    if (symbol === 17) return [0, 3 + this.bits(3)];
    if (symbol === 18) return [0, 11 + this.bits(7)];
    if (previous === undefined) throw this.corrupt('there is no code length to repeat');
    return [previous, 3 + this.bits(2)];
  }

  private codedBlock(lengths: Huffman, distances: Huffman): void {
    for (let symbol = this.symbol(lengths); symbol !== 256; symbol = this.symbol(lengths)) {
      if (symbol < 256) {
        this.put(symbol);
        continue;
      }
      const base = lengthBases[symbol - 257];
      if (base === undefined) throw this.corrupt('there is no such length');
      const length = base + this.bits(lengthExtras[symbol - 257] ?? 0);
      const code = this.symbol(distances);
      const distanceBase = distanceBases[code];
      if (distanceBase === undefined) throw this.corrupt('there is no such distance');
      const distance = distanceBase + this.bits(code < 2 ? 0 : (code >> 1) - 1);
      if (distance > this.length) throw this.corrupt('a distance reaches before the beginning');
      for (let index = 0; index < length; index++) this.put(this.output[this.length - distance] as number);
    }
  }

  private symbol({ counts, symbols }: Huffman): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_CODE_BITS; length++) {
      code |= this.bits(1);
      const count = counts[length] ?? 0;
      if (code - count < first) return symbols[index + code - first] as number;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw this.corrupt('there is no such code');
  }

  private bits(count: number): number {
    while (this.bitCount < count) {
      this.bitBuffer |= this.byte() << this.bitCount;
      this.bitCount += 8;
    }
    const value = this.bitBuffer & ((1 << count) - 1);
    this.bitBuffer >>>= count;
    this.bitCount -= count;
    return value;
  }

  private byte(): number {
    if (this.at >= this.input.byteLength) throw new Enough();
    return this.input[this.at++] as number;
  }

  private put(byte: number): void {
    if (this.length >= this.output.byteLength) throw new Enough();
    this.output[this.length++] = byte;
  }

  private corrupt(detail: string): FormatError {
    return new FormatError('corrupt', `damaged compressed data: ${detail}`);
  }
}

function huffmanOf(lengths: Uint8Array): Huffman {
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const offsets = new Uint16Array(MAX_CODE_BITS + 2);
  for (let length = 1; length <= MAX_CODE_BITS; length++)
    offsets[length + 1] = (offsets[length] as number) + (counts[length] as number);
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    const at = offsets[length] as number;
    symbols[at] = symbol;
    offsets[length] = at + 1;
  });
  return { counts, symbols };
}

function fixedLengths(): Huffman {
  return huffmanOf(Uint8Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)));
}

function fixedDistances(): Huffman {
  return huffmanOf(new Uint8Array(30).fill(5));
}
