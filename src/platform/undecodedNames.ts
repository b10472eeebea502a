/** Names that are not UTF-8: Node hands out a name that no file has, so that they are only reached by their bytes. */
import path from 'node:path';

/** What Node puts in place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

/** True for a name that may stand for others, as it has the character that Node puts in place of bytes. */
export function mayBeUndecoded(name: string): boolean {
  return name.includes(REPLACEMENT);
}

/** The place of a name in a directory, as bytes. */
export function placeIn(directory: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(directory), Buffer.from(path.sep), name]);
}

/** True for bytes that are the UTF-8 of a text. */
export function isDecoded(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}

/** A name with its UTF-8 as it is, and each other byte as `\xff`. */
export function escapedName(bytes: Buffer): string {
  let name = '';
  for (let at = 0; at < bytes.length;) {
    const length = lengthOfCharacter(bytes[at] as number);
    const character = length === 0 ? REPLACEMENT : bytes.subarray(at, at + length).toString();
    if (character.includes(REPLACEMENT)) name += `\\x${(bytes[at] as number).toString(16).padStart(2, '0')}`;
    else name += character;
    at += character.includes(REPLACEMENT) ? 1 : length;
  }
  return name;
}

/** Bytes of a character of UTF-8 by its first one; 0 for a byte that begins none. */
function lengthOfCharacter(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
