import { limits } from '../../../bytes/limits.js';
import type { ImportKind } from './globalKind.js';

/** The worst first. */
export const importKinds = ['unexpected', 'own', 'usual'] as const satisfies readonly ImportKind[];

/** Imports by name, up to `limits.pickleImports`: a full table gives up a usual one for one that is unexpected, so that none is flooded out. */
export class ImportTable<Import> {
  private readonly byName = new Map<string, Import>();
  private readonly namesOf: Record<ImportKind, string[]> = { unexpected: [], own: [], usual: [] };
  /** True where there were more different imports than the table holds. */
  hasMore = false;

  constructor(private readonly kindOf: (item: Import) => ImportKind) {}

  get size(): number {
    return this.byName.size;
  }

  get(name: string): Import | undefined {
    return this.byName.get(name);
  }

  /** Adds an import of a name that is not in the table. False where there is no room for it. */
  add(name: string, item: Import): boolean {
    const kind = this.kindOf(item);
    if (this.byName.size >= limits.pickleImports) {
      this.hasMore = true;
      if (!this.giveUpMilder(kind)) return false;
    }
    this.byName.set(name, item);
    this.namesOf[kind].push(name);
    return true;
  }

  /** In order of appearance. */
  entries(): [string, Import][] {
    return [...this.byName];
  }

  /** In order of appearance. */
  items(): Import[] {
    return [...this.byName.values()];
  }

  private giveUpMilder(kind: ImportKind): boolean {
    for (const milder of importKinds.slice(importKinds.indexOf(kind) + 1).reverse()) {
      for (let name = this.namesOf[milder].pop(); name !== undefined; name = this.namesOf[milder].pop()) {
        const item = this.byName.get(name);
        // What became worse since then stays.
        if (item !== undefined && this.kindOf(item) === milder) return this.byName.delete(name);
      }
    }
    return false;
  }
}
