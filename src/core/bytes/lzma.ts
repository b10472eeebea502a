/**
 * LZMA as Python's `lzma` module writes it: the old container (LZMA SDK, lzma-specification.txt) and .xz (xz-file-format 1.2.0) with LZMA2 as its
 * only filter. Checks are not compared.
 *
 *   .lzma: properties u8 | dictionary bytes u32 | plain bytes u64, or all ones | LZMA
 *   .xz:   header 12 B | blocks: header, LZMA2, padding to 4, check | index | footer
 */
import { FormatError } from './formatError.js';
import { GrowingOutput } from './growingOutput.js';

interface Decompressed {
  bytes: Uint8Array;
  isWhole: boolean;
}

const ALONE_HEADER_BYTES = 13;

/**
 * Unpacks a .lzma file, up to `maxBytes`.
 * @throws FormatError `not-this-format`, `corrupt`, `truncated`
 */
export function decompressLzmaAlone(packed: Uint8Array, maxBytes: number): Decompressed {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (packed.byteLength < ALONE_HEADER_BYTES || (packed[0] as number) >= 225)
    throw new FormatError('not-this-format', 'no LZMA header', { offset: 0 });
  const isSizeKnown = view.getBigUint64(5, true) !== 0xffff_ffff_ffff_ffffn;
  const declared = isSizeKnown ? Number(view.getBigUint64(5, true)) : Infinity;
  const output = new GrowingOutput(maxBytes);
  const decoder = new LzmaDecoder(output);
  decoder.setProperties(packed[0] as number);
  decoder.begin(packed, ALONE_HEADER_BYTES, packed.byteLength);
  decoder.decode(declared);
  return { bytes: output.bytes(), isWhole: !output.isFull };
}

const ZIP_HEADER_BYTES = 9;

/**
 * Unpacks a record of a zip archive (PKWARE APPNOTE 5.8.8), up to `maxBytes`: version u16, bytes of the properties u16, properties, LZMA.
 * @throws FormatError `corrupt`, `truncated`
 */
export function decompressLzmaOfZip(packed: Uint8Array, maxBytes: number): Uint8Array {
  if (packed.byteLength < ZIP_HEADER_BYTES) throw truncated(packed.byteLength);
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (view.getUint16(2, true) !== 5) throw corrupt('no LZMA properties');
  const output = new GrowingOutput(maxBytes);
  const decoder = new LzmaDecoder(output);
  decoder.setProperties(packed[4] as number);
  decoder.begin(packed, ZIP_HEADER_BYTES, packed.byteLength);
  decoder.decode(maxBytes);
  return output.bytes();
}

const XZ_HEADER_BYTES = 12;
const XZ_MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
const LZMA2_FILTER = 0x21;
/** Bytes of the check by its id (xz-file-format, 2.1.1.2). */
const checkBytes = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];

/**
 * Unpacks a .xz file, up to `maxBytes`.
 * @throws FormatError `not-this-format`, `corrupt`, `truncated`, `unsupported` for other filters than LZMA2
 */
export function decompressXz(packed: Uint8Array, maxBytes: number): Decompressed {
  if (!XZ_MAGIC.every((byte, at) => packed[at] === byte)) throw new FormatError('not-this-format', 'no xz header', { offset: 0 });
  const check = checkBytes[(packed[7] ?? 0) & 15] as number;
  const output = new GrowingOutput(maxBytes);
  let at = XZ_HEADER_BYTES;
  // A header of no bytes begins the index.
  while (at < packed.byteLength && packed[at] !== 0) {
    at = readXzBlock(packed, at, output);
    if (output.isFull) break;
    at += check;
  }
  return { bytes: output.bytes(), isWhole: !output.isFull && at < packed.byteLength };
}

/** Answers where its check begins. */
function readXzBlock(packed: Uint8Array, start: number, output: GrowingOutput): number {
  const headerBytes = ((packed[start] as number) + 1) * 4;
  const flags = packed[start + 1] ?? 0;
  let at = start + 2;
  const skipNumber = (): void => {
    for (let count = 0; (packed[at++] ?? 0) >= 0x80; count++) if (count > 8) throw corrupt('an xz number is too long');
  };
  if ((flags & 0x40) !== 0) skipNumber();
  if ((flags & 0x80) !== 0) skipNumber();
  if ((flags & 3) !== 0 || packed[at] !== LZMA2_FILTER)
    throw new FormatError('unsupported', 'xz with another filter than LZMA2', { offset: start });
  const end = decodeLzma2(packed, start + headerBytes, output);
  return start + headerBytes + Math.ceil((end - start - headerBytes) / 4) * 4;
}

