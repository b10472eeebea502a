import type { FileEntry } from './fileTree.js';
import { baseName, parentPath } from './paths.js';
import { isRsyncTemporary, nameOfOriginal } from './secondCopies.js';
import { isInstalledPackage } from './installedPackages.js';
import { isSideFile } from './sideFiles.js';

/** The listing as layouts look at it. */
export class Listing {
  private readonly atRoot: ReadonlySet<string>;
  private byPath: Map<string, FileEntry> | undefined;
  private own: Listing | undefined;
  private ofPrograms: Listing | undefined;
  private nested: Set<string> | undefined;
  private byDirectory: Map<string, string[]> | undefined;

  constructor(
    /** Last part of the inspected path. */
    readonly rootName: string,
    readonly entries: readonly FileEntry[],
  ) {
    this.atRoot = new Set(entries.filter(({ path }) => !path.includes('/')).map(({ path }) => path));
  }

  /** True where a file was inspected, not a directory. */
  get isSingleFile(): boolean {
    return this.entries.length === 1 && this.entries[0]?.path === this.rootName;
  }

  /** A file that copying left behind: its name and its content are like those of data, and no loader looks for it. */
  isLeftover(path: string): boolean {
    return isRsyncTemporary(baseName(path));
  }

  /** The listed file that a path is named as a second copy of. The two are not compared. */
  originalOf(path: string): string | undefined {
    const original = nameOfOriginal(path);
    return original !== undefined && this.entry(original) !== undefined ? original : undefined;
  }

  /** The same without side files of operating systems; itself where there are none, and where nothing else is. */
  get withoutSystemFiles(): Listing {
    if (this.ofPrograms === undefined) {
      const others = this.entries.filter(({ path }) => !isSideFile(path));
      const isAll = others.length === this.entries.length || others.length === 0;
      this.ofPrograms = isAll ? this : new Listing(this.rootName, others);
    }
    return this.ofPrograms;
  }

  /** The same without side files of operating systems, installed packages, leftovers and second copies; itself where there is nothing of that, and where nothing else is. */
  get withoutSideFiles(): Listing {
    if (this.own === undefined) {
      const own = this.entries.filter(
        ({ path }) =>
          !isSideFile(path) && !isInstalledPackage(path) && !this.isLeftover(path) && this.originalOf(path) === undefined,
      );
      this.own = own.length === this.entries.length || own.length === 0 ? this : new Listing(this.rootName, own);
    }
    return this.own;
  }

  /** A file directly in the inspected directory. */
  has(name: string): boolean {
    return this.atRoot.has(name);
  }

  /** Any file directly in the inspected directory whose name matches. */
  hasMatch(pattern: RegExp): boolean {
    for (const name of this.atRoot) if (pattern.test(name)) return true;
    return false;
  }

  /** Any file of the listing, by its path below the root. */
  entry(path: string): FileEntry | undefined {
    // Layouts look for names that most listings do not have: no map of all paths is made for these.
    if (this.byPath === undefined && !this.mayHave(path)) return undefined;
    this.byPath ??= new Map(this.entries.map((entry) => [entry.path, entry]));
    return this.byPath.get(path);
  }

  private mayHave(path: string): boolean {
    return path.includes('/') ? this.directories.has(parentPath(path)) : this.atRoot.has(path);
  }

  /** The listed paths by the directory in which they lie. */
  get directories(): ReadonlyMap<string, readonly string[]> {
    if (this.byDirectory === undefined) {
      this.byDirectory = new Map();
      for (const { path } of this.entries) {
        const directory = parentPath(path);
        const paths = this.byDirectory.get(directory);
        if (paths === undefined) this.byDirectory.set(directory, [path]);
        else paths.push(path);
      }
    }
    return this.byDirectory;
  }

  /** Whether anything is listed below the path. */
  holdsDirectory(path: string): boolean {
    if (this.nested === undefined) {
      this.nested = new Set();
      for (const directory of this.directories.keys())
        for (let at = directory; at !== '' && !this.nested.has(at); at = parentPath(at)) this.nested.add(at);
    }
    return this.nested.has(path);
  }

  /** Base names of all files, below the root too. */
  baseNames(): string[] {
    return this.entries.map((entry) => baseName(entry.path));
  }
}
