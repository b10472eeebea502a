import { moduleForms } from './moduleForms.js';
import type { ModuleTree } from './moduleTree.js';
import { Sequence } from './sequence.js';
import { SequenceNumbers } from './sequenceNumbers.js';
import type { TensorTable } from './tensorTable.js';

/** Where the label is in the name of a module: after `from` bytes of it, with a space in place of the byte at `gap`. */
export interface LabelPlace {
  from: number;
  gap?: number;
}

/** What is listed below a module. */
export type ModuleEntry = { place: LabelPlace } & (
  | { kind: 'tensor'; node: number; row: number }
  | { kind: 'module'; node: number }
  /** Numbered modules that are equal in names, dtypes and shapes, by their numbers. */
  | { kind: 'fold'; nodes: readonly number[] }
);

/** More sets than these stay below a module of their own. */
const hoistedEntries = 8;

/** More ranges than these are not named each. */
const namedRanges = 4;

/** The number in a name and what is around it: `layers_11` and `11`. */
const numbered = /^(.*?)(\d{1,15})(\D*)$/s;

/** What is listed below each module, found when it is asked for: modules that repeat are one entry. */
export class ModuleEntries {
  private readonly forms: Uint32Array;
  private readonly segments: NumberedSegments;
  private readonly entries = new Map<number, readonly ModuleEntry[]>();

  constructor(
    table: TensorTable,
    private readonly tree: ModuleTree,
  ) {
    this.forms = moduleForms(table, tree);
    this.segments = new NumberedSegments(tree.segments);
  }

  /** What is listed below a module: tensors, modules, and sets of equal ones in place of each. */
  below(node: number): readonly ModuleEntry[] {
    const known = this.entries.get(node);
    if (known !== undefined) return known;
    const { tree } = this;
    const length = tree.pathLengthOf(node);
    const own = tree
      .rowsOf(node)
      .map((row): ModuleEntry => ({ kind: 'tensor', place: { from: this.lastPartOf(node) }, node, row }));
    const from = node === tree.root ? 0 : length + 1;
    const children = this.folded(node).flatMap((nodes) => this.shortened(nodes, from));
    const entries = own.length === 0 ? children : [...own, ...children];
    this.entries.set(node, entries);
    return entries;
  }

  /** Each of a fold: a module, or the tensor that it is. */
  each({ nodes, place }: ModuleEntry & { kind: 'fold' }): ModuleEntry[] {
    return nodes.map((node) => this.one(node, place));
  }

  labelOf(entry: ModuleEntry): string {
    if (entry.kind === 'fold') return this.rangesOf(entry.nodes, (node) => this.labelAt(node, entry.place));
    return this.labelAt(entry.node, entry.place);
  }

  /** The whole name; of a fold those of all. */
  nameOf(entry: ModuleEntry): string {
    const { tree } = this;
    if (entry.kind !== 'fold') return tree.textOf(entry.node);
    const { nodes } = entry;
    const [first, last] = [nodes[0] ?? tree.root, nodes.at(-1) ?? tree.root];
    const isRange = this.rangeEnds(nodes).length === 1;
    return isRange ? `${tree.textOf(first)} to ${tree.textOf(last)}` : this.rangesOf(nodes, (node) => tree.textOf(node));
  }

  private labelAt(node: number, { from, gap }: LabelPlace): string {
    const { tree } = this;
    return gap === undefined ? tree.textOf(node, from) : `${tree.textOf(node, from, gap)} ${tree.textOf(node, gap + 1)}`;
  }

  private lastPartOf(node: number): number {
    return node === this.tree.root ? 0 : this.tree.pathLengthOf(node) - this.tree.segments.lengthOf(this.tree.segmentOf(node));
  }

  /** `0-31`, `layers_0, 2, 4-7, … 46`: all but the first without what they begin with alike, up to the number. */
  private rangesOf(nodes: readonly number[], textOf: (node: number) => string): string {
    const first = textOf(nodes[0] ?? this.tree.root);
    const stem = numbered.exec(first)?.[1] ?? '';
    const text = (at: number): string => (at === 0 ? first : textOf(nodes[at] ?? this.tree.root).slice(stem.length));
    const ends = this.rangeEnds(nodes);
    const ranges = ends.slice(0, namedRanges).map((end, index) => {
      const start = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1;
      return start === end ? text(start) : `${text(start)}-${text(end)}`;
    });
    return `${ranges.join(', ')}${ends.length > namedRanges ? `, … ${text(nodes.length - 1)}` : ''}`;
  }

  /** Places among the modules of a fold after which the next number is not there. */
  private rangeEnds(nodes: readonly number[]): number[] {
    const ends: number[] = [];
    nodes.forEach((node, at) => {
      const next = nodes[at + 1];
      if (next === undefined || this.numberOf(next) !== this.numberOf(node) + 1) ends.push(at);
    });
    return ends;
  }

  private numberOf(node: number): number {
    return this.segments.numberOf(this.tree.segmentOf(node));
  }

