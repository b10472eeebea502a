import { grownColumn } from '../bytes/grownColumn.js';
import { limits } from '../bytes/limits.js';
import { decodeText } from '../bytes/text.js';
import { SequenceNumbers } from './sequenceNumbers.js';
import type { TensorLayers } from './tensorLayers.js';
import type { TensorTable } from './tensorTable.js';

/** What tensors below a module may have in common. */
const moduleFacts = ['dtype', 'group', 'file', 'layer'] as const;
export type ModuleFact = (typeof moduleFacts)[number];

const none = -1;
/** For a fact in which tensors below a module differ. */
const mixed = -2;

/**
 * The modules of some tensors: what tensors have in common whose names begin alike, up to a point or a slash. A module is a number and a row of
 * columns, from 0, which has all tensors. No name is made into text before a line that has it is shown.
 */
export class ModuleTree {
  readonly root = 0;
  /** The last parts of names. */
  readonly segments = new SequenceNumbers();
  /** Of each module but the root, by its number - 1: its parent and its segment. So a parent's number is below those of its children. */
  private readonly places = new SequenceNumbers();
  /** The first tensor below it, and how many bytes of that one's name are the name of the module. */
  private firstRows = new Uint32Array(64);
  private pathLengths = new Uint32Array(64);

  private readonly firstChildren: Int32Array;
  private readonly nextSiblings: Int32Array;
  /** A module that is the whole name of tensors begins a chain of rows. */
  private readonly firstOwn: Int32Array;
  private readonly nextOwn: Int32Array;
  private readonly tensorCounts: Uint32Array;
  private readonly byteCounts: Float64Array;
  private readonly elementCounts: Float64Array;
  private readonly facts: Readonly<Record<ModuleFact, Int32Array>>;

  constructor(
    private readonly table: TensorTable,
    private readonly rows: Uint32Array,
    layers: TensorLayers,
  ) {
    const leaves = this.addNames();
    const { size } = this;
    const column = (): Int32Array => new Int32Array(size).fill(none);
    [this.firstChildren, this.nextSiblings, this.firstOwn] = [column(), column(), column()];
    [this.tensorCounts, this.byteCounts, this.elementCounts] = [
      new Uint32Array(size),
      new Float64Array(size),
      new Float64Array(size),
    ];
    this.facts = { dtype: column(), group: column(), file: column(), layer: column() };
    this.nextOwn = new Int32Array(table.size);
    this.addTensors(leaves, layers);
    this.addToParents();
  }

  /** How many modules there are. */
  get size(): number {
    return this.places.size + 1;
  }

  /** In the order of the files. */
  childrenOf(node: number): number[] {
    const children: number[] = [];
    for (let child = this.firstChildOf(node); child !== none; child = this.nextSiblingOf(child)) children.push(child);
    return children;
  }

  /** -1 without one. */
  firstChildOf(node: number): number {
    return this.firstChildren[node] as number;
  }

  /** -1 without one. */
  nextSiblingOf(node: number): number {
    return this.nextSiblings[node] as number;
  }

  /** Tensors that are called exactly so, in the order of the files. */
  rowsOf(node: number): number[] {
    const rows: number[] = [];
    for (let row = this.firstOwnOf(node); row !== none; row = this.nextOwnOf(row)) rows.push(row);
    return rows;
  }

  /** The first tensor that is called exactly so; -1 without one. */
  firstOwnOf(node: number): number {
    return this.firstOwn[node] as number;
  }

  /** The next tensor of the same name; -1 without one. */
  nextOwnOf(row: number): number {
    return this.nextOwn[row] as number;
  }

  /** The last part of its name; see `segments`. Not of the root. */
  segmentOf(node: number): number {
    return this.places.at(node - 1, 1);
  }

  /** How many bytes of the name of `firstRowOf` are the name of the module. */
  pathLengthOf(node: number): number {
    return this.pathLengths[node] as number;
  }

  /** The first tensor below it. */
  firstRowOf(node: number): number {
    return this.firstRows[node] as number;
  }

  /** Bytes of its name as text. */
  textOf(node: number, from = 0, to = this.pathLengthOf(node)): string {
    const start = this.table.nameStartOf(this.firstRowOf(node));
    return decodeText(this.table.nameBytes, start + from, start + to);
  }

  tensorsOf(node: number): number {
    return this.tensorCounts[node] as number;
  }

  bytesOf(node: number): number {
    return this.byteCounts[node] as number;
  }

  elementsOf(node: number): number {
    return this.elementCounts[node] as number;
  }

