/** The patterns of a table's names and the numbers in them, without a text for each row. */
import type { TensorTable } from '../tensors/tensorTable.js';
import { patternOf } from './patternOf.js';

const ZERO = 0x30;
const NINE = 0x39;
const DOT = 0x2e;
const SLASH = 0x2f;
/** Stands for a number; no byte of a text in UTF-8. */
const NUMBER = 0xff;
const mostDigits = 9;

/** One pattern, and which of its numbers differ from row to row. */
interface RowPattern {
  /** As `patternOf` makes it. */
  pattern: string;
  /** For each `N` the number itself, or null where it is the next one of the row. */
  numbers: (number | null)[];
}

export interface RowPatterns {
  patterns: readonly string[];
  /** The pattern of each of the rows, in their order. */
  patternOf: Uint32Array;
  /** The numbers of the row at that place among the rows; valid until the next call. */
  numbersAt: (at: number) => readonly number[];
}

/** One pass over the bytes of the names; `patternOf` is called once for each pattern. Null for more than `mostPatterns`. */
export function rowPatterns(table: TensorTable, rows: Uint32Array, mostPatterns: number): RowPatterns | null {
  const reader = new SegmentReader(table.nameBytes);
  const found: RowPattern[] = [];
  const byHash = new Map<number, { bytes: Uint8Array; pattern: number }[]>();
  const patterns = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as number;
    reader.read(table.nameStartOf(row), table.nameEndOf(row));
    let alike = byHash.get(reader.hash);
    let known = alike?.find(({ bytes }) => reader.equals(bytes));
    if (known === undefined) {
      if (found.length === mostPatterns) return null;
      known = { bytes: reader.key(), pattern: found.length };
      if (alike === undefined) byHash.set(reader.hash, (alike = []));
      alike.push(known);
      found.push(patternOfName(table.nameOf(row)));
    }
    patterns[at] = known.pattern;
  }
  const numbers: number[] = [];
  const numbersAt = (at: number): readonly number[] => {
    const row = rows[at] as number;
    reader.read(table.nameStartOf(row), table.nameEndOf(row));
    let next = 0;
    numbers.length = 0;
    for (const number of found[patterns[at] as number]?.numbers ?? []) numbers.push(number ?? (reader.numbers[next++] as number));
    return numbers;
  };
  return { patterns: found.map(({ pattern }) => pattern), patternOf: patterns, numbersAt };
}

/** Numbers that fill a segment differ from row to row; others, as that of `layers_0`, are of the pattern's rows alone. */
function patternOfName(name: string): RowPattern {
  const { pattern, numbers } = patternOf(name);
  const segments = name.split(/[./]/);
  let next = 0;
  const own = pattern.split(/[./]/).flatMap((segment, at) => {
    if (segment === segments[at]) return [];
    const number = numbers[next++] as number;
    return [segment === 'N' ? null : number];
  });
  return { pattern, numbers: own };
}

/** Reads one name after the other into the same memory. */
class SegmentReader {
  private buffer = new Uint8Array(256);
  private length = 0;
  readonly numbers: number[] = [];
  hash = 0;

  constructor(private readonly names: Uint8Array) {}

  read(start: number, end: number): void {
    if (this.buffer.length < end - start) this.buffer = new Uint8Array(2 * (end - start));
    this.length = 0;
    this.numbers.length = 0;
    this.hash = 0;
    for (let at = start, isFirst = true; at < end;) {
      const byte = this.names[at] as number;
      const digitsEnd = isFirst && byte >= ZERO && byte <= NINE ? this.endOfNumber(at, end) : at;
      if (digitsEnd > at) {
        this.push(NUMBER);
        at = digitsEnd;
        isFirst = false;
        continue;
      }
      this.push(byte);
      isFirst = byte === DOT || byte === SLASH;
      at += 1;
    }
  }

  equals(other: Uint8Array): boolean {
    if (other.length !== this.length) return false;
    for (let at = 0; at < this.length; at++) if (other[at] !== this.buffer[at]) return false;
    return true;
  }

  key(): Uint8Array {
    return this.buffer.slice(0, this.length);
  }

  private push(byte: number): void {
    this.buffer[this.length++] = byte;
    this.hash = (Math.imul(this.hash, 31) + byte) | 0;
  }

  /** Where the number ends that fills its segment; `at` where that is none, as `01`. */
  private endOfNumber(at: number, end: number): number {
    let value = 0;
    let to = at;
    for (; to < end; to++) {
      const byte = this.names[to] as number;
      if (byte === DOT || byte === SLASH) break;
      if (byte < ZERO || byte > NINE || to - at === mostDigits) return at;
      value = value * 10 + (byte - ZERO);
    }
    if (to - at > 1 && this.names[at] === ZERO) return at;
    this.numbers.push(value);
    return to;
  }
}
