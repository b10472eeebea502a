import type { TensorTable } from './tensorTable.js';

/**
 * Finds rows of a table by name without making strings: an open-addressing hash over the names' bytes. Names are scoped by a
 * number, so that the same name in two directories stays two names. Later rows of an equal name are chained to the first.
 */
export class NameIndex {
  /** Row + 1 of the first row of a name, by hash slot. */
  private readonly slots: Uint32Array;
  private readonly mask: number;
  /** Hash of each row's name; compared before the bytes are. */
  private readonly hashes: Uint32Array;
  /** Row + 1 of the next row of the same name. */
  private readonly nextSame: Uint32Array;
  /** For the first row of a name: the last row of that name. */
  private readonly lastSame: Uint32Array;
  private readonly scopes: Int32Array;
  /** 1 for rows that are not the first of their name. */
  private readonly isCopy: Uint8Array;
  private copies = 0;

  constructor(
    private readonly table: TensorTable,
    scopeOf: (row: number) => number,
  ) {
    let capacity = 16;
    while (capacity < table.size * 2) capacity *= 2;
    this.slots = new Uint32Array(capacity);
    this.mask = capacity - 1;
    this.hashes = new Uint32Array(table.size);
    this.nextSame = new Uint32Array(table.size);
    this.lastSame = new Uint32Array(table.size);
    this.scopes = new Int32Array(table.size);
    this.isCopy = new Uint8Array(table.size);
    for (let row = 0; row < table.size; row++) {
      this.scopes[row] = scopeOf(row);
      this.insert(row);
    }
  }

  /** First row of that name in a scope, or -1. `bytes[start, end)` is the name's UTF-8. */
  find(bytes: Uint8Array, start: number, end: number, scope: number): number {
    const hash = hashOf(bytes, start, end, scope);
    return (this.slots[this.slotOf(hash, bytes, start, end, scope)] as number) - 1;
  }

  /** The next row with the same name and scope, or -1. */
  next(row: number): number {
    return (this.nextSame[row] as number) - 1;
  }

  /** Whether any name is there twice; most checkpoints have none, and need no second look. */
  get hasCopies(): boolean {
    return this.copies > 0;
  }

  /** True for the first row of its name and scope. */
  isFirst(row: number): boolean {
    return this.isCopy[row] === 0;
  }

  private insert(row: number): void {
    const { table } = this;
    const bytes = table.nameBytes;
    const start = table.nameStartOf(row);
    const end = table.nameEndOf(row);
    const scope = this.scopes[row] as number;
    const hash = hashOf(bytes, start, end, scope);
    this.hashes[row] = hash;
    const slot = this.slotOf(hash, bytes, start, end, scope);
    const first = (this.slots[slot] as number) - 1;
    if (first === -1) {
      this.slots[slot] = row + 1;
      this.lastSame[row] = row;
      return;
    }
    // Keep the order of rows: append behind the last one, which the first one points to.
    this.nextSame[this.lastSame[first] as number] = row + 1;
    this.lastSame[first] = row;
    this.isCopy[row] = 1;
    this.copies += 1;
  }

  /** The slot that holds the name, or the empty one where it would go. */
  private slotOf(hash: number, bytes: Uint8Array, start: number, end: number, scope: number): number {
    let slot = hash & this.mask;
    for (;;) {
      const row = (this.slots[slot] as number) - 1;
      if (row === -1 || (this.hashes[row] === hash && this.matches(row, bytes, start, end, scope))) return slot;
      slot = (slot + 1) & this.mask;
    }
  }

  private matches(row: number, bytes: Uint8Array, start: number, end: number, scope: number): boolean {
    const from = this.table.nameStartOf(row);
    if (this.scopes[row] !== scope || this.table.nameEndOf(row) - from !== end - start) return false;
    const names = this.table.nameBytes;
    for (let at = 0; at < end - start; at++) if (names[from + at] !== bytes[start + at]) return false;
    return true;
  }
}

/**
 * A multiplicative hash over four bytes at a time, with murmur3's final mix, as the low bits choose the slot. Multiplying by
 * FNV's prime alone would not carry the high byte of a word down, so each word is folded first.
 */
function hashOf(bytes: Uint8Array, start: number, end: number, scope: number): number {
  let hash = 0x811c9dc5 ^ scope ^ (end - start);
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
