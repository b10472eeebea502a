/** Files under names that differ in case or Unicode normal form alone, which macOS and Windows take for the same. */

/** Looks for files of a listing by names that an index spells otherwise. */
export class OtherSpellings {
  /** Null for names of several files. Made when it is first needed: most indexes name each file as it is called. */
  private bySpelling: Map<string, string | null> | undefined;
  private readonly found = new Map<string, string>();

  /** @param paths of the files that may be meant */
  constructor(private readonly paths: () => Iterable<string>) {}

  /** The one file that is meant by a name that no file has; undefined where there is none, or several. */
  find(named: string): string | undefined {
    this.bySpelling ??= mapSpellings(this.paths());
    const path = this.bySpelling.get(spellingOf(named)) ?? undefined;
    if (path !== undefined) this.found.set(named, path);
    return path;
  }

  /** Names that were looked for, with the files that were found for them. */
  get respelled(): ReadonlyMap<string, string> {
    return this.found;
  }
}

function mapSpellings(paths: Iterable<string>): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const path of paths) found.set(spellingOf(path), found.has(spellingOf(path)) ? null : path);
  return found;
}

/** Equal for names that APFS and NTFS do not tell apart, as a rule: by case, and on a Mac by normal form too. */
export function spellingOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
