/**
 * A symbolic pickle machine: it runs the opcodes of protocols 0 to 5 on values that are only data. A GLOBAL is a name, a REDUCE is
 * a node that holds the name and the arguments. There is no path from a name in the file to a function.
 *
 * Opcode semantics follow CPython's Lib/pickle.py and Lib/pickletools.py. Every length is checked against the bytes that are
 * there; the machine neither recurses nor copies, so that time and memory are linear in the bytes read.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { FlatState } from './flatState.js';
import { memoUseOf, type MemoUse } from './memoUse.js';
import { opcode } from './opcodes.js';
import { PickleMemo } from './pickleMemo.js';
import { PickleReader } from './pickleReader.js';
import {
  PickleBuffer,
  PickleCall,
  PickleDict,
  PickleGlobal,
  PickleList,
  PicklePersistent,
  PickleSet,
  PickleTuple,
  type PickleValue,
} from './pickleValue.js';

export interface PickleResult {
  root: PickleValue;
  /** Offset behind STOP. */
  end: number;
  /** All persistent ids, also those in values that nobody looks into. */
  persistents: PicklePersistent[];
}

const emptyTuple = new PickleTuple([]);

export interface PickleOptions {
  /**
   * Called for what a global would be called with, and for the state that its object gets. What it answers stands in place of the
   * node, so that a file with millions of equal nodes can be kept as columns. Undefined keeps the node.
   */
  collect?(global: PickleGlobal, value: PickleValue): PickleValue | undefined;
  /** As `collect`, for the states of objects whose class has one of these names, where they could be read in one go. */
  collectFlat?: { names: ReadonlySet<string>; collect(global: PickleGlobal, state: FlatState): PickleValue | undefined };
  /** How many bytes that are no opcodes lie behind an object that BUILD has completed, at an offset in the pickle. */
  bytesBehind?(object: PickleCall, offset: number): number;
  /** Whether to look through the pickle first for memo entries that need not be kept; by default where it is large. */
  forget?: boolean;
}

/** From this size on a pickle is looked through for memo entries that need not be kept. */
const FORGETTING_BYTES = 8 * 1024 * 1024;

/**
 * Runs one pickle that starts at `start`.
 * @throws FormatError `truncated` when the bytes end before STOP, `corrupt` for what no pickler writes, `limit-exceeded` where its values would
 *   take more memory than `limits.pickleValueBytes` and some times what was read; offsets count in `bytes`
 */
export function runPickle(bytes: Uint8Array, start = 0, options: PickleOptions = {}): PickleResult {
  const forget = options.forget ?? bytes.length - start >= FORGETTING_BYTES;
  const memoUse = forget ? memoUseOf(bytes, start) : undefined;
  return new PickleMachine(bytes, start, options, memoUse).run();
}

class PickleMachine {
  private readonly input: PickleReader;
  private stack: PickleValue[] = [];
  /** Heights of the stack at each open MARK. */
  private readonly marks: number[] = [];
  private readonly memo: PickleMemo;
  private readonly flat: FlatState | undefined;
  private readonly globals = new Map<string, PickleGlobal>();
  private readonly persistents: PicklePersistent[] = [];
  /** About how much memory the values take that were made, less those that `collect` has replaced. */
  private bytesMade = 0;
  /** `bytesMade` at position 0 may be this much. */
  private readonly freeBytes: number;
  /** `bytesMade` where the last object was begun. */
  private bytesBefore = 0;

  constructor(
    bytes: Uint8Array,
    start: number,
    private readonly options: PickleOptions,
    memoUse: MemoUse | undefined,
  ) {
    this.memo = new PickleMemo(memoUse);
    // Without knowing what is never fetched every entry would have to be made.
    this.flat = memoUse === undefined || options.collectFlat === undefined ? undefined : new FlatState(bytes, this.memo);
    this.input = new PickleReader(bytes, start);
    this.freeBytes = limits.pickleValueBytes - PLAIN_BYTES * start;
  }

  run(): PickleResult {
    for (;;) {
      const at = this.input.position;
      const code = this.input.opcode();
      if (code === undefined) throw new FormatError('truncated', 'the pickle ends before its STOP', { offset: at });
      if (code === opcode.STOP) return { root: this.pop(), end: this.input.position, persistents: this.persistents };
      this.step(code, at);
    }
  }

