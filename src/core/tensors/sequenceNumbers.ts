import { grownColumn } from '../bytes/grownColumn.js';

/**
 * Numbers sequences of integers: equal ones have the same number, 0, 1, 2 in the order of their first occurrence. An
 * open-addressing hash over columns, as a text key or an object for each of a million would take ten times the time and memory.
 */
export class SequenceNumbers {
  private count = 0;
  private values = new Float64Array(256);
  /** Sequence `n` is in [ends[n], ends[n + 1]). */
  private ends = new Uint32Array(64);
  /** Compared before the values are. */
  private hashes = new Uint32Array(64);
  /** Number + 1, by hash. At most half are taken. */
  private slots = new Uint32Array(128);

  /** How many different sequences have a number. */
  get size(): number {
    return this.count;
  }

  /** The number of `values[start, end)`. */
  numberOf(values: ArrayLike<number>, start = 0, end = values.length): number {
    const hash = hashOf(values, start, end);
    let slot = hash & (this.slots.length - 1);
    for (let taken = this.slots[slot] as number; taken !== 0; taken = this.slots[slot] as number) {
      if (this.hashes[taken - 1] === hash && this.matches(taken - 1, values, start, end)) return taken - 1;
      slot = (slot + 1) & (this.slots.length - 1);
    }
    this.slots[slot] = this.count + 1;
    return this.push(hash, values, start, end);
  }

  lengthOf(number: number): number {
    return (this.ends[number + 1] as number) - (this.ends[number] as number);
  }

  /** The value at a place of a sequence. */
  at(number: number, index: number): number {
    return this.values[(this.ends[number] as number) + index] as number;
  }

  private matches(number: number, values: ArrayLike<number>, start: number, end: number): boolean {
    const from = this.ends[number] as number;
    if ((this.ends[number + 1] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (this.values[from + at - start] !== values[at]) return false;
    return true;
  }

  private push(hash: number, values: ArrayLike<number>, start: number, end: number): number {
    const number = this.count++;
    let to = this.ends[number] as number;
    if (to + end - start > this.values.length) this.values = grownColumn(this.values, to + end - start);
    for (let at = start; at < end; at++) this.values[to++] = values[at] as number;
    if (number + 2 > this.ends.length) {
      this.ends = grownColumn(this.ends, number + 2);
      this.hashes = grownColumn(this.hashes, number + 2);
    }
    this.ends[number + 1] = to;
    this.hashes[number] = hash;
    if (this.count * 2 > this.slots.length) this.spread();
    return number;
  }

  /** All numbers into twice as many slots. */
  private spread(): void {
    this.slots = new Uint32Array(this.slots.length * 2);
    for (let number = 0; number < this.count; number++) {
      let slot = (this.hashes[number] as number) & (this.slots.length - 1);
      while (this.slots[slot] !== 0) slot = (slot + 1) & (this.slots.length - 1);
      this.slots[slot] = number + 1;
    }
  }
}

/** Multiplied and folded for each value, with murmur3's final mix, as the low bits choose the slot. */
function hashOf(values: ArrayLike<number>, start: number, end: number): number {
  let hash = 0x811c9dc5 ^ (end - start);
  for (let at = start; at < end; at++) {
    const value = values[at] as number;
    hash = Math.imul(hash ^ value, 0x9e3779b1);
    if (value > 0xffff_ffff) hash = Math.imul(hash ^ (value / 2 ** 32), 0x01000193);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
