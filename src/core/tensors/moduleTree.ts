import { limits } from '../bytes/limits.js';
import type { TensorTable } from './tensorTable.js';

/** A module: what tensors have in common whose names begin alike, up to a point or a slash. */
export interface ModuleNode {
  /** The whole name up to here. */
  path: string;
  /** Its last part. */
  segment: string;
  /** In the order of the files. */
  children: ReadonlyMap<string, ModuleNode>;
  /** Tensors that are called exactly so. */
  rows: readonly number[];
  tensors: number;
  bytes: number;
  elements: number;
  /** The first tensor below it; what all of them have in common is read of it. */
  firstRow: number;
  /** Of the tensors below it: whether they differ. */
  differs: { dtype: boolean; component: boolean; file: boolean; layer: boolean };
}

/** What is listed below a module. */
export type ModuleEntry =
  | { kind: 'tensor'; label: string; row: number }
  | { kind: 'module'; label: string; node: ModuleNode }
  /** Numbered modules that follow each other and are equal in names, dtypes and shapes. */
  | { kind: 'fold'; label: string; nodes: readonly ModuleNode[]; labelOf(node: ModuleNode): string };

/** More ranges than these stay below a module of their own. */
const hoistedEntries = 8;

/** Of most nodes: a map and a list for each of a million would take hundreds of megabytes. */
const noChildren: ReadonlyMap<string, ModuleNode> = new Map();
const noRows: readonly number[] = [];

/** The number in a name and what is around it: `layers_11` and `11`. */
const numbered = /^(.*?)(\d{1,15})(\D*)$/s;

/** The modules of some tensors, and which of them repeat. */
export class ModuleTree {
  readonly root: ModuleNode;
  private nodes = 0;
  /** Equal subtrees have equal numbers. */
  private readonly forms = new Map<string, number>();
  private readonly formOfNode = new Map<ModuleNode, number>();

  constructor(
    private readonly table: TensorTable,
    rows: Iterable<number>,
    private readonly layerOf: (row: number) => string,
  ) {
    this.root = this.createNode('', '', 0);
    for (const row of rows) this.add(row);
  }

  /** What is listed below a module: tensors, modules, and ranges of equal ones in place of each. */
  entriesOf(node: ModuleNode): ModuleEntry[] {
    const own = node.rows.length === 0 ? [] : node.rows.map((row): ModuleEntry => ({ kind: 'tensor', label: node.segment, row }));
    return [...own, ...this.foldedChildren(node).flatMap((entry) => this.shortened(entry, node))];
  }

  private add(row: number): void {
    let node = this.root;
    this.count(node, row);
    const name = this.table.nameOf(row);
    let start = 0;
    for (let depth = 0; depth < limits.moduleDepth; depth++) {
      const end = depth + 1 === limits.moduleDepth || this.nodes >= limits.moduleNodes ? name.length : segmentEnd(name, start);
      const segment = name.slice(start, end);
      let child = node.children.get(segment);
      if (child === undefined) {
        child = this.createNode(name.slice(0, end), segment, row);
        if (node.children === noChildren) node.children = new Map();
        (node.children as Map<string, ModuleNode>).set(segment, child);
      }
      node = child;
      this.count(node, row);
      if (end === name.length) break;
      start = end + 1;
    }
    if (node.rows === noRows) node.rows = [row];
    else (node.rows as number[]).push(row);
  }

  private createNode(path: string, segment: string, firstRow: number): ModuleNode {
    this.nodes += 1;
    const differs = { dtype: false, component: false, file: false, layer: false };
    return { path, segment, children: noChildren, rows: noRows, tensors: 0, bytes: 0, elements: 0, firstRow, differs };
  }

  private count(node: ModuleNode, row: number): void {
    const { table } = this;
    const { firstRow, differs } = node;
    node.tensors += 1;
    node.bytes += table.bytesOf(row);
    node.elements += table.elementsOf(row);
    differs.dtype ||= table.dtypeNumberOf(row) !== table.dtypeNumberOf(firstRow);
    differs.component ||= table.groupOf(row) !== table.groupOf(firstRow);
    differs.file ||= table.pieceFile(table.firstPieceOf(row)) !== table.pieceFile(table.firstPieceOf(firstRow));
    differs.layer ||= this.layerOf(row) !== this.layerOf(firstRow);
  }

