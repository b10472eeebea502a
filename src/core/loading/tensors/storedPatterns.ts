/** The tensors of a model by the pattern of their names: `model.layers.N.mlp.up_proj.weight` for all layers. */
import { decodeText } from '../../bytes/text.js';
import type { TensorTable } from '../../tensors/tensorTable.js';

const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const UNDERSCORE = 0x5f;
const LETTER_N = 0x4e;
/** `expert_3` of Switch Transformers: a number behind a word. */
const expertWord = [...'expert_'].map((letter) => letter.charCodeAt(0));

/** Shape of the first tensor of such a key in the file; undefined where there is none. */
export type ShapeAt = (key: string) => readonly number[] | undefined;

/** Rows whose names differ in numbers alone. */
export interface StoredPattern {
  /** With `N` in place of each number. */
  key: string;
  rows: number[];
  /** Of the first row. */
  shape: readonly number[];
  /** Whether all rows have that shape. */
  isUniform: boolean;
  /** The largest of each number in the names; empty where the names have none. */
  largest: number[];
  /** The numbers in the names, row after row. */
  numbers: number[];
}

/**
 * Rows by the pattern of their names. One pass over the bytes of the names, and no text for each row.
 * @param rows of the table, of one model: no name twice
 * @param onCompare called for each pattern that a name is compared with
 */
export function storedPatterns(table: TensorTable, rows: Iterable<number>, onCompare?: () => void): Map<string, StoredPattern> {
  const reader = new PatternReader(table.nameBytes);
  const index = new PatternIndex(reader, onCompare);
  for (const row of rows) {
    reader.read(table.nameStartOf(row), table.nameEndOf(row));
    const pattern = index.find() ?? index.add(table.shapeOf(row));
    if (pattern.isUniform) pattern.isUniform = hasShape(table, row, pattern.shape);
    pattern.rows.push(row);
    for (let at = 0; at < reader.count; at++) {
      const number = reader.numbers[at] as number;
      pattern.numbers.push(number);
      if (number >= (pattern.largest[at] ?? 0)) pattern.largest[at] = number;
    }
  }
  return index.patterns;
}

type HashedPattern = StoredPattern & { bytes: Uint8Array };

/** Patterns of one hash that are compared byte by byte. A file may have any number of names with one hash: of more the texts are looked up. */
const MOST_ALIKE = 4;

/** The patterns so far, found for the name that was read last. */
class PatternIndex {
  readonly patterns = new Map<string, StoredPattern>();
  private readonly byHash = new Map<number, HashedPattern[]>();

  constructor(
    private readonly reader: PatternReader,
    private readonly onCompare: (() => void) | undefined,
  ) {}

  find(): StoredPattern | undefined {
    const alike = this.byHash.get(this.reader.hash) ?? [];
    for (const one of alike) {
      this.onCompare?.();
      if (this.reader.equals(one.bytes)) return one;
    }
    return alike.length < MOST_ALIKE ? undefined : this.patterns.get(this.reader.key());
  }

  /** @param shape of the first tensor */
  add(shape: readonly number[]): StoredPattern {
    const { reader, byHash } = this;
    const pattern = { key: reader.key(), rows: [], shape, isUniform: true, largest: [], numbers: [] };
    this.patterns.set(pattern.key, pattern);
    const alike = byHash.get(reader.hash) ?? [];
    if (alike.length === MOST_ALIKE) return pattern;
    const hashed: HashedPattern = { ...pattern, bytes: reader.pattern() };
    this.patterns.set(pattern.key, hashed);
    byHash.set(reader.hash, [...alike, hashed]);
    return hashed;
  }
}

/** Whether the row has this shape. */
function hasShape(table: TensorTable, row: number, shape: readonly number[]): boolean {
  return table.rankOf(row) === shape.length && shape.every((size, index) => table.dimensionOf(row, index) === size);
}

/** The numbers in the name of a pattern's row, as a text to find it by. */
export function placeAt({ numbers, largest: { length } }: StoredPattern, at: number): string {
  return length === 1 ? String(numbers[at]) : numbers.slice(at * length, (at + 1) * length).join();
}

/** Whether two shapes are one; axes of size 1 aside, which configs do not tell. */
export function isSameShape(a: readonly number[], b: readonly number[]): boolean {
  const [own, other] = [a.filter(isLong), b.filter(isLong)];
  return own.length === other.length && own.every((size, axis) => size === other[axis]);
}

/** The sizes of a shape but for those that are 1. */
export function longAxes(shape: readonly number[]): string {
  return shape.filter(isLong).join();
}

function isLong(size: number): boolean {
  return size !== 1;
}

/** The pattern of a name, and the numbers in it. Numbers that no double holds are texts like any other. */
export function patternOf(name: string): { key: string; numbers: number[] } {
  const numbers: number[] = [];
  const segments = name.split('.').map((segment) => {
    const digits = segment.startsWith('expert_') ? segment.slice(7) : segment;
    if (!/^\d{1,15}$/.test(digits)) return segment;
    numbers.push(Number(digits));
    return segment.slice(0, segment.length - digits.length) + 'N';
  });
  return { key: segments.join('.'), numbers };
}

/** Digits of a number that is exact as a double. */
const MOST_DIGITS = 15;

/** Reads one name after the other into the same memory. */
class PatternReader {
  private buffer = new Uint8Array(256);
  private length = 0;
  readonly numbers: number[] = [];
  count = 0;
  hash = 0;

  constructor(private readonly names: Uint8Array) {}

  read(start: number, end: number): void {
    if (this.buffer.length < end - start) this.buffer = new Uint8Array(2 * (end - start));
    const { names, buffer } = this;
    this.count = 0;
    let [length, hash, before] = [0, 0, DOT];
    for (let at = start; at < end; at++) {
      let byte = names[at] as number;
      const isDigit = byte >= ZERO && byte <= NINE;
      if (isDigit && (before === DOT || (before === UNDERSCORE && this.followsExpert(at, start)))) {
        const numberEnd = this.endOfNumber(at, end);
        if (numberEnd > at) {
          at = numberEnd - 1;
          byte = LETTER_N;
        }
      }
      buffer[length++] = byte;
      hash = (Math.imul(hash, 31) + byte) | 0;
      before = byte;
    }
    this.length = length;
    this.hash = hash;
  }

  equals(other: Uint8Array): boolean {
    if (other.length !== this.length) return false;
    for (let at = 0; at < this.length; at++) if (other[at] !== this.buffer[at]) return false;
    return true;
  }

  key(): string {
    return decodeText(this.buffer, 0, this.length);
  }

  pattern(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  private followsExpert(at: number, start: number): boolean {
    const word = at - expertWord.length;
    if (word < start || (word > start && this.names[word - 1] !== DOT)) return false;
    return expertWord.every((letter, index) => this.names[word + index] === letter);
  }

  /** Where the number ends that fills the rest of its segment; `at` where the segment is none. */
  private endOfNumber(at: number, end: number): number {
    let value = 0;
    let to = at;
    for (; to < end && this.names[to] !== DOT; to++) {
      const byte = this.names[to] as number;
      if (byte < ZERO || byte > NINE || to - at === MOST_DIGITS) return at;
      value = value * 10 + (byte - ZERO);
    }
    this.numbers[this.count++] = value;
    return to;
  }
}