/** Chunks, each with a control byte; answers where they end. */
function decodeLzma2(packed: Uint8Array, start: number, output: GrowingOutput): number {
  const decoder = new LzmaDecoder(output);
  let at = start;
  for (;;) {
    const control = packed[at];
    if (control === undefined) throw truncated(at);
    if (control === 0) return at + 1;
    if (control < 0x80) {
      if (control > 2) throw corrupt('no such LZMA2 chunk');
      const bytes = ((packed[at + 1] ?? 0) << 8) + (packed[at + 2] ?? 0) + 1;
      if (at + 3 + bytes > packed.byteLength) throw truncated(at);
      if (control === 1) decoder.resetDictionary();
      for (let index = 0; index < bytes; index++) output.push(packed[at + 3 + index] as number);
      at += 3 + bytes;
    } else {
      const plain = ((control & 0x1f) << 16) + ((packed[at + 1] ?? 0) << 8) + (packed[at + 2] ?? 0) + 1;
      const bytes = ((packed[at + 3] ?? 0) << 8) + (packed[at + 4] ?? 0) + 1;
      const resets = (control >> 5) & 3;
      at += 5;
      if (resets === 3) decoder.resetDictionary();
      if (resets >= 2) decoder.setProperties(packed[at++] ?? 0);
      else if (resets === 1) decoder.reset();
      if (at + bytes > packed.byteLength) throw truncated(at);
      decoder.begin(packed, at, at + bytes);
      decoder.decode(output.length + plain);
      at += bytes;
    }
    if (output.isFull) return at;
  }
}

const STATES = 12;
const MATCH_MIN = 2;
const PROBABILITY_BITS = 11;
const INITIAL = 1 << (PROBABILITY_BITS - 1);

/** Probabilities of lengths: two choices, and trees of 3, 3 and 8 bits. */
class LengthDecoder {
  private readonly choice = new Uint16Array(2).fill(INITIAL);
  private readonly low = new Uint16Array(16 << 3).fill(INITIAL);
  private readonly middle = new Uint16Array(16 << 3).fill(INITIAL);
  private readonly high = new Uint16Array(256).fill(INITIAL);

  next(range: RangeDecoder, position: number): number {
    if (range.bit(this.choice, 0) === 0) return range.tree(this.low, position << 3, 3);
    if (range.bit(this.choice, 1) === 0) return 8 + range.tree(this.middle, position << 3, 3);
    return 16 + range.tree(this.high, 0, 8);
  }
}

class LzmaDecoder {
  private range = new RangeDecoder(new Uint8Array(0), 0, 0);
  private lc = 3;
  private lp = 0;
  private pb = 2;
  private state = 0;
  private distances: [number, number, number, number] = [0, 0, 0, 0];
  private literals = new Uint16Array(0);
  private isMatch = new Uint16Array(0);
  private isRep = new Uint16Array(0);
  private isRepG0 = new Uint16Array(0);
  private isRepG1 = new Uint16Array(0);
  private isRepG2 = new Uint16Array(0);
  private isRep0Long = new Uint16Array(0);
  private slots = new Uint16Array(0);
  private special = new Uint16Array(0);
  private align = new Uint16Array(0);
  private lengths = new LengthDecoder();
  private repLengths = new LengthDecoder();

  /** Where the dictionary begins in the output. */
  private origin: number;

  constructor(private readonly output: GrowingOutput) {
    this.origin = output.length;
  }

  resetDictionary(): void {
    this.origin = this.output.length;
  }

  setProperties(byte: number): void {
    if (byte >= 225) throw corrupt('no such LZMA properties');
    this.lc = byte % 9;
    this.lp = Math.floor(byte / 9) % 5;
    this.pb = Math.floor(byte / 45);
    // liblzma, and with it Python, refuses these (LZMA_LCLP_MAX): their tables would take 6 MB.
    if (this.lc + this.lp > 4) throw new FormatError('unsupported', 'LZMA with more than 4 bits of context');
    this.reset();
  }

  reset(): void {
    const made = (length: number): Uint16Array<ArrayBuffer> => new Uint16Array(length).fill(INITIAL);
    this.state = 0;
    this.distances = [0, 0, 0, 0];
    this.literals = made(0x300 << (this.lc + this.lp));
    this.isMatch = made(STATES << 4);
    this.isRep = made(STATES);
    this.isRepG0 = made(STATES);
    this.isRepG1 = made(STATES);
    this.isRepG2 = made(STATES);
    this.isRep0Long = made(STATES << 4);
    this.slots = made(4 << 6);
    this.special = made(115);
    this.align = made(16);
    this.lengths = new LengthDecoder();
    this.repLengths = new LengthDecoder();
  }

  begin(packed: Uint8Array, start: number, end: number): void {
    this.range = new RangeDecoder(packed, start, end);
  }

  /** Decodes until the output has this length, is full, or an end marker comes. */
  decode(untilBytes: number): void {
    const { output, range } = this;
    if (this.literals.length === 0) throw corrupt('LZMA without properties');
    while (output.length < untilBytes && !output.isFull) {
      const position = (output.length - this.origin) & ((1 << this.pb) - 1);
      if (range.bit(this.isMatch, (this.state << 4) + position) === 0) {
        this.literal();
        continue;
      }
      let length: number;
      if (range.bit(this.isRep, this.state) === 0) {
        const [d0, d1, d2] = this.distances;
        length = this.lengths.next(range, position);
        this.state = this.state < 7 ? 7 : 10;
        const distance = this.distance(length);
        if (distance === 0xffff_ffff) return;
        this.distances = [distance, d0, d1, d2];
      } else {
        if (this.repeat(position)) continue;
        length = this.repLengths.next(range, position);
        this.state = this.state < 7 ? 8 : 11;
      }
      if (this.distances[0] >= output.length - this.origin) throw corrupt('an LZMA distance reaches before the beginning');
      output.copy(this.distances[0] + 1, Math.min(length + MATCH_MIN, untilBytes - output.length));
    }
  }

