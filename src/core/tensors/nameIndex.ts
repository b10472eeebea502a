import type { TensorTable } from './tensorTable.js';

/**
 * Finds rows of a table by name without making strings: an open-addressing hash over the names' bytes. Names are scoped by a
 * number, so that the same name in two directories stays two names. Later rows of an equal name are chained to the first.
 */
export class NameIndex {
  /** Row + 1 of the first row of a name, by hash slot. */
  private readonly slots: Uint32Array;
  private readonly mask: number;
  /** Row + 1 of the next row of the same name. */
  private readonly nextSame: Uint32Array;
  private readonly lastSame: Uint32Array;

  /** Indexes all rows for which `scopeOf` gives a number; rows with -1 are left out. */
  constructor(
    private readonly table: TensorTable,
    private readonly scopeOf: (row: number) => number,
  ) {
    let capacity = 16;
    while (capacity < table.size * 2) capacity *= 2;
    this.slots = new Uint32Array(capacity);
    this.mask = capacity - 1;
    this.nextSame = new Uint32Array(table.size);
    this.lastSame = new Uint32Array(table.size);
    for (let row = 0; row < table.size; row++) {
      const scope = scopeOf(row);
      if (scope >= 0) this.insert(row, scope);
    }
  }

  /** First row of that name in a scope, or -1. `bytes[start, end)` is the name's UTF-8. */
  find(bytes: Uint8Array, start: number, end: number, scope: number): number {
    const slot = this.slotOf(bytes, start, end, scope);
    return (this.slots[slot] ?? 0) - 1;
  }

  /** The next row with the same name and scope, or -1. */
  next(row: number): number {
    return (this.nextSame[row] ?? 0) - 1;
  }

  private insert(row: number, scope: number): void {
    const name = this.table.nameBytesOf(row);
    const slot = this.slotOf(name.bytes, name.start, name.end, scope);
    const first = this.slots[slot] ?? 0;
    if (first === 0) {
      this.slots[slot] = row + 1;
      this.lastSame[row] = row;
      return;
    }
    // Keep the order of rows: append behind the last one, which the first one knows.
    const last = this.lastSame[first - 1] ?? first - 1;
    this.nextSame[last] = row + 1;
    this.lastSame[first - 1] = row;
  }

  /** The slot that holds the name, or the empty one where it would go. */
  private slotOf(bytes: Uint8Array, start: number, end: number, scope: number): number {
    let slot = hash(bytes, start, end, scope) & this.mask;
    for (;;) {
      const entry = this.slots[slot] ?? 0;
      if (entry === 0 || this.matches(entry - 1, bytes, start, end, scope)) return slot;
      slot = (slot + 1) & this.mask;
    }
  }

  private matches(row: number, bytes: Uint8Array, start: number, end: number, scope: number): boolean {
    const name = this.table.nameBytesOf(row);
    if (name.end - name.start !== end - start || this.scopeOf(row) !== scope) return false;
    // Names of one layer differ near their end, so compare from there.
    for (let back = 1; back <= end - start; back++) if (name.bytes[name.end - back] !== bytes[end - back]) return false;
    return true;
  }
}

/** FNV-1a over 32 bits, with a final mix as the low bits choose the slot. */
function hash(bytes: Uint8Array, start: number, end: number, scope: number): number {
  let value = 0x811c9dc5 ^ scope;
  for (let at = start; at < end; at++) value = Math.imul(value ^ (bytes[at] as number), 0x01000193);
  value ^= value >>> 15;
  return Math.imul(value, 0x2c1b3c6d) ^ (value >>> 12);
}
