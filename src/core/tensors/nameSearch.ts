import { encodeText } from '../bytes/text.js';
import type { TensorTable } from './tensorTable.js';

/**
 * Tells which rows have all words in their name, in any case. Words of ASCII are looked for in the bytes of the names: of 200,000 no text has to be
 * made, which takes ten times as long.
 */
export function nameSearch(table: TensorTable, search: string): ((row: number) => boolean) | undefined {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  // oxlint-disable-next-line no-control-regex -- ASCII begins with control characters
  if (!words.every((word) => /^[\u0000-\u007f]+$/.test(word)))
    return (row) => {
      const name = table.nameOf(row).toLowerCase();
      return words.every((word) => name.includes(word));
    };
  const { nameBytes } = table;
  const patterns = words.map(encodeText);
  return (row) => patterns.every((pattern) => hasBytes(nameBytes, table.nameStartOf(row), table.nameEndOf(row), pattern));
}

/** Whether a lower-case pattern occurs in [start, end), in any case. Most places are left after one comparison, of the first byte. */
function hasBytes(bytes: Uint8Array, start: number, end: number, pattern: Uint8Array): boolean {
  const last = end - pattern.length;
  const first = pattern[0] as number;
  const firstUpper = upperCase(first);
  for (let at = start; at <= last; at++) {
    const byte = bytes[at];
    if (byte !== first && byte !== firstUpper) continue;
    let same = 1;
    while (same < pattern.length && lowerCase(bytes[at + same] as number) === pattern[same]) same += 1;
    if (same === pattern.length) return true;
  }
  return false;
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

function upperCase(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
}
