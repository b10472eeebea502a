import type { ByteSource } from '../bytes/byteSource.js';
import type { FileEntry, FileTree } from '../files/fileTree.js';
import { baseName, parentPath } from '../files/paths.js';
import type { SumContext } from './sums/sumFormat.js';

/** The files of a listing, for formats whose sums stand in another file. */
export class OtherFiles implements Pick<SumContext, 'openOther' | 'sizes' | 'names' | 'once'> {
  readonly sizes: ReadonlyMap<string, number>;
  private byDirectory: Map<string, string[]> | null = null;
  private readonly made = new Map<string, Promise<unknown>>();

  constructor(
    private readonly tree: FileTree,
    entries: readonly FileEntry[],
    private readonly signal: AbortSignal | undefined,
  ) {
    this.sizes = new Map(entries.map(({ path, sizeBytes }) => [path, sizeBytes]));
  }

  readonly openOther = async (path: string): Promise<ByteSource | undefined> =>
    this.sizes.has(path) ? this.tree.open(path, this.signal) : undefined;

  readonly names = (directory: string): readonly string[] => {
    this.byDirectory ??= namesByDirectory(this.sizes.keys());
    return this.byDirectory.get(directory) ?? [];
  };

  readonly once = <Value>(key: string, make: () => Promise<Value>): Promise<Value> => {
    const made = this.made.get(key) ?? make();
    this.made.set(key, made);
    return made as Promise<Value>;
  };
}

function namesByDirectory(paths: Iterable<string>): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const path of paths) {
    const directory = parentPath(path);
    const known = names.get(directory);
    if (known === undefined) names.set(directory, [baseName(path)]);
    else known.push(baseName(path));
  }
  return names;
}
