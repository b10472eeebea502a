import { limits } from '../bytes/limits.js';
import type { ModuleEntries, ModuleEntry } from './moduleEntries.js';
import type { ModuleFact, ModuleTree } from './moduleTree.js';
import type { ModuleRow, TensorQuery, TensorRow } from './tensorQuery.js';
import { naturalKey } from './selectTensors.js';

export interface ModuleListOptions {
  sort: TensorQuery['sort'];
  /** Whether only some tensors are in the tree: then they are not hidden in what is collapsed, where they are few. */
  isFiltered: boolean;
  /** Ids of what is expanded or collapsed otherwise than at first. */
  toggled: readonly string[];
}

/** At the top more modules than these are collapsed at first. */
const expandedAtTop = 8;

interface Listed {
  entry: ModuleEntry;
  level: number;
  position: number;
  siblings: number;
  parent: number | null;
  isExpanded: boolean | null;
}

/** The lines of the tree of modules that are visible, top to bottom. */
export class ModuleList {
  private readonly listed: Listed[] = [];
  private readonly toggled: ReadonlySet<string>;
  private readonly isAllExpanded: boolean;

  constructor(
    private readonly tree: ModuleTree,
    private readonly entries: ModuleEntries,
    private readonly rowAt: (row: number) => TensorRow,
    private readonly options: ModuleListOptions,
  ) {
    this.toggled = new Set(options.toggled);
    this.isAllExpanded = options.isFiltered && tree.tensorsOf(tree.root) <= limits.moduleTensorsExpanded;
    this.list(entries.below(tree.root), 1, null);
  }

  get size(): number {
    return this.listed.length;
  }

  /** Of the whole tree. */
  get tensors(): number {
    return this.tree.tensorsOf(this.tree.root);
  }

  get bytes(): number {
    return this.tree.bytesOf(this.tree.root);
  }

  /** Rows [from, to). */
  rows(from: number, to: number): ModuleRow[] {
    return this.listed.slice(from, to).map(({ entry, ...place }) => ({ ...place, ...this.wordsOf(entry) }));
  }

  /** Modules are at most `limits.moduleDepth` deep, and a fold adds one level to each. */
  private list(entries: readonly ModuleEntry[], level: number, parent: number | null): void {
    this.sorted(entries).forEach((entry, index) => {
      const isExpanded = entry.kind === 'tensor' ? null : this.isExpanded(entry, level, entries.length);
      const at = this.listed.push({ entry, level, position: index + 1, siblings: entries.length, parent, isExpanded }) - 1;
      if (isExpanded === true) this.list(this.below(entry), level + 1, at);
    });
  }

  private below(entry: ModuleEntry): readonly ModuleEntry[] {
    if (entry.kind === 'fold') return this.entries.each(entry);
    return entry.kind === 'module' ? this.entries.below(entry.node) : [];
  }

  private isExpanded(entry: ModuleEntry, level: number, siblings: number): boolean {
    const atFirst = entry.kind === 'module' && (this.isAllExpanded || (level === 1 && siblings <= expandedAtTop));
    return this.toggled.size > 0 && this.toggled.has(this.idOf(entry)) ? !atFirst : atFirst;
  }

  private sorted(entries: readonly ModuleEntry[]): readonly ModuleEntry[] {
    const { sort } = this.options;
    if (sort === undefined) return entries;
    const sign = sort.descending ? -1 : 1;
    return entries
      .map((entry) => ({ entry, key: this.keyOf(entry, sort.column) }))
      .sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign))
      .map(({ entry }) => entry);
  }

  private keyOf(entry: ModuleEntry, column: NonNullable<TensorQuery['sort']>['column']): string | number {
    if (column === 'name') return naturalKey(this.entries.labelOf(entry));
    const words = this.wordsOf(entry);
    return column === 'elements' || column === 'bytes' ? words[column] : naturalKey(words[column] ?? '');
  }

  private wordsOf(entry: ModuleEntry): Omit<ModuleRow, keyof Omit<Listed, 'entry'>> {
    const { tree } = this;
    const { kind } = entry;
    const own = { id: this.idOf(entry), kind, label: this.entries.labelOf(entry) };
    if (entry.kind === 'tensor') return { ...own, tensors: 1, repeats: 1, ...this.rowAt(entry.row) };
    const nodes = entry.kind === 'fold' ? entry.nodes : [entry.node];
    const facts = this.rowAt(tree.firstRowOf(nodes[0] ?? tree.root));
    const sum = (of: (node: number) => number): number => nodes.reduce((total, node) => total + of(node), 0);
    const isSame = (fact: ModuleFact): boolean => tree.isSame(nodes, fact);
    const isOneComponent = isSame('group');
    return {
      ...own,
      repeats: nodes.length,
      tensors: sum((node) => tree.tensorsOf(node)),
      row: null,
      name: this.entries.nameOf(entry),
      dtype: isSame('dtype') ? facts.dtype : '',
      shape: '',
      elements: sum((node) => tree.elementsOf(node)),
      bytes: sum((node) => tree.bytesOf(node)),
      component: isOneComponent ? facts.component : null,
      part: isOneComponent ? facts.part : null,
      file: isSame('file') ? facts.file : '',
      files: 1,
      layer: isSame('layer') ? facts.layer : '',
    };
  }

  /** Tells an entry from all others of its tree, also when the tree is made again. */
  private idOf(entry: ModuleEntry): string {
    const { tree } = this;
    if (entry.kind === 'tensor') return `tensor ${entry.row}`;
    if (entry.kind === 'module') return `module ${tree.textOf(entry.node)}`;
    return `fold ${tree.textOf(entry.nodes[0] ?? tree.root)} ${tree.textOf(entry.nodes.at(-1) ?? tree.root)}`;
  }
}