  /**
   * The opcodes that make up nearly all of any checkpoint. They are a function of their own because an engine puts what a function
   * calls into it only as long as it stays small.
   */
  private step(code: opcode, at: number): void {
    switch (code) {
      case opcode.MEMOIZE:
        return this.put(this.memo.size);
      case opcode.BINGET:
        return this.get(this.input.uint8());
      case opcode.LONG_BINGET:
        return this.get(this.input.uint32());
      case opcode.BINPUT:
        return this.put(this.input.uint8());
      case opcode.LONG_BINPUT:
        return this.put(this.input.uint32());
      case opcode.SHORT_BINUNICODE:
        return this.push(this.input.text(this.input.uint8()));
      case opcode.BINUNICODE:
        return this.push(this.input.text(this.input.uint32()));
      case opcode.BININT1:
        return this.push(this.input.uint8());
      case opcode.BININT2:
        return this.push(this.input.uint16());
      case opcode.BININT:
        return this.push(this.input.int32());
      case opcode.MARK:
        this.marks.push(this.stack.length);
        return this.count(SLOT_BYTES);
      case opcode.EMPTY_TUPLE:
        return this.push(emptyTuple);
      case opcode.TUPLE1:
        return this.push(new PickleTuple([this.pop()]));
      case opcode.TUPLE2: {
        const second = this.pop();
        return this.push(new PickleTuple([this.pop(), second]));
      }
      case opcode.EMPTY_DICT:
        return this.push(new PickleDict());
      case opcode.SETITEMS:
        return this.setItemsAbove(this.popMark());
      case opcode.REDUCE:
        return this.call();
      case opcode.NEWOBJ:
        return this.newObject();
      case opcode.BUILD:
        return this.build();
      default:
        return this.stepRare(code, at);
    }
  }

  private stepRare(code: opcode, at: number): void {
    switch (code) {
      case opcode.BINUNICODE8:
        return this.push(this.input.text(this.input.length64()));
      case opcode.PUT:
        return this.put(this.input.memoKey());
      case opcode.GET:
        return this.get(this.input.memoKey());
      case opcode.LONG1:
        return this.push(this.input.integer(this.input.uint8()));
      case opcode.LONG4:
        return this.push(this.input.integer(this.input.signedLength()));
      case opcode.INT:
        return this.push(this.input.integerLine(true));
      case opcode.LONG:
        return this.push(this.input.integerLine(false));
      case opcode.BINFLOAT:
        return this.push(this.input.float64());
      case opcode.FLOAT:
        return this.push(this.input.floatLine());
      case opcode.NONE:
        return this.push(null);
      case opcode.NEWTRUE:
        return this.push(true);
      case opcode.NEWFALSE:
        return this.push(false);
      case opcode.TUPLE:
        return this.push(new PickleTuple(this.popToMark()));
      case opcode.TUPLE3:
        return this.push(new PickleTuple(this.popMany(3)));
      case opcode.EMPTY_LIST:
        return this.push(new PickleList());
      case opcode.LIST:
        return this.makeList(this.popToMark());
      case opcode.APPEND:
        return this.append(this.popMany(1));
      case opcode.APPENDS:
        return this.append(this.popToMark());
      case opcode.DICT:
        return this.makeDict(this.popToMark());
      case opcode.SETITEM:
        return this.setItems(this.popMany(2));
      case opcode.EMPTY_SET:
        return this.push(new PickleSet([], false));
      case opcode.FROZENSET:
        return this.push(new PickleSet(this.popToMark(), true));
      case opcode.ADDITEMS:
        return this.append(this.popToMark());
      case opcode.GLOBAL:
        return this.push(this.global(this.input.line(), this.input.line()));
      case opcode.STACK_GLOBAL:
        return this.stackGlobal();
      case opcode.EXT1:
        return this.push(this.extension(this.input.uint8()));
      case opcode.EXT2:
        return this.push(this.extension(this.input.uint16()));
      case opcode.EXT4:
        return this.push(this.extension(this.input.uint32()));
      case opcode.NEWOBJ_EX:
        return this.callWithKeywords();
      case opcode.OBJ:
        return this.object(this.popToMark());
      case opcode.INST:
        return this.instance();
      case opcode.BINPERSID:
        return this.persistent(this.pop());
      case opcode.PERSID:
        return this.persistent(this.input.line());
      case opcode.BINBYTES:
        return this.push(this.input.raw(this.input.uint32(), false));
      case opcode.SHORT_BINBYTES:
        return this.push(this.input.raw(this.input.uint8(), false));
      case opcode.BINBYTES8:
        return this.push(this.input.raw(this.input.length64(), false));
      case opcode.BYTEARRAY8:
        return this.push(this.input.raw(this.input.length64(), true));
      case opcode.NEXT_BUFFER:
        return this.push(new PickleBuffer());
      case opcode.READONLY_BUFFER:
        this.top();
        return;
      case opcode.STRING:
        return this.push(this.input.quotedLine());
      case opcode.BINSTRING:
        return this.push(this.input.latin1(this.input.signedLength()));
      case opcode.SHORT_BINSTRING:
        return this.push(this.input.latin1(this.input.uint8()));
      case opcode.UNICODE:
        return this.push(this.input.unicodeLine());
      case opcode.DUP:
        return this.push(this.top());
      case opcode.POP:
        return this.popOne();
      case opcode.POP_MARK:
        this.popToMark();
        return;
      case opcode.PROTO:
        this.input.uint8();
        return;
      // A frame only says how many bytes to fetch at once; a wrong length harms nobody here.
      case opcode.FRAME:
        this.input.take(8);
        return;
      default:
        throw new FormatError('corrupt', `0x${code.toString(16)} is no pickle opcode`, { offset: at });
    }
  }

