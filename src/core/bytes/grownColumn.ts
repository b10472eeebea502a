type Column = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/**
 * A copy with room for `wanted` values, at least four times as large: pages of a fresh array cost memory only once they are written,
 * and each copy writes all that was there.
 */
export function grownColumn<T extends Column>(column: T, wanted: number): T {
  const larger = new (column.constructor as new (length: number) => T)(Math.max(wanted, column.length * 4));
  larger.set(column);
  return larger;
}
