/**
 * What the scan of a pickle's imports keeps of a value: far less than the value. A number from 0 on is a literal by the offset of its opcode;
 * `unknown` is anything that the scan does not follow.
 */
import { globalKind, type GlobalKind } from './globalKind.js';

export type Scanned = number | ScannedName | ScannedResult | ScannedGroup | ScannedCall;

/** A value that is not followed: a container without anything of interest in it, or one whose making was lost. */
export const unknown = -1;

/** A global by its name. Each is there once. */
export class ScannedName {
  readonly fullName: string;
  private made: ScannedResult | undefined;
  /** Set by an unexpected call. */
  isCalled = false;

  constructor(
    readonly module: string,
    readonly name: string,
    readonly kind: GlobalKind = globalKind(module, name),
  ) {
    this.fullName = `${module}.${name}`;
  }

  /** What an expected call of it makes. */
  get result(): ScannedResult {
    this.made ??= new ScannedResult(this);
    return this.made;
  }
}

/** What an expected call made; its arguments are not kept. */
export class ScannedResult {
  constructor(readonly of: ScannedName) {}
}

/** A tuple, a list, a set or a dict with its first items. */
export class ScannedGroup {
  items: Scanned[] = [];
  /** Items that are not kept. */
  more = 0;
  /** How many values hang on it, itself included. */
  weight = 1;
  /** True where anything in it, at any depth, must not be called. */
  isTainted = false;
  /** True for a dict with a key such as `__setstate__`, which changes what later opcodes call. */
  hasMethodKey = false;
  /** True where a text is in it, at any depth, or what may be one: see textArguments.ts. */
  hasText = false;

  constructor(readonly brackets: '()' | '[]' | '{}') {}

  add(item: Scanned): void {
    if (isTainted(item)) this.isTainted = true;
    if (this.items.length >= MAX_ITEMS) {
      this.more += 1;
      return;
    }
    const weight = weightOf(item);
    const fits = this.weight + weight <= MAX_WEIGHT;
    this.items.push(fits ? item : unknown);
    this.weight += fits ? weight : 1;
  }

  /** A list that grew by `push` has room for 17 items: a copy takes as many as there are. A scan holds 100,000 groups. */
  trim(): void {
    if (this.items.length < MAX_ITEMS) this.items = this.items.slice();
  }
}

/** A call that is kept with its arguments: one that is unexpected, or whose result matters. */
export class ScannedCall {
  readonly weight: number;
  /** What is called; `unknown` where it is itself the end of a long chain of calls. */
  readonly callee: Scanned;

  constructor(
    callee: Scanned,
    public args: Scanned,
    public isUnexpected: boolean,
  ) {
    this.callee = weightOf(callee) <= MAX_WEIGHT ? callee : unknown;
    this.weight = 1 + weightOf(this.callee) + weightOf(args);
  }
}

const MAX_ITEMS = 16;
/** Enough for the text of any call; a chain of values costs no more than this. */
const MAX_WEIGHT = 200;

function weightOf(value: Scanned): number {
  return value instanceof ScannedGroup || value instanceof ScannedCall ? value.weight : 1;
}

/** True for what must not be called, or holds such a thing. */
export function isTainted(value: Scanned): boolean {
  if (typeof value === 'number' || value instanceof ScannedResult) return false;
  if (value instanceof ScannedName) return value.kind === 'unexpected' || value.kind === 'special';
  return value instanceof ScannedGroup ? value.isTainted : value.isUnexpected;
}

/** What a misread value would not be by chance. */
export function isBeyondDoubt(callee: Scanned): boolean {
  if (callee instanceof ScannedCall) return callee.isUnexpected || isBeyondDoubt(callee.callee);
  return callee instanceof ScannedName && callee.kind === 'unexpected';
}