  // The stack

  private push(value: PickleValue): void {
    this.stack.push(value);
    this.count(sizeOf(value));
  }

  private count(bytes: number): void {
    this.bytesMade += bytes;
    // By what was read so far, so that values without content stop a file at its beginning.
    if (this.bytesMade > this.freeBytes + PLAIN_BYTES * this.input.position)
      throw new FormatError('limit-exceeded', 'its values would take too much memory', { offset: this.input.position });
  }

  private top(): PickleValue {
    if (this.stack.length <= this.floor()) throw this.input.corrupt('the stack is empty');
    return this.stack[this.stack.length - 1] as PickleValue;
  }

  private pop(): PickleValue {
    const value = this.top();
    this.stack.pop();
    return value;
  }

  /** POP takes a value, or a mark when nothing lies above it. */
  private popOne(): void {
    if (this.marks.length > 0 && this.stack.length === this.floor()) this.marks.pop();
    else this.pop();
  }

  private popMany(count: number): PickleValue[] {
    if (this.stack.length - count < this.floor()) throw this.input.corrupt('the stack is empty');
    return this.stack.splice(this.stack.length - count, count);
  }

  private popToMark(): PickleValue[] {
    return this.stack.splice(this.popMark());
  }

  private popMark(): number {
    const mark = this.marks.pop();
    if (mark === undefined) throw this.input.corrupt('there is no mark');
    return mark;
  }

  /** Values below the innermost mark are out of reach. */
  private floor(): number {
    return this.marks.length === 0 ? 0 : (this.marks[this.marks.length - 1] as number);
  }

  private put(key: number): void {
    this.count(SLOT_BYTES);
    this.memo.put(key, this.top());
  }

  private get(key: number): void {
    const shape = this.memo.shapeAt(key);
    const value = shape === 0 ? this.memo.get(key) : this.flat?.shapeFrom(shape);
    if (value === undefined) throw this.input.corrupt(`memo ${key} was never set`);
    this.push(value);
  }

  // Containers and nodes

  private makeList(items: PickleValue[]): void {
    const list = new PickleList();
    for (const item of items) list.items.push(item);
    this.push(list);
  }

  private makeDict(items: PickleValue[]): void {
    this.push(new PickleDict());
    this.setItems(items);
  }

  /** APPEND, APPENDS, ADDITEMS: onto whatever lies below. What is no collection is kept as it is, and the items are dropped. */
  private append(items: PickleValue[]): void {
    const target = this.top();
    const into =
      target instanceof PickleList || target instanceof PickleSet
        ? target.items
        : target instanceof PickleCall
          ? (target.items ??= [])
          : undefined;
    if (into === undefined) return;
    if (into.length === 0) this.count(FIRST_ITEMS_BYTES);
    for (const item of items) into.push(item);
  }

  private setItems(items: PickleValue[]): void {
    const start = this.stack.length;
    for (const item of items) this.stack.push(item);
    this.setItemsAbove(start);
  }

  /** Moves what lies on the stack from `start` on into the dict below. */
  private setItemsAbove(start: number): void {
    const { stack } = this;
    if ((stack.length - start) % 2 !== 0) throw this.input.corrupt('a key without a value');
    if (start <= this.floor()) throw this.input.corrupt('the stack is empty');
    const target = stack[start - 1];
    const into =
      target instanceof PickleDict ? target : target instanceof PickleCall ? (target.entries ??= new PickleDict()) : undefined;
    if (into !== undefined) addPairs(into, stack, start);
    while (stack.length > start) stack.pop();
  }

