/**
 * bzip2 (its format is that of bzip2 1.0.8, decompress.c; described in "BZIP2: Format Specification", J. Tsai, 2016): blocks of up to 900 kB, each
 * Huffman-coded, moved to front, sorted (Burrows-Wheeler) and run-length coded. Checksums are not compared.
 *
 *   "BZh" level '1'..'9' | blocks: 0x314159265359 crc u32 | 0x177245385090 crc u32, padding to a byte
 */
import { FormatError } from './formatError.js';
import { GrowingOutput } from './growingOutput.js';

const BLOCK_MAGIC = 0x314159265359;
const END_MAGIC = 0x177245385090;
const GROUP_SYMBOLS = 50;
const MAX_CODE_BITS = 20;
const BLOCK_UNIT_BYTES = 100_000;

interface Decompressed {
  bytes: Uint8Array;
  isWhole: boolean;
  /** Bytes of all blocks that were decoded for it. A block is decoded as a whole, however few of its bytes are asked for. */
  workBytes: number;
}

/**
 * Unpacks one stream after the other, up to `maxBytes`.
 * @throws FormatError `not-this-format`, `corrupt`, `truncated`
 */
export function decompressBzip2(packed: Uint8Array, maxBytes: number): Decompressed {
  const output = new GrowingOutput(maxBytes);
  const input = new BitReader(packed);
  let sorted = new Uint32Array(0);
  let workBytes = 0;
  let streams = 0;
  while (input.bytesLeft >= 4 && input.bits(24) === 0x425a68) {
    const level = input.bits(8) - 0x30;
    if (level < 1 || level > 9) throw corrupt('no bzip2 level');
    streams += 1;
    const blockBytes = level * BLOCK_UNIT_BYTES;
    for (let magic = input.magic(); magic !== END_MAGIC; magic = input.magic()) {
      if (magic !== BLOCK_MAGIC) throw corrupt('no bzip2 block');
      if (sorted.length < blockBytes) sorted = new Uint32Array(blockBytes);
      workBytes += new Block(input, sorted, blockBytes).decode(output);
      if (output.isFull) return { bytes: output.bytes(), isWhole: false, workBytes };
    }
    input.bits(32);
    input.align();
  }
  if (streams === 0) throw new FormatError('not-this-format', 'no bzip2 stream', { offset: 0 });
  return { bytes: output.bytes(), isWhole: true, workBytes };
}

class Block {
  /** @param sorted room for a block, which the next one uses again */
  constructor(
    private readonly input: BitReader,
    private readonly sorted: Uint32Array,
    private readonly maxBytes: number,
  ) {}

  /** Answers how many bytes were sorted. */
  decode(output: GrowingOutput): number {
    const { input } = this;
    input.bits(32);
    const isRandomised = input.bits(1) === 1;
    const origin = input.bits(24);
    // Version 0.9 only; no program writes it.
    if (isRandomised) throw new FormatError('unsupported', 'a randomised bzip2 block');
    const count = this.readSymbols();
    if (origin >= count) throw corrupt('a bzip2 block begins behind its end');
    this.unsort(count, origin, output);
    return count;
  }

  /** Fills the low bytes of `sorted`; answers how many there are. */
  private readSymbols(): number {
    const { input, sorted, maxBytes } = this;
    const recent = this.readAlphabet();
    const endSymbol = recent.length + 1;
    const groups = input.bits(3);
    if (groups < 2 || groups > 6) throw corrupt('a wrong number of bzip2 tables');
    const selectors = this.readSelectors(groups);
    const tables: Huffman[] = [];
    for (let group = 0; group < groups; group++) tables.push(this.readTable(endSymbol + 1));
    let count = 0;
    let run = 0;
    let weight = 1;
    for (let selector = 0, left = 0, table = tables[0] as Huffman; ; left--) {
      if (left === 0) {
        table = tables[selectors[selector++] ?? -1] as Huffman;
        if (table === undefined) throw corrupt('a bzip2 block has more symbols than tables');
        left = GROUP_SYMBOLS;
      }
      const symbol = table.next(input);
      if (symbol < 2) {
        run += weight << symbol;
        weight *= 2;
        if (run > maxBytes) throw corrupt('a bzip2 run is too long');
        continue;
      }
      if (run > 0) {
        if (count + run > maxBytes) throw corrupt('a bzip2 block is too long');
        sorted.fill(recent[0] ?? 0, count, count + run);
        count += run;
        run = 0;
        weight = 1;
      }
      if (symbol === endSymbol) return count;
      if (count >= maxBytes) throw corrupt('a bzip2 block is too long');
      const byte = recent[symbol - 1];
      if (byte === undefined) throw corrupt('a bzip2 symbol is not in the alphabet');
      recent.copyWithin(1, 0, symbol - 1);
      recent[0] = byte;
      sorted[count++] = byte;
    }
  }

