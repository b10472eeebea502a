/**
 * Texts of one page (Encodings.md of apache/parquet-format): plain, or indices into a dictionary. By hand and within bounds: a decoder that
 * trusts the lengths in a page never ends on some that are damaged.
 */
import { FormatError } from '../../bytes/formatError.js';
import { decodeText } from '../../bytes/text.js';

/** Texts one after the other, each after its u32 length. */
export class PlainTexts {
  /** Where each text begins, and behind the last one where the next would. */
  private readonly starts: Uint32Array;

  /** @throws FormatError `corrupt` where they are not as many */
  constructor(
    private readonly bytes: Uint8Array,
    readonly count: number,
  ) {
    if (count > bytes.byteLength / 4) throw new FormatError('corrupt', `${count} texts in ${bytes.byteLength} bytes`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.starts = new Uint32Array(count + 1);
    let at = 0;
    for (let index = 0; index < count; index++) {
      if (at + 4 > bytes.byteLength) throw new FormatError('corrupt', 'a page ends within a text');
      at += 4 + view.getUint32(at, true);
      if (at > bytes.byteLength) throw new FormatError('corrupt', 'a page ends within a text');
      this.starts[index + 1] = at;
    }
  }

  at(index: number): string {
    if (index >= this.count) throw new FormatError('corrupt', `text ${index} of ${this.count} in a dictionary`);
    return decodeText(this.bytes, (this.starts[index] as number) + 4, this.starts[index + 1]);
  }
}

export interface TextPage {
  /** Slots of the page, nulls included. */
  slots: number;
  /** Definition levels, one bit each; undefined for a column that has no nulls. */
  levels: Uint8Array | undefined;
  values: Uint8Array;
  /** Undefined for plain values. */
  dictionary: PlainTexts | undefined;
}

/**
 * Texts of the slots `from` to `to` (exclusive); a null is an empty text.
 * @throws FormatError `corrupt`
 */
export function textsOfPage({ slots, levels, values, dictionary }: TextPage, from: number, to: number): string[] {
  const isThere = levels === undefined ? undefined : decodeHybrid(levels, 1, slots);
  const present = isThere === undefined ? slots : isThere.reduce((sum, level) => sum + level, 0);
  const valueAt = dictionary === undefined ? plainAt(values, present) : indexedAt(values, present, dictionary);
  const texts: string[] = [];
  let value = 0;
  for (let slot = 0; slot < Math.min(to, slots); slot++) {
    const hasValue = isThere === undefined || isThere[slot] === 1;
    if (slot >= from) texts.push(hasValue ? valueAt(value) : '');
    if (hasValue) value += 1;
  }
  return texts;
}

function plainAt(values: Uint8Array, count: number): (index: number) => string {
  const texts = new PlainTexts(values, count);
  return (index) => texts.at(index);
}

/** A byte with the width of an index, then the indices. */
function indexedAt(values: Uint8Array, count: number, dictionary: PlainTexts): (index: number) => string {
  const width = values[0] ?? 0;
  if (width > 32) throw new FormatError('corrupt', `indices of ${width} bits`);
  const indices = decodeHybrid(values.subarray(1), width, count);
  return (index) => dictionary.at(indices[index] as number);
}

/** Runs of one value, and groups of eight values packed into bits, the lowest first. */
function decodeHybrid(bytes: Uint8Array, width: number, count: number): Uint32Array {
  const output = new Uint32Array(count);
  const runBytes = Math.ceil(width / 8);
  let at = 0;
  for (let filled = 0; filled < count && width > 0;) {
    let head = 0;
    for (let factor = 1, byte = 128; byte >= 128; factor *= 128) {
      byte = byteAt(bytes, at++);
      head += (byte & 127) * factor;
      if (factor > 2 ** 35) throw new FormatError('corrupt', 'a run without an end');
    }
    if (head % 2 === 0) {
      let value = 0;
      for (let index = 0; index < runBytes; index++) value += byteAt(bytes, at++) * 2 ** (8 * index);
      const end = Math.min(count, filled + head / 2);
      output.fill(value, filled, end);
      filled = end;
    } else {
      const values = Math.min(((head - 1) / 2) * 8, count - filled);
      unpack(bytes, at, width, output, filled, values);
      filled += values;
      at += ((head - 1) / 2) * width;
    }
  }
  return output;
}

function unpack(bytes: Uint8Array, start: number, width: number, output: Uint32Array, first: number, count: number): void {
  let bit = start * 8;
  for (let index = 0; index < count; index++) {
    let value = 0;
    for (let have = 0; have < width;) {
      const take = Math.min(width - have, 8 - (bit % 8));
      const part = (byteAt(bytes, Math.floor(bit / 8)) >> (bit % 8)) & ((1 << take) - 1);
      value += part * 2 ** have;
      have += take;
      bit += take;
    }
    output[first + index] = value;
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new FormatError('corrupt', 'a page ends within its levels or indices');
  return byte;
}