  /** Whether all tensors below all of these modules are equal in a fact. */
  isSame(nodes: readonly number[], fact: ModuleFact): boolean {
    const facts = this.facts[fact];
    const value = facts[nodes[0] ?? this.root];
    return value !== mixed && nodes.every((node) => facts[node] === value);
  }

  /** Makes the modules of all names, and returns that of each tensor. What a name shares with the one before it is not looked up again. */
  private addNames(): Uint32Array {
    const { table, rows } = this;
    const bytes = table.nameBytes;
    const path = new Uint32Array(limits.moduleDepth + 1);
    const ends = new Uint32Array(limits.moduleDepth + 1);
    const place = new Float64Array(2);
    let before = 0;
    let beforeEnd = 0;
    let depth = 0;
    this.firstRows[this.root] = rows[0] ?? 0;
    return rows.map((row) => {
      const [start, end] = [table.nameStartOf(row), table.nameEndOf(row)];
      const isFull = this.size >= limits.moduleNodes;
      const shared = isFull ? 0 : sharedBytes(bytes, before, beforeEnd, start, end);
      let level = 0;
      while (level < depth && (ends[level + 1] as number) < shared) level += 1;
      for (let at = level === 0 ? start : start + (ends[level] as number) + 1; ; at = start + (ends[level] as number) + 1) {
        const isLast = level + 1 === limits.moduleDepth || this.size >= limits.moduleNodes;
        const segmentEnd = isLast ? end : endOfSegment(bytes, at, end);
        [place[0], place[1]] = [path[level] as number, this.segments.numberOf(bytes, at, segmentEnd)];
        level += 1;
        path[level] = this.nodeAt(place, row, segmentEnd - start);
        ends[level] = segmentEnd - start;
        if (segmentEnd === end) break;
      }
      [before, beforeEnd, depth] = [start, end, level];
      return path[level] as number;
    });
  }

  private nodeAt(place: Float64Array, row: number, pathLength: number): number {
    const known = this.places.size;
    const node = this.places.numberOf(place) + 1;
    if (node <= known) return node;
    if (node === this.firstRows.length) {
      this.firstRows = grownColumn(this.firstRows, node + 1);
      this.pathLengths = grownColumn(this.pathLengths, node + 1);
    }
    this.firstRows[node] = row;
    this.pathLengths[node] = pathLength;
    return node;
  }

  /** Counts each tensor in its own module. From the last to the first, so that a chain begins with the first. */
  private addTensors(leaves: Uint32Array, layers: TensorLayers): void {
    const { table, rows } = this;
    for (let at = rows.length - 1; at >= 0; at--) {
      const [node, row] = [leaves[at] as number, rows[at] as number];
      this.nextOwn[row] = this.firstOwn[node] as number;
      this.firstOwn[node] = row;
      const piece = table.firstPieceOf(row);
      this.count(node, 1, table.bytesOf(row), table.elementsOf(row));
      this.merge(node, 'dtype', table.dtypeNumberOf(row));
      this.merge(node, 'group', table.groupOf(row));
      this.merge(node, 'file', piece < table.endPieceOf(row) ? table.pieceFile(piece) + 1 : 0);
      this.merge(node, 'layer', layers.numberOf(row));
    }
  }

  /** Adds up each module in its parent, of whose children it becomes the first. From the last to the first, so that its own are there before. */
  private addToParents(): void {
    for (let node = this.size - 1; node > this.root; node--) {
      const parent = this.places.at(node - 1, 0);
      this.nextSiblings[node] = this.firstChildren[parent] as number;
      this.firstChildren[parent] = node;
      this.count(parent, this.tensorsOf(node), this.bytesOf(node), this.elementsOf(node));
      for (const fact of moduleFacts) this.merge(parent, fact, this.facts[fact][node] as number);
    }
  }

  private count(node: number, tensors: number, bytes: number, elements: number): void {
    this.tensorCounts[node] = this.tensorsOf(node) + tensors;
    this.byteCounts[node] = this.bytesOf(node) + bytes;
    this.elementCounts[node] = this.elementsOf(node) + elements;
  }

  private merge(node: number, fact: ModuleFact, value: number): void {
    const values = this.facts[fact];
    const before = values[node] as number;
    if (before !== value) values[node] = before === none ? value : mixed;
  }
}

/** How many bytes two names begin with alike. */
function sharedBytes(bytes: Uint8Array, start: number, end: number, otherStart: number, otherEnd: number): number {
  const most = Math.min(end - start, otherEnd - otherStart);
  let shared = 0;
  while (shared < most && bytes[start + shared] === bytes[otherStart + shared]) shared += 1;
  return shared;
}

/** At the next point or slash, or at the end of the name. */
function endOfSegment(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== 0x2e && bytes[at] !== 0x2f) at += 1;
  return at;
}
