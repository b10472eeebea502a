/** Files with names that are not UTF-8: Node hands out a name that no file has, so that they are only reached by the bytes of their names. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';

/** What Node puts in place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

/** True for a name that may stand for others, as it has the character that Node puts in place of bytes. */
export function mayBeUndecoded(name: string): boolean {
  return name.includes(REPLACEMENT);
}

/** A file that is reached by the bytes of its path. */
export interface UndecodedFile {
  stats: Stats;
  place: Buffer;
  /** Its name, with `\xff` for a byte that is not UTF-8. */
  name: string;
}

export class UndecodedNames {
  /** Names of each directory that are not UTF-8, by what Node calls them: those that were not asked for yet. */
  private readonly left = new Map<string, Map<string, Buffer[]>>();

  /** The next regular file that Node calls so; undefined for a name that is UTF-8. @throws an error of the file system */
  next(absolute: string): UndecodedFile | undefined {
    const name = path.basename(absolute);
    const directory = path.dirname(absolute);
    const bytes = this.namesIn(directory).get(name)?.shift();
    if (bytes === undefined || Buffer.from(name).equals(bytes)) return undefined;
    const place = Buffer.concat([Buffer.from(`${directory}${path.sep}`), bytes]);
    return { stats: lstatSync(place), place, name: escapedName(bytes) };
  }

  private namesIn(directory: string): Map<string, Buffer[]> {
    const known = this.left.get(directory);
    if (known !== undefined) return known;
    const names = new Map<string, Buffer[]>();
    for (const entry of readdirSync(directory, { encoding: 'buffer', withFileTypes: true })) {
      const name = entry.name.toString();
      if (!entry.isFile() || !mayBeUndecoded(name)) continue;
      const same = names.get(name) ?? [];
      same.push(entry.name);
      names.set(name, same);
    }
    this.left.set(directory, names);
    return names;
  }
}

/** A name with its UTF-8 as it is, and each other byte as `\xff`. */
function escapedName(bytes: Buffer): string {
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
