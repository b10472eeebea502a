/** The entry of a table under a key out of a file; undefined for a key that the table has not of its own, as `__proto__` and `constructor`. */
export function entryOf<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