  /** The bytes that the block has, by two levels of bits. */
  private readAlphabet(): Uint8Array {
    const { input } = this;
    const used = input.bits(16);
    const bytes: number[] = [];
    for (let high = 0; high < 16; high++) {
      if ((used & (0x8000 >> high)) === 0) continue;
      const low = input.bits(16);
      for (let at = 0; at < 16; at++) if ((low & (0x8000 >> at)) !== 0) bytes.push(high * 16 + at);
    }
    if (bytes.length === 0) throw corrupt('a bzip2 block without bytes');
    return Uint8Array.from(bytes);
  }

  private readSelectors(groups: number): Uint8Array {
    const { input } = this;
    const selectors = new Uint8Array(input.bits(15));
    const recent = Uint8Array.from({ length: groups }, (_, index) => index);
    for (let at = 0; at < selectors.length; at++) {
      let place = 0;
      while (input.bits(1) === 1) if (++place >= groups) throw corrupt('no such bzip2 table');
      const table = recent[place] as number;
      recent.copyWithin(1, 0, place);
      recent[0] = table;
      selectors[at] = table;
    }
    return selectors;
  }

  private readTable(symbols: number): Huffman {
    const { input } = this;
    const lengths = new Uint8Array(symbols);
    let length = input.bits(5);
    for (let symbol = 0; symbol < symbols; symbol++) {
      for (;;) {
        if (length < 1 || length > MAX_CODE_BITS) throw corrupt('a bzip2 code is too long');
        if (input.bits(1) === 0) break;
        length += input.bits(1) === 0 ? 1 : -1;
      }
      lengths[symbol] = length;
    }
    return new Huffman(lengths);
  }

  /** Inverts the sort, and the runs that were coded before it: four equal bytes are followed by how many more there are. */
  private unsort(count: number, origin: number, output: GrowingOutput): void {
    const { sorted } = this;
    const starts = new Uint32Array(257);
    for (let at = 0; at < count; at++) add(starts, ((sorted[at] as number) & 0xff) + 1, 1);
    for (let byte = 1; byte <= 256; byte++) add(starts, byte, starts[byte - 1] as number);
    for (let at = 0; at < count; at++) {
      const byte = (sorted[at] as number) & 0xff;
      const place = starts[byte] as number;
      starts[byte] = place + 1;
      sorted[place] = (sorted[place] as number) | (at << 8);
    }
    let at = (sorted[origin] as number) >>> 8;
    let equal = 0;
    let last = -1;
    for (let left = count; left > 0; left--) {
      const entry = sorted[at] as number;
      const byte = entry & 0xff;
      at = entry >>> 8;
      if (equal === 4) {
        output.fill(last, byte);
        equal = 0;
        last = -1;
      } else {
        equal = byte === last ? equal + 1 : 1;
        last = byte;
        output.push(byte);
      }
      if (output.isFull) return;
    }
  }
}

/** Canonical codes, longest 20 bits. */
class Huffman {
  private readonly counts = new Uint16Array(MAX_CODE_BITS + 1);
  private readonly symbols: Uint16Array;

  constructor(lengths: Uint8Array) {
    this.symbols = new Uint16Array(lengths.length);
    for (const length of lengths) add(this.counts, length, 1);
    const places = new Uint16Array(MAX_CODE_BITS + 2);
    for (let length = 1; length <= MAX_CODE_BITS; length++)
      places[length + 1] = (places[length] as number) + (this.counts[length] as number);
    lengths.forEach((length, symbol) => {
      this.symbols[places[length] as number] = symbol;
      add(places, length, 1);
    });
  }

  next(input: BitReader): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= MAX_CODE_BITS; length++) {
      code |= input.bits(1);
      const count = this.counts[length] as number;
      if (code - first < count) return this.symbols[index + code - first] as number;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw corrupt('no such bzip2 code');
  }
}

/** Bits from the most significant on. */
class BitReader {
  private at = 0;
  private held = 0;
  private count = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get bytesLeft(): number {
    return this.bytes.byteLength - this.at;
  }

  /** @param count up to 32 */
  bits(count: number): number {
    if (count > 16) return this.bits(count - 16) * 65_536 + this.bits(16);
    while (this.count < count) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw new FormatError('truncated', 'the compressed data end too early', { offset: this.at - 1 });
      this.held = ((this.held << 8) | byte) & 0xffffff;
      this.count += 8;
    }
    this.count -= count;
    return (this.held >>> this.count) & ((1 << count) - 1);
  }

  /** The six bytes that begin a block, or end the stream. */
  magic(): number {
    return this.bits(24) * 2 ** 24 + this.bits(24);
  }

  align(): void {
    this.count -= this.count % 8;
  }
}

function corrupt(detail: string): FormatError {
  return new FormatError('corrupt', `damaged compressed data: ${detail}`);
}

function add(counts: Uint16Array | Uint32Array, at: number, amount: number): void {
  counts[at] = (counts[at] as number) + amount;
}
