/**
 * A symbolic pickle machine: it runs the opcodes of protocols 0 to 5 on values that are only data. A GLOBAL is a name, a REDUCE is
 * a node that holds the name and the arguments. There is no path from a name in the file to a function.
 *
 * Opcode semantics follow CPython's Lib/pickle.py and Lib/pickletools.py. Every length is checked against the bytes that are
 * there; the machine neither recurses nor copies, so that time and memory are linear in the bytes read.
 */
import { FormatError } from '../../bytes/formatError.js';
import { opcode } from './opcodes.js';
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
  /** Full names of all globals, each once, in order of appearance. */
  globals: string[];
  /** All persistent ids, also those in values that nobody looks into. */
  persistents: PicklePersistent[];
}

const emptyTuple = new PickleTuple([]);

/**
 * Runs one pickle that starts at `start`.
 * @throws FormatError `truncated` when the bytes end before STOP, `corrupt` for what no pickler writes; offsets count in `bytes`
 */
export function runPickle(bytes: Uint8Array, start = 0): PickleResult {
  return new PickleMachine(bytes, start).run();
}

class PickleMachine {
  private readonly input: PickleReader;
  private stack: PickleValue[] = [];
  /** Heights of the stack at each open MARK. */
  private readonly marks: number[] = [];
  /** Memo keys that were set in order from 0, as picklers do; any others are in `sparseMemo`. */
  private readonly memo: PickleValue[] = [];
  private readonly sparseMemo = new Map<number, PickleValue>();
  private readonly globals = new Map<string, PickleGlobal>();
  private readonly persistents: PicklePersistent[] = [];

  constructor(bytes: Uint8Array, start: number) {
    this.input = new PickleReader(bytes, start);
  }

  run(): PickleResult {
    for (;;) {
      const at = this.input.position;
      const code = this.input.opcode();
      if (code === undefined) throw new FormatError('truncated', 'the pickle ends before its STOP', { offset: at });
      if (code === opcode.STOP)
        return { root: this.pop(), end: this.input.position, globals: [...this.globals.keys()], persistents: this.persistents };
      this.step(code, at);
    }
  }

  private step(code: number, at: number): void {
    switch (code) {
      // Strings and memo first: they are most of any checkpoint.
      case opcode.BINUNICODE:
        return this.push(this.input.text(this.input.uint32()));
      case opcode.SHORT_BINUNICODE:
        return this.push(this.input.text(this.input.uint8()));
      case opcode.BINUNICODE8:
        return this.push(this.input.text(this.input.length64()));
      case opcode.BINPUT:
        return this.put(this.input.uint8());
      case opcode.LONG_BINPUT:
        return this.put(this.input.uint32());
      case opcode.MEMOIZE:
        return this.put(this.memoSize());
      case opcode.PUT:
        return this.put(this.input.memoKey());
      case opcode.BINGET:
        return this.get(this.input.uint8());
      case opcode.LONG_BINGET:
        return this.get(this.input.uint32());
      case opcode.GET:
        return this.get(this.input.memoKey());
      case opcode.BININT:
        return this.push(this.input.int32());
      case opcode.BININT1:
        return this.push(this.input.uint8());
      case opcode.BININT2:
        return this.push(this.input.uint16());
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
      case opcode.MARK:
        this.marks.push(this.stack.length);
        return;
      case opcode.EMPTY_TUPLE:
        return this.push(emptyTuple);
      case opcode.TUPLE:
        return this.push(new PickleTuple(this.popToMark()));
      case opcode.TUPLE1:
        return this.push(new PickleTuple(this.popMany(1)));
      case opcode.TUPLE2:
        return this.push(new PickleTuple(this.popMany(2)));
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
      case opcode.EMPTY_DICT:
        return this.push(new PickleDict());
      case opcode.DICT:
        return this.makeDict(this.popToMark());
      case opcode.SETITEM:
        return this.setItems(this.popMany(2));
      case opcode.SETITEMS:
        return this.setItems(this.popToMark());
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
      case opcode.REDUCE:
        return this.call();
      case opcode.NEWOBJ:
        return this.call();
      case opcode.NEWOBJ_EX:
        return this.callWithKeywords();
      case opcode.OBJ:
        return this.object(this.popToMark());
      case opcode.INST:
        return this.instance();
      case opcode.BUILD:
        return this.build();
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
    const mark = this.marks.pop();
    if (mark === undefined) throw this.input.corrupt('there is no mark');
    return this.stack.splice(mark);
  }

  /** Values below the innermost mark are out of reach. */
  private floor(): number {
    return this.marks.length === 0 ? 0 : (this.marks[this.marks.length - 1] as number);
  }

  private put(key: number): void {
    if (key < this.memo.length) this.memo[key] = this.top();
    else if (key === this.memo.length) {
      this.memo.push(this.top());
      this.sparseMemo.delete(key);
    } else this.sparseMemo.set(key, this.top());
  }

  private get(key: number): void {
    const value = key < this.memo.length ? this.memo[key] : this.sparseMemo.get(key);
    if (value === undefined) throw this.input.corrupt(`memo ${key} was never set`);
    this.push(value);
  }

  /** CPython numbers MEMOIZE by how many keys there are. */
  private memoSize(): number {
    return this.memo.length + this.sparseMemo.size;
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
    for (const item of items) into.push(item);
  }

  private setItems(items: PickleValue[]): void {
    if (items.length % 2 !== 0) throw this.input.corrupt('a key without a value');
    const target = this.top();
    const into =
      target instanceof PickleDict ? target : target instanceof PickleCall ? (target.entries ??= new PickleDict()) : undefined;
    if (into === undefined) return;
    for (let index = 0; index < items.length; index += 2) {
      into.keys.push(items[index] as PickleValue);
      into.values.push(items[index + 1] as PickleValue);
    }
  }

  private global(module: string, name: string): PickleGlobal {
    const fullName = `${module}.${name}`;
    const known = this.globals.get(fullName);
    if (known !== undefined) return known;
    const made = new PickleGlobal(module, name);
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
    const [callee, args] = this.popMany(2);
    this.push(new PickleCall(callee as PickleValue, args as PickleValue));
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
    if (target instanceof PickleCall) target.state = state;
  }
}