  /** The children of a module, equal ones that follow each other by their numbers as one. */
  private foldedChildren({ path, children }: ModuleNode): (ModuleEntry & { kind: 'module' | 'fold' })[] {
    const label = ({ path: own }: ModuleNode): string => own.slice(path === '' ? 0 : path.length + 1);
    return Array.from(numberedGroups(children.values())).flatMap((group) =>
      this.runsOf(group).map((nodes) => {
        const [first, last] = [nodes[0], nodes.at(-1)];
        if (first === undefined || last === undefined || nodes.length === 1)
          return { kind: 'module' as const, label: first === undefined ? '' : label(first), node: first ?? this.root };
        return { kind: 'fold' as const, label: rangeLabel(label(first), label(last)), nodes, labelOf: label };
      }),
    );
  }

  /** Runs of consecutive numbers with equal subtrees, in order. */
  private runsOf(group: readonly NumberedNode[]): ModuleNode[][] {
    const runs: ModuleNode[][] = [];
    let before: NumberedNode | undefined;
    for (const one of group) {
      const follows = before?.number !== undefined && one.number === before.number + 1;
      if (follows && before !== undefined && this.formOf(before.node) === this.formOf(one.node)) runs.at(-1)?.push(one.node);
      else runs.push([one.node]);
      before = one;
    }
    return runs;
  }

  /** A module that has but one thing is that thing; one of a few ranges of numbers is these ranges. */
  private shortened(entry: ModuleEntry & { kind: 'module' | 'fold' }, parent: ModuleNode): ModuleEntry[] {
    if (entry.kind === 'fold') return [entry];
    let { node } = entry;
    const from = parent.path === '' && parent === this.root ? 0 : parent.path.length + 1;
    while (node.rows.length === 0 && node.children.size === 1) node = node.children.values().next().value as ModuleNode;
    const label = node.path.slice(from);
    if (node.children.size === 0) return node.rows.map((row) => ({ kind: 'tensor', label, row }));
    const isCounted = node.rows.length === 0 && Array.from(node.children.keys()).every((segment) => /^\d{1,15}$/.test(segment));
    const below = isCounted ? this.foldedChildren(node) : [];
    if (!isCounted || below.length > hoistedEntries) return [{ kind: 'module', label, node }];
    const labelOf = ({ path }: ModuleNode): string => `${label} ${path.slice(node.path.length + 1)}`;
    return below.map((one) =>
      one.kind === 'fold' ? { ...one, label: `${label} ${one.label}`, labelOf } : { ...one, label: labelOf(one.node) },
    );
  }

  /** A number that equal subtrees share. Nodes are at most `limits.moduleDepth` deep. */
  private formOf(node: ModuleNode): number {
    const known = this.formOfNode.get(node);
    if (known !== undefined) return known;
    const own =
      node.rows.length === 0 ? [] : node.rows.map((row) => `${this.table.dtypeNumberOf(row)}[${this.table.shapeOf(row).join()}]`);
    const below = Array.from(node.children.values(), (child) => `${child.segment.length}:${child.segment}=${this.formOf(child)}`);
    const key = `${own.length > 1 ? own.sort().join() : (own[0] ?? '')};${below.length > 1 ? below.sort().join() : (below[0] ?? '')}`;
    const form = this.forms.get(key) ?? this.forms.size;
    this.forms.set(key, form);
    this.formOfNode.set(node, form);
    return form;
  }
}

interface NumberedNode {
  node: ModuleNode;
  /** Undefined for a name without one. */
  number: number | undefined;
}

/** Modules whose names differ in a number alone, by it; others by themselves. In the order of the first of each. */
function numberedGroups(nodes: Iterable<ModuleNode>): Iterable<NumberedNode[]> {
  const groups = new Map<string, NumberedNode[]>();
  for (const node of nodes) {
    const match = numbered.exec(node.segment);
    const [, stem = '', digits, end = ''] = match ?? [];
    const key = digits === undefined ? `=${node.segment}` : `#${stem.length}:${stem}${end}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push({ node, number: digits === undefined ? undefined : Number(digits) });
  }
  for (const group of groups.values()) group.sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  return groups.values();
}

/** `0-31`, `layers_0-31`: the second end without what both begin with, up to the number. */
function rangeLabel(first: string, last: string): string {
  const stem = numbered.exec(first)?.[1] ?? '';
  return `${first}-${last.slice(stem.length)}`;
}

function segmentEnd(name: string, start: number): number {
  for (let at = start; at < name.length; at++) {
    if (name[at] === '.' || name[at] === '/') return at;
  }
  return name.length;
}