  private global(module: string, name: string): PickleGlobal {
    const fullName = `${module}.${name}`;
    const known = this.globals.get(fullName);
    if (known !== undefined) return known;
    const made = new PickleGlobal(module, name);
    this.count(GLOBAL_BYTES + 2 * (module.length + name.length));
    this.globals.set(fullName, made);
    return made;
  }

  private persistent(id: PickleValue): void {
    const made = new PicklePersistent(id);
    this.persistents.push(made);
    this.push(made);
  }

  private stackGlobal(): void {
    const [module, name] = this.popMany(2);
    // Names that are no text cannot be resolved by Python either; they are named in the import list as such.
    this.push(this.global(typeof module === 'string' ? module : '(no text)', typeof name === 'string' ? name : '(no text)'));
  }

  private extension(code: number): PickleGlobal {
    return this.global('copyreg', `extension ${code}`);
  }

  private call(): void {
    const args = this.pop();
    const callee = this.pop();
    const collected = callee instanceof PickleGlobal ? this.options.collect?.(callee, args) : undefined;
    // What follows may be the state of the object, which is replaced with it.
    this.bytesBefore = this.bytesMade;
    this.push(collected === undefined ? new PickleCall(callee, args) : collected);
  }

  private newObject(): void {
    const { flat, options, stack } = this;
    const callee = stack.length >= this.floor() + 2 ? stack[stack.length - 2] : undefined;
    if (
      flat === undefined ||
      !(callee instanceof PickleGlobal) ||
      options.collectFlat?.names.has(callee.name) !== true ||
      !flat.read(this.input.position)
    )
      return this.call();
    const collected = options.collectFlat.collect(callee, flat);
    if (collected === undefined) return this.call();
    flat.commit();
    this.input.position = flat.end;
    // The class and its empty arguments, which were looked at above.
    stack.pop();
    stack[stack.length - 1] = collected;
  }

  private callWithKeywords(): void {
    const [callee, args, keywords] = this.popMany(3);
    this.push(new PickleCall(callee as PickleValue, args as PickleValue, keywords));
  }

  private object(items: PickleValue[]): void {
    const [callee, ...args] = items;
    if (callee === undefined) throw this.input.corrupt('OBJ without a class');
    this.push(new PickleCall(callee, new PickleTuple(args)));
  }

  private instance(): void {
    const callee = this.global(this.input.line(), this.input.line());
    this.push(new PickleCall(callee, new PickleTuple(this.popToMark())));
  }

  private build(): void {
    const state = this.pop();
    const target = this.top();
    if (!(target instanceof PickleCall)) return;
    target.state = state;
    if (this.options.bytesBehind !== undefined) this.input.take(this.options.bytesBehind(target, this.input.position));
    if (this.options.collect === undefined || !(target.callee instanceof PickleGlobal)) return;
    const collected = this.options.collect(target.callee, state);
    if (collected === undefined) return;
    this.stack[this.stack.length - 1] = collected;
    this.bytesMade = Math.min(this.bytesMade, this.bytesBefore);
  }
}

/** An entry of an array that grows, and what the parts of a value take besides, in V8 on 64 bits. */
const SLOT_BYTES = 16;
const GLOBAL_BYTES = 160;
const OBJECT_BYTES = 64;
/** What an array takes for the first item that is pushed: room for 17. */
const FIRST_ITEMS_BYTES = 136;
const TEXT_BYTES = 24;
/** Values of usual saves take this many times their bytes. */
const PLAIN_BYTES = 3;

/** About how much memory a value takes with its place on the stack, which is later one in a container. */
function sizeOf(value: PickleValue): number {
  if (typeof value === 'string') return SLOT_BYTES + TEXT_BYTES + value.length;
  if (typeof value !== 'object' || value === null || value instanceof PickleGlobal) return SLOT_BYTES;
  return value instanceof PickleDict ? 3 * OBJECT_BYTES : SLOT_BYTES + OBJECT_BYTES;
}

/** Puts keys and values that lie alternately from `start` on into a dict. One that is filled at once gets lists of just that size. */
function addPairs(dict: PickleDict, items: readonly PickleValue[], start: number): void {
  const added = (items.length - start) / 2;
  const before = dict.keys.length;
  if (before === 0) {
    dict.keys = new Array<PickleValue>(added);
    dict.values = new Array<PickleValue>(added);
  }
  for (let pair = 0; pair < added; pair++) {
    dict.keys[before + pair] = items[start + 2 * pair] as PickleValue;
    dict.values[before + pair] = items[start + 2 * pair + 1] as PickleValue;
  }
}