  /** Chooses one of the last distances; true for a single byte, which is put out. */
  private repeat(position: number): boolean {
    const { range, output } = this;
    if (output.length === this.origin) throw corrupt('an LZMA distance reaches before the beginning');
    const [d0, d1, d2, d3] = this.distances;
    if (range.bit(this.isRepG0, this.state) === 0) {
      if (range.bit(this.isRep0Long, (this.state << 4) + position) !== 0) return false;
      this.state = this.state < 7 ? 9 : 11;
      output.push(output.back(d0 + 1));
      return true;
    }
    if (range.bit(this.isRepG1, this.state) === 0) this.distances = [d1, d0, d2, d3];
    else if (range.bit(this.isRepG2, this.state) === 0) this.distances = [d2, d0, d1, d3];
    else this.distances = [d3, d0, d1, d2];
    return false;
  }

  private literal(): void {
    const { range, output, literals } = this;
    const done = output.length - this.origin;
    const previous = done === 0 ? 0 : output.back(1);
    const context = ((done & ((1 << this.lp) - 1)) << this.lc) + (previous >> (8 - this.lc));
    const base = 0x300 * context;
    let symbol = 1;
    if (this.state >= 7) {
      let match = output.back(this.distances[0] + 1);
      while (symbol < 0x100) {
        const matchBit = (match >> 7) & 1;
        match <<= 1;
        const bit = range.bit(literals, base + ((1 + matchBit) << 8) + symbol);
        symbol = (symbol << 1) | bit;
        if (matchBit !== bit) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | range.bit(literals, base + symbol);
    output.push(symbol & 0xff);
    this.state = this.state < 4 ? 0 : this.state < 10 ? this.state - 3 : this.state - 6;
  }

  private distance(length: number): number {
    const { range } = this;
    const slot = range.tree(this.slots, Math.min(length, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = ((2 | (slot & 1)) << bits) >>> 0;
    if (slot < 14) return base + range.reverseTree(this.special, base - slot, bits);
    return (base + range.direct(bits - 4) * 16 + range.reverseTree(this.align, 0, 4)) >>> 0;
  }
}

/** LZMA's range decoder: 32-bit range, probabilities of 11 bits. */
class RangeDecoder {
  private range = 0xffff_ffff;
  private code = 0;
  private at: number;

  constructor(
    private readonly bytes: Uint8Array,
    start: number,
    private readonly end: number,
  ) {
    this.at = start + 1;
    for (let index = 0; index < 4 && this.at < end; index++) this.code = ((this.code << 8) | (bytes[this.at++] as number)) >>> 0;
  }

  bit(probabilities: Uint16Array, index: number): number {
    const probability = probabilities[index] as number;
    const bound = (this.range >>> PROBABILITY_BITS) * probability;
    let bit = 0;
    if (this.code < bound) {
      this.range = bound;
      probabilities[index] = probability + ((2048 - probability) >> 5);
    } else {
      this.range -= bound;
      this.code -= bound;
      probabilities[index] = probability - (probability >> 5);
      bit = 1;
    }
    this.normalize();
    return bit;
  }

  tree(probabilities: Uint16Array, base: number, bits: number): number {
    let symbol = 1;
    for (let count = 0; count < bits; count++) symbol = (symbol << 1) | this.bit(probabilities, base + symbol);
    return symbol - (1 << bits);
  }

  reverseTree(probabilities: Uint16Array, base: number, bits: number): number {
    let symbol = 1;
    let value = 0;
    for (let count = 0; count < bits; count++) {
      const bit = this.bit(probabilities, base + symbol);
      symbol = (symbol << 1) | bit;
      value |= bit << count;
    }
    return value;
  }

  direct(bits: number): number {
    let value = 0;
    for (let count = 0; count < bits; count++) {
      this.range >>>= 1;
      const isOne = this.code >= this.range;
      if (isOne) this.code -= this.range;
      value = value * 2 + (isOne ? 1 : 0);
      this.normalize();
    }
    return value;
  }

  private normalize(): void {
    if (this.range >= 0x0100_0000) return;
    if (this.at >= this.end) throw truncated(this.at);
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | (this.bytes[this.at++] as number)) >>> 0;
  }
}

function truncated(offset: number): FormatError {
  return new FormatError('truncated', 'the compressed data end too early', { offset });
}

function corrupt(detail: string): FormatError {
  return new FormatError('corrupt', `damaged compressed data: ${detail}`);
}
