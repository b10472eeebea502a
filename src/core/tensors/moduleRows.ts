import { limits } from '../bytes/limits.js';
import type { ModuleEntry, ModuleNode, ModuleTree } from './moduleTree.js';
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
    private readonly rowAt: (row: number) => TensorRow,
    private readonly options: ModuleListOptions,
  ) {
    this.toggled = new Set(options.toggled);
    this.isAllExpanded = options.isFiltered && tree.root.tensors <= limits.moduleTensorsExpanded;
    this.list(tree.entriesOf(tree.root), 1, null);
  }

  get size(): number {
    return this.listed.length;
  }

  /** Of the whole tree. */
  get tensors(): number {
    return this.tree.root.tensors;
  }

  get bytes(): number {
    return this.tree.root.bytes;
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

  private below(entry: ModuleEntry): ModuleEntry[] {
    if (entry.kind === 'fold') return entry.nodes.map((node) => this.each(entry.labelOf(node), node));
    return entry.kind === 'module' ? this.tree.entriesOf(entry.node) : [];
  }

  /** One of a fold: a module, or the tensor that it is. */
  private each(label: string, node: ModuleNode): ModuleEntry {
    const [row] = node.rows;
    return node.children.size === 0 && node.rows.length === 1 && row !== undefined
      ? { kind: 'tensor', label, row }
      : { kind: 'module', label, node };
  }

  private isExpanded(entry: ModuleEntry, level: number, siblings: number): boolean {
    const atFirst = entry.kind === 'module' && (this.isAllExpanded || (level === 1 && siblings <= expandedAtTop));
    return this.toggled.has(idOf(entry)) ? !atFirst : atFirst;
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
    const words = this.wordsOf(entry);
    if (column === 'name') return naturalKey(words.label);
    return column === 'elements' || column === 'bytes' ? words[column] : naturalKey(words[column] ?? '');
  }

  private wordsOf(entry: ModuleEntry): Omit<ModuleRow, keyof Omit<Listed, 'entry'>> {
    const { kind, label } = entry;
    const id = idOf(entry);
    if (entry.kind === 'tensor') return { id, kind, label, tensors: 1, repeats: 1, ...this.rowAt(entry.row) };
    const nodes = entry.kind === 'fold' ? entry.nodes : [entry.node];
    const first = nodes[0] ?? this.tree.root;
    const facts = this.rowAt(first.firstRow);
    const sum = (key: 'tensors' | 'bytes' | 'elements'): number => nodes.reduce((total, node) => total + node[key], 0);
    const isSame = (key: 'component' | 'file' | 'layer', value: string | null): boolean =>
      nodes.every((node) => !node.differs[key] && this.rowAt(node.firstRow)[key] === value);
    const isOneComponent = isSame('component', facts.component);
    return {
      id,
      kind,
      label,
      repeats: nodes.length,
      tensors: sum('tensors'),
      row: null,
      name: entry.kind === 'fold' ? `${first.path} to ${nodes.at(-1)?.path ?? ''}` : first.path,
      // Those of a fold are equal in dtypes.
      dtype: first.differs.dtype ? '' : facts.dtype,
      shape: '',
      elements: sum('elements'),
      bytes: sum('bytes'),
      component: isOneComponent ? facts.component : null,
      part: isOneComponent ? facts.part : null,
      file: isSame('file', facts.file) ? facts.file : '',
      files: 1,
      layer: isSame('layer', facts.layer) ? facts.layer : '',
    };
  }
}

/** Tells an entry from all others of its tree, also when the tree is made again. */
function idOf(entry: ModuleEntry): string {
  if (entry.kind === 'tensor') return `tensor ${entry.row}`;
  if (entry.kind === 'module') return `module ${entry.node.path}`;
  return `fold ${entry.nodes[0]?.path ?? ''} ${entry.nodes.at(-1)?.path ?? ''}`;
}