  /** The children of a module, equal ones whose names differ in a number alone together. In the order of the first of each name. */
  private folded(node: number): number[][] {
    const { tree, segments } = this;
    const groups = new Map<number, number[]>();
    for (const child of tree.childrenOf(node)) {
      const stem = segments.stemOf(tree.segmentOf(child));
      const group = groups.get(stem);
      if (group === undefined) groups.set(stem, [child]);
      else group.push(child);
    }
    return [...groups.values()].flatMap((group) => this.setsOf(group));
  }

  /**
   * Sets of equal modules, by their numbers: those that follow each other, and those that come back after others, as in a model of which each
   * second layer is a mixture of experts. Where numbers are left out and nothing else is between, a new set begins.
   */
  private setsOf(group: number[]): number[][] {
    if (group.length === 1) return [group];
    const sets: number[][] = [];
    const setOfForm = new Map<number, number[]>();
    let before: { form: number; number: number } | undefined;
    for (const node of group.sort((a, b) => this.numberOf(a) - this.numberOf(b))) {
      const [form, number] = [this.forms[node] as number, this.numberOf(node)];
      const set = setOfForm.get(form);
      if (set === undefined || (before?.form === form && number !== before.number + 1)) {
        setOfForm.set(form, [node]);
        sets.push(setOfForm.get(form) ?? []);
      } else set.push(node);
      before = { form, number };
    }
    return sets;
  }

  /** A module that has but one thing is that thing; one of a few sets of numbers is these sets. */
  private shortened(nodes: readonly number[], from: number): ModuleEntry[] {
    const { tree } = this;
    const [first = tree.root] = nodes;
    if (nodes.length > 1) return [{ kind: 'fold', place: { from }, nodes }];
    let node = first;
    for (let part = this.onlyPartOf(node); part !== undefined; part = this.onlyPartOf(part)) node = part;
    if (tree.firstChildOf(node) === -1) return tree.rowsOf(node).map((row) => ({ kind: 'tensor', place: { from }, node, row }));
    const below = this.isCounted(node) ? this.folded(node) : [];
    if (below.length === 0 || below.length > hoistedEntries) return [{ kind: 'module', place: { from }, node }];
    const place = { from, gap: tree.pathLengthOf(node) };
    return below.map((set) =>
      set.length > 1 ? { kind: 'fold', place, nodes: set } : { kind: 'module', place, node: set[0] ?? node },
    );
  }

  /** The child that is all of it. */
  private onlyPartOf(node: number): number | undefined {
    const child = this.tree.firstChildOf(node);
    const isAll = child !== -1 && this.tree.nextSiblingOf(child) === -1 && this.tree.firstOwnOf(node) === -1;
    return isAll ? child : undefined;
  }

  private one(node: number, place: LabelPlace): ModuleEntry {
    const [row, ...others] = this.tree.rowsOf(node);
    return row === undefined || others.length > 0 || this.tree.firstChildOf(node) !== -1
      ? { kind: 'module', place, node }
      : { kind: 'tensor', place, node, row };
  }

  /** Whether it has nothing but modules that are called by numbers. */
  private isCounted(node: number): boolean {
    const { tree } = this;
    return tree.firstOwnOf(node) === -1 && tree.childrenOf(node).every((child) => this.segments.isNumber(tree.segmentOf(child)));
  }
}

const [zero, nine] = [0x30, 0x39];
/** Digits of a number that is exact. */
const mostDigits = 15;
/** In a stem, where the number was: no byte. */
const aNumber = 256;
/** Before a name without a number, which is a stem by itself. */
const noNumber = 257;

/** The number in each segment, the last one, and what is around it. Found for a segment once, when it is asked for. */
class NumberedSegments {
  private readonly stems = new SequenceNumbers();
  private readonly stem = new Sequence();
  private readonly onlyNumber = this.stems.numberOf([aNumber]);
  /** Number of the stem + 1. */
  private readonly known: Uint32Array;
  private readonly numbers: Float64Array;

  constructor(private readonly segments: SequenceNumbers) {
    this.known = new Uint32Array(segments.size);
    this.numbers = new Float64Array(segments.size);
  }

  /** Equal for segments that differ in their number alone. */
  stemOf(segment: number): number {
    if (this.known[segment] === 0) this.known[segment] = this.find(segment) + 1;
    return (this.known[segment] as number) - 1;
  }

  isNumber(segment: number): boolean {
    return this.stemOf(segment) === this.onlyNumber;
  }

  /** 0 without one. */
  numberOf(segment: number): number {
    this.stemOf(segment);
    return this.numbers[segment] as number;
  }

  private find(segment: number): number {
    const { segments, stem } = this;
    const length = segments.lengthOf(segment);
    let end = length;
    while (end > 0 && !isDigit(segments.at(segment, end - 1))) end -= 1;
    let start = end;
    while (start > 0 && end - start < mostDigits && isDigit(segments.at(segment, start - 1))) start -= 1;
    let number = 0;
    stem.clear();
    if (end === 0) stem.push(noNumber);
    for (let at = 0; at < length; at++) {
      const byte = segments.at(segment, at);
      if (at >= start && at < end) number = number * 10 + byte - zero;
      else stem.push(byte);
      if (at === end - 1) stem.push(aNumber);
    }
    this.numbers[segment] = number;
    return stem.numberIn(this.stems);
  }
}

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= nine;
}
