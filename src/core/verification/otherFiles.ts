import type { FileEntry, FileTree } from '../files/fileTree.js';
import { baseName, parentPath } from '../files/paths.js';
import type { SumContext } from './sums/sumFormat.js';

/** What one file of a listing reads of others. */
export interface OtherFilesOfOne extends Pick<SumContext, 'openOther' | 'sizes' | 'names' | 'once'> {
  /** Those that were opened for it, here or for what several files of a set need. */
  opened(): string[];
}

interface Made {
  value: Promise<unknown>;
  opened: ReadonlySet<string>;
}

/** The files of a listing, for formats whose sums stand in another file. */
export class OtherFiles {
  private readonly sizes: ReadonlyMap<string, number>;
  private byDirectory: Map<string, string[]> | null = null;
  private readonly made = new Map<string, Made>();

  constructor(
    private readonly tree: FileTree,
    entries: readonly FileEntry[],
    private readonly signal: AbortSignal | undefined,
  ) {
    this.sizes = new Map(entries.map(({ path, sizeBytes }) => [path, sizeBytes]));
  }

  forOne(): OtherFilesOfOne {
    const own = new Set<string>();
    const used = new Set<ReadonlySet<string>>([own]);
    return {
      sizes: this.sizes,
      names: (directory) => this.names(directory),
      openOther: async (path) => {
        if (!this.sizes.has(path)) return undefined;
        own.add(path);
        return this.tree.open(path, this.signal);
      },
      once: <Value>(key: string, make: () => Promise<Value>): Promise<Value> => {
        const made = this.made.get(key) ?? { value: make(), opened: own };
        this.made.set(key, made);
        used.add(made.opened);
        return made.value as Promise<Value>;
      },
      opened: () => [...new Set([...used].flatMap((paths) => [...paths]))],
    };
  }

  private names(directory: string): readonly string[] {
    this.byDirectory ??= namesByDirectory(this.sizes.keys());
    return this.byDirectory.get(directory) ?? [];
  }
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
