/** Files with names that are not UTF-8: Node hands out a name that no file has, so that they are only reached by the bytes of their names. */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';

/** What Node puts in place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

export class UndecodedNames {
  /** How many files of the same name were asked for. */
  private readonly asked = new Map<string, number>();

  /** What the system says of the next file that Node calls so; undefined for a name that is UTF-8. Links are not followed. */
  statsOf(absolute: string): Stats | undefined {
    const name = path.basename(absolute);
    if (!name.includes(REPLACEMENT)) return undefined;
    const directory = path.dirname(absolute);
    const before = this.asked.get(absolute) ?? 0;
    this.asked.set(absolute, before + 1);
    const sameName = readdirSync(directory, { encoding: 'buffer' }).filter((bytes) => bytes.toString() === name);
    const bytes = sameName[before];
    return bytes === undefined ? undefined : lstatSync(Buffer.concat([Buffer.from(`${directory}${path.sep}`), bytes]));
  }
}
