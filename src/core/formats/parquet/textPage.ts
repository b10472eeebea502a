/**
 * Texts of one page (Encodings.md of apache/parquet-format): plain, or indices into a dictionary. By hand and within bounds: a decoder that
 * trusts the lengths in a page never ends on some that are damaged.
 */
import { FormatError } from '../../bytes/formatError.js';
import { decodeText } from '../../bytes/text.js';
import type { DataPage } from './chunkReader.js';
import { decodeHybrid } from './hybrid.js';

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

/**
 * Texts of the slots `from` to `to` (exclusive); a null is an empty text.
 * @throws FormatError `corrupt`
 */
export function textsOfPage({ slots, levels, values, dictionary }: DataPage<PlainTexts>, from: number, to: number): string[] {
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
