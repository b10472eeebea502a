/**
 * The state of an object, read in one go where a pickler wrote it in its usual way: a dict of texts to whole numbers, None, texts, shapes,
 * and what it has written before. An index with millions of such objects is read several times faster than opcode by opcode. Whatever
 * deviates is left to the machine.
 */
import { decodeText } from '../../bytes/text.js';
import { opcode } from './opcodes.js';
import type { PickleMemo } from './pickleMemo.js';
import { PickleGlobal, PickleTuple, type PickleValue } from './pickleValue.js';

export class FlatState {
  /** Pairs that were read. */
  count = 0;
  private readonly keys: string[] = [];
  private readonly values: (PickleValue | undefined)[] = [];
  /** Where the numbers of each shape begin and end in `numbers`; -1 for other values. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  readonly numbers: number[] = [];
  private numberCount = 0;

  private at = 0;
  private memoKey = 0;
  private readonly keptKeys: number[] = [];
  private readonly keptValues: PickleValue[] = [];
  /** Positions of the kept shapes, 0 for texts. */
  private readonly keptShapes: number[] = [];
  private keptCount = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly memo: PickleMemo,
  ) {}

  /** Position behind the object that `read` read last. */
  get end(): number {
    return this.at;
  }

  /** The pair with this key; -1 where there is none. */
  indexOf(key: string): number {
    for (let index = 0; index < this.count; index++) if (this.keys[index] === key) return index;
    return -1;
  }

  /** The value of a pair; undefined for a shape. */
  valueAt(index: number): PickleValue | undefined {
    return index < 0 ? undefined : this.values[index];
  }

  /** Where a shape begins in `numbers`; -1 for another value. */
  startOf(index: number): number {
    return index < 0 ? -1 : (this.starts[index] as number);
  }

  endOf(index: number): number {
    return index < 0 ? -1 : (this.ends[index] as number);
  }

  /** Reads what follows NEWOBJ up to its BUILD; false, and nothing happened, where that is anything unusual. */
  read(position: number): boolean {
    this.at = position;
    this.memoKey = this.memo.size;
    this.count = 0;
    this.numberCount = 0;
    this.keptCount = 0;
    if (!this.memoizedUnused() || !this.next(opcode.EMPTY_DICT) || !this.memoizedUnused() || !this.next(opcode.MARK))
      return false;
    while (!this.next(opcode.SETITEMS)) if (!this.readPair()) return false;
    return this.next(opcode.BUILD);
  }

  /** Makes the memo what it is behind the object. Call when the object was taken. */
  commit(): void {
    this.memo.forget(this.memoKey - this.memo.size - this.keptCount);
    for (let index = 0; index < this.keptCount; index++) this.keep(this.keptKeys[index] as number, index);
  }

  /** A shape that was stepped over when it was read, from its place in the pickle. */
  shapeFrom(position: number): PickleTuple {
    const before = this.at;
    this.at = position;
    const numbers: number[] = [];
    for (let number = this.integer(); number !== undefined; number = this.integer()) numbers.push(number);
    this.at = before;
    return new PickleTuple(numbers);
  }

  private keep(key: number, index: number): void {
    const shape = this.keptShapes[index] as number;
    if (shape === 0) this.memo.put(key, this.keptValues[index] as PickleValue);
    else this.memo.putShape(key, shape);
  }

  private readPair(): boolean {
    const key = this.fetch();
    if (typeof key !== 'string') return false;
    const index = this.count;
    this.keys[index] = key;
    this.starts[index] = -1;
    this.ends[index] = -1;
    this.count = index + 1;
    const code = this.bytes[this.at];
    if (code === opcode.NONE) {
      this.at += 1;
      this.values[index] = null;
      return true;
    }
    if (code === opcode.SHORT_BINUNICODE) return this.readText(index);
    if (code === opcode.BINGET || code === opcode.LONG_BINGET) {
      const shape = this.memo.shapeAt(this.memoKeyAt());
      const value = this.fetch();
      if (shape !== 0) return this.copyShape(index, shape);
      if (value instanceof PickleGlobal) return value.fullName === 'torch.Size' && this.readShape(index);
      this.values[index] = value;
      return value !== undefined;
    }
    const number = this.integer();
    this.values[index] = number;
    return number !== undefined;
  }

  /** The numbers of a shape that the pickle had before. */
  private copyShape(index: number, position: number): boolean {
    const behind = this.at;
    this.at = position;
    const start = this.numberCount;
    for (let number = this.integer(); number !== undefined; number = this.integer()) this.numbers[this.numberCount++] = number;
    this.at = behind;
    this.setShape(index, start);
    return true;
  }

  private setShape(index: number, start: number): void {
    this.values[index] = undefined;
    this.starts[index] = start;
    this.ends[index] = this.numberCount;
  }

  private readText(index: number): boolean {
    const start = this.at + 2;
    const end = start + (this.bytes[this.at + 1] ?? 0);
    if (end >= this.bytes.length) return false;
    const text = decodeText(this.bytes, start, end);
    this.at = end;
    this.values[index] = text;
    return this.memoized(text);
  }

  /** `torch.Size((2, 3))`: numbers, TUPLE2, TUPLE1, REDUCE, each memoized. */
  private readShape(index: number): boolean {
    const start = this.numberCount;
    const isMarked = this.next(opcode.MARK);
    const position = this.at;
    for (let number = this.integer(); number !== undefined; number = this.integer()) this.numbers[this.numberCount++] = number;
    const rank = this.numberCount - start;
    const isTuple = isMarked ? this.next(opcode.TUPLE) : rank > 0 && rank < 4 && this.next(opcode.TUPLE1 - 1 + rank);
    if (!isTuple || !this.memoizedUnused() || !this.next(opcode.TUPLE1) || !this.memoizedUnused() || !this.next(opcode.REDUCE))
      return false;
    this.setShape(index, start);
    return this.memoized(null, position);
  }

  private next(code: number): boolean {
    if (this.bytes[this.at] !== code) return false;
    this.at += 1;
    return true;
  }

  /** MEMOIZE of something that nothing fetches. */
  private memoizedUnused(): boolean {
    if (this.bytes[this.at] !== opcode.MEMOIZE || !this.memo.isForgotten(this.memoKey)) return false;
    this.at += 1;
    this.memoKey += 1;
    return true;
  }

  private memoized(value: PickleValue, shape = 0): boolean {
    if (!this.next(opcode.MEMOIZE)) return false;
    if (!this.memo.isForgotten(this.memoKey)) {
      this.keptKeys[this.keptCount] = this.memoKey;
      this.keptValues[this.keptCount] = value;
      this.keptShapes[this.keptCount] = shape;
      this.keptCount += 1;
    }
    this.memoKey += 1;
    return true;
  }

  /** The memo key of the BINGET or LONG_BINGET that comes next. */
  private memoKeyAt(): number {
    return this.bytes[this.at] === opcode.BINGET ? this.unsigned(this.at + 1, 1) : this.unsigned(this.at + 1, 4);
  }

  /** What BINGET or LONG_BINGET fetches; undefined where there is neither. */
  private fetch(): PickleValue | undefined {
    const code = this.bytes[this.at];
    if (code === opcode.BINGET) {
      this.at += 2;
      return this.memo.get(this.bytes[this.at - 1] ?? -1);
    }
    if (code !== opcode.LONG_BINGET) return undefined;
    this.at += 5;
    return this.memo.get(this.unsigned(this.at - 4, 4));
  }

  /** A whole number that is not negative; undefined where there is none. */
  private integer(): number | undefined {
    const { at } = this;
    switch (this.bytes[at]) {
      case opcode.BININT1:
        this.at = at + 2;
        return this.unsigned(at + 1, 1);
      case opcode.BININT2:
        this.at = at + 3;
        return this.unsigned(at + 1, 2);
      case opcode.BININT: {
        const value = this.unsigned(at + 1, 4);
        if (value >= 2 ** 31) return undefined;
        this.at = at + 5;
        return value;
      }
      case opcode.LONG1: {
        const length = this.bytes[at + 1] ?? 0;
        // The highest bit of the last byte is the sign; six bytes and a leading zero are as much as any file has.
        if (length === 0 || length > 7 || (this.bytes[at + 1 + length] ?? 0x80) >= 0x80) return undefined;
        const value = this.unsigned(at + 2, length);
        if (value > Number.MAX_SAFE_INTEGER) return undefined;
        this.at = at + 2 + length;
        return value;
      }
      default:
        return undefined;
    }
  }

  private unsigned(start: number, length: number): number {
    let value = 0;
    for (let at = start + length - 1; at >= start; at--) value = value * 256 + (this.bytes[at] ?? 0);
    return value;
  }
}
