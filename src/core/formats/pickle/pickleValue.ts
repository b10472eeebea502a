/**
 * What the symbolic pickle machine makes of a pickle: data and inert nodes. Nothing here can be called, and no name in a
 * file is ever resolved to a function.
 */

/** `module.name` as text. Two names are the same global when the texts are. */
export class PickleGlobal {
  readonly fullName: string;

  constructor(
    readonly module: string,
    readonly name: string,
  ) {
    this.fullName = `${module}.${name}`;
  }
}

export class PickleList {
  readonly items: PickleValue[] = [];
}

export class PickleTuple {
  constructor(readonly items: readonly PickleValue[]) {}
}

export class PickleSet {
  constructor(
    readonly items: PickleValue[],
    readonly frozen: boolean,
  ) {}
}

/** Keys may be any value, so entries are kept in order; a key that repeats stays twice, as the last one wins in Python. */
export class PickleDict {
  keys: PickleValue[] = [];
  values: PickleValue[] = [];
}

/** A Python float, kept apart from an int so that 1.0 does not become 1. */
export class PickleFloat {
  constructor(readonly value: number) {}
}

/** Bytes by their place in the pickle; not copied. */
export class PickleBytes {
  constructor(
    readonly bytes: Uint8Array,
    /** Offset in the pickle's own bytes. */
    readonly offset: number,
    readonly mutable: boolean,
  ) {}
}

/** An integer with more digits than are worth keeping. */
export class PickleHugeInteger {
  constructor(readonly byteLength: number) {}
}

/**
 * What REDUCE, NEWOBJ, OBJ or INST would have made: a callable's name with its arguments, and what was added to the result
 * afterwards by BUILD (state), APPENDS (items) and SETITEMS (entries).
 */
export class PickleCall {
  state: PickleValue | undefined = undefined;
  items: PickleValue[] | undefined = undefined;
  entries: PickleDict | undefined = undefined;

  constructor(
    readonly callee: PickleValue,
    readonly args: PickleValue,
    readonly keywords?: PickleValue,
  ) {}
}

/** A persistent id: in torch files a reference to a storage. */
export class PicklePersistent {
  constructor(readonly id: PickleValue) {}
}

/** An out-of-band buffer (protocol 5), which lies outside of the pickle. */
export class PickleBuffer {}

export type PickleValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | PickleFloat
  | PickleHugeInteger
  | PickleBytes
  | PickleBuffer
  | PickleList
  | PickleTuple
  | PickleSet
  | PickleDict
  | PickleGlobal
  | PickleCall
  | PicklePersistent;

/** The global's full name when the value is one. */
export function globalName(value: PickleValue | undefined): string | undefined {
  return value instanceof PickleGlobal ? value.fullName : undefined;
}

/** The full name of what a call would have called. */
export function calleeName(value: PickleValue | undefined): string | undefined {
  return value instanceof PickleCall ? globalName(value.callee) : undefined;
}
