/**
 * A fast scan of pickles that are plain: they run to their end, and call what usual saves call, with values that cannot change what is
 * called. Nearly all are, and the full scan (pickleScan.ts) takes several times as long. Whatever may differ there ends this one.
 *
 * A value is a number: the offset of a literal, or one of the constants below. Names are kept from `NAME` downwards.
 */
import { limits } from '../../../bytes/limits.js';
import { decodeText } from '../../../bytes/text.js';
import { argumentBytes, LENGTH32, LENGTH64, LENGTH8, TWO_LINES } from '../argumentBytes.js';
import { opcode } from '../opcodes.js';
import { opensInNew, opensWhenCalled } from './actingClasses.js';
import { globalKind, type GlobalKind } from './globalKind.js';
import { isDunderAt, stringAt } from './literalText.js';
import { isPickledAt } from './nestedBytes.js';
import { evaluatesText } from './textArguments.js';

/** A container or an object that nothing of interest is in. */
const PLAIN = -1;
/** A tuple with one literal. */
const ONE_LITERAL = -2;
/** No value is there. */
const NONE = -3;
const NAME = -4;

const NEWLINE = 0x0a;
const MAX_NAME_BYTES = 1024;
/** Keys of a memo that are ahead of the number of its entries: picklers write none. */
const MAX_AHEAD = 65_536;

export interface PlainScan {
  /** Module and name of each global, once, in order of appearance. */
  names: (readonly [module: string, name: string])[];
  /** Offset behind the last STOP. */
  end: number;
  pickles: number;
  hasCalls: boolean;
}

/** @returns undefined where the pickles are not beyond doubt plain, and for more names than a report lists */
export function scanPlainPickles(bytes: Uint8Array, start: number, end: number, isSingle: boolean): PlainScan | undefined {
  return end > 0x7fffffff ? undefined : new PlainScanner(bytes, start, end).run(isSingle);
}

class PlainScanner {
  private readonly view: DataView;
  private stack = new Int32Array(256);
  private height = 0;
  private readonly marks: number[] = [];
  private memo = new Int32Array(1024).fill(NONE);
  private memoSize = 0;
  private readonly names: (readonly [module: string, name: string])[] = [];
  private readonly kinds: GlobalKind[] = [];
  private readonly codes = new Map<string, number>();
  private hasCalls = false;
  /** Set by whatever is not beyond doubt plain. */
  private isOther = false;

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
    private readonly end: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  run(isSingle: boolean): PlainScan | undefined {
    let pickles = 0;
    while (this.at < this.end) {
      if (!this.runOne()) return undefined;
      pickles += 1;
      if (isSingle) break;
    }
    return pickles === 0 ? undefined : { names: this.names, end: this.at, pickles, hasCalls: this.hasCalls };
  }

  /** One pickle to its STOP; false where it is not plain. */
  private runOne(): boolean {
    if (this.bytes[this.at] !== opcode.PROTO || (this.bytes[this.at + 1] ?? 0xff) > 5) return false;
    this.height = 0;
    this.marks.length = 0;
    this.memo.fill(NONE, 0, Math.min(this.memo.length, this.memoSize + MAX_AHEAD));
    this.memoSize = 0;
    while (this.at < this.end) {
      const start = this.at;
      const code = this.bytes[start] as opcode;
      const next = this.endOfOpcode(code, start + 1);
      if (next === -1 || next > this.end) return false;
      this.at = next;
      if (code === opcode.STOP) return this.height > this.floor();
      this.step(code, start);
      if (this.isOther) return false;
    }
    return false;
  }

  private endOfOpcode(code: opcode, at: number): number {
    const length = argumentBytes[code] as number;
    if (length >= 0) return at + length;
    if (length === LENGTH8) return at < this.end ? at + 1 + (this.bytes[at] as number) : -1;
    if (length === LENGTH32) {
      if (at + 4 > this.end) return -1;
      const bytes = this.view.getUint32(at, true);
      return bytes > 0x7fffffff ? -1 : at + 4 + bytes;
    }
    if (length === LENGTH64)
      return at + 8 > this.end || this.view.getUint32(at + 4, true) > 0 ? -1 : at + 8 + this.view.getUint32(at, true);
    if (length !== TWO_LINES || code !== opcode.GLOBAL) return -1;
    const middle = this.bytes.indexOf(NEWLINE, at);
    const last = middle === -1 ? -1 : this.bytes.indexOf(NEWLINE, middle + 1);
    return last === -1 || last - at > MAX_NAME_BYTES ? -1 : last + 1;
  }

  private step(code: opcode, start: number): void {
    switch (code) {
      case opcode.MEMOIZE:
        return this.put(this.memoSize);
      case opcode.BINPUT:
        return this.put(this.bytes[start + 1] as number);
      case opcode.LONG_BINPUT:
        return this.put(this.view.getUint32(start + 1, true));
      case opcode.BINGET:
        return this.get(this.bytes[start + 1] as number);
      case opcode.LONG_BINGET:
        return this.get(this.view.getUint32(start + 1, true));
      case opcode.MARK:
        this.marks.push(this.height);
        if (this.marks.length > limits.pickleScanStack) this.isOther = true;
        return;
      case opcode.TUPLE1:
        return this.push(this.pop() >= 0 ? ONE_LITERAL : PLAIN);
      case opcode.TUPLE2:
        return this.tuple(2);
      case opcode.TUPLE3:
        return this.tuple(3);
      case opcode.TUPLE:
        return this.markedTuple();
      case opcode.LIST:
      case opcode.FROZENSET:
        this.popToMark();
        return this.push(PLAIN);
      case opcode.DICT:
        this.checkKeys(this.popToMark());
        return this.push(PLAIN);
      case opcode.APPEND:
        this.pop();
        return this.checkTarget();
      case opcode.APPENDS:
      case opcode.ADDITEMS:
        this.popToMark();
        return this.checkTarget();
      case opcode.SETITEM:
        this.pop();
        this.checkKey(this.pop());
        return this.checkTarget();
      case opcode.SETITEMS:
        this.checkKeys(this.popToMark());
        return this.checkTarget();
      case opcode.BUILD:
        this.pop();
        return this.checkTarget();
      case opcode.REDUCE:
        return this.call(this.pop(), false);
      case opcode.NEWOBJ:
        return this.call(this.pop(), true);
      case opcode.BINPERSID:
        this.pop();
        return this.push(PLAIN);
      case opcode.GLOBAL: {
        const middle = this.bytes.indexOf(NEWLINE, start + 1);
        return this.push(this.nameOf(decodeText(this.bytes, start + 1, middle), decodeText(this.bytes, middle + 1, this.at - 1)));
      }
      case opcode.STACK_GLOBAL: {
        const name = this.textOf(this.pop());
        const module = this.textOf(this.pop());
        return this.push(module === undefined || name === undefined ? this.other() : this.nameOf(module, name));
      }
      case opcode.FRAME:
      case opcode.READONLY_BUFFER:
        return;
      case opcode.PROTO:
        // In the middle of a pickle.
        if (this.height > 0) this.isOther = true;
        return;
      case opcode.PUT:
      case opcode.GET:
      case opcode.INST:
      case opcode.OBJ:
      case opcode.NEWOBJ_EX:
      case opcode.EXT1:
      case opcode.EXT2:
      case opcode.EXT4:
      case opcode.DUP:
      case opcode.POP:
      case opcode.POP_MARK:
      case opcode.PERSID:
        this.isOther = true;
        return;
      default:
        // All others are literals.
        return this.push(isPickledAt(this.bytes, start) ? this.other() : start);
    }
  }

  /** Gives up. */
  private other(): number {
    this.isOther = true;
    return PLAIN;
  }

  // The stack

  private floor(): number {
    return this.marks.length === 0 ? 0 : (this.marks[this.marks.length - 1] as number);
  }

  private push(value: number): void {
    if (this.height === this.stack.length) {
      if (this.height >= limits.pickleScanStack / 2) {
        this.isOther = true;
        return;
      }
      const larger = new Int32Array(this.height * 2);
      larger.set(this.stack);
      this.stack = larger;
    }
    this.stack[this.height++] = value;
  }

  private pop(): number {
    return this.height > this.floor() ? (this.stack[--this.height] as number) : this.other();
  }

  private top(): number {
    return this.height > this.floor() ? (this.stack[this.height - 1] as number) : this.other();
  }

  /** Where the values above the innermost mark begin, which stay readable behind the new height. */
  private popToMark(): { from: number; to: number } {
    const to = this.height;
    const from = this.marks.pop() ?? this.other();
    if (!this.isOther) this.height = from;
    return { from, to };
  }

  private tuple(count: number): void {
    for (let index = 0; index < count; index++) this.pop();
    this.push(PLAIN);
  }

  /** Files of torch before 1.6 put classes into persistent ids: ('module', class, file, source). */
  private markedTuple(): void {
    const { from, to } = this.popToMark();
    const isModule = to > from && (this.stack[from] as number) >= 0 && this.textOf(this.stack[from] as number) === 'module';
    this.push(isModule ? this.other() : PLAIN);
  }

  // The memo

  private put(key: number): void {
    const value = this.top();
    if (key >= this.memo.length) {
      if (key > this.memoSize + MAX_AHEAD) return void this.other();
      const larger = new Int32Array(Math.max(this.memo.length * 2, key + 1)).fill(NONE);
      larger.set(this.memo);
      this.memo = larger;
    }
    if (this.memo[key] === NONE) this.memoSize += 1;
    this.memo[key] = value;
  }

  private get(key: number): void {
    const value = key < this.memo.length ? (this.memo[key] as number) : NONE;
    this.push(value === NONE ? this.other() : value);
  }

  // Names

  private textOf(value: number): string | undefined {
    return value >= 0 ? stringAt(this.bytes, value, MAX_NAME_BYTES) : undefined;
  }

  private nameOf(module: string, name: string): number {
    const key = `${module}\n${name}`;
    const known = this.codes.get(key);
    if (known !== undefined) return known;
    const kind = globalKind(module, name);
    if (kind === 'unexpected' || kind === 'special' || isForFullScan(module, name) || this.names.length >= limits.pickleImports)
      return this.other();
    const code = NAME - this.names.length;
    this.names.push([module, name]);
    this.kinds.push(kind);
    this.codes.set(key, code);
    return code;
  }

  // What changes, and what is called

  /** Classes and functions are for all who use them: a pickle that changes one is not plain. */
  private checkTarget(): void {
    if (this.top() <= NAME) this.isOther = true;
  }

  /** A key that may be the name of a method. */
  private checkKey(key: number): void {
    if (key >= 0 && isDunderAt(this.bytes, key)) this.isOther = true;
  }

  private checkKeys({ from, to }: { from: number; to: number }): void {
    for (let index = from; index < to; index += 2) this.checkKey(this.stack[index] as number);
  }

  /** @param isNew without `__init__` */
  private call(args: number, isNew: boolean): void {
    const callee = this.pop();
    const kind = callee <= NAME ? this.kinds[NAME - callee] : undefined;
    if (kind === undefined || args <= NAME || !isHarmless(kind, isNew, args) || this.mayLoad(callee)) this.isOther = true;
    this.hasCalls = true;
    this.push(PLAIN);
  }

  /** What makes bytes, or unpickles them. */
  private mayLoad(callee: number): boolean {
    return /^_?load|encode|^bytes$|bytearray|BytesIO|Unpickler|read_pickle/.test(this.names[NAME - callee]?.[1] ?? '');
  }
}

/** Names whose arguments the full scan has to look at, whatever their kind is. */
function isForFullScan(module: string, name: string): boolean {
  return opensInNew(module, name) || opensWhenCalled(name) || evaluatesText(module, name) || name === '_rebuild_undef';
}

/** A part of what `judgeCall` finds usual, whatever the arguments are. */
function isHarmless(kind: GlobalKind, isNew: boolean, args: number): boolean {
  if (kind === 'rebuild') return true;
  // A text among the arguments may be code or a path.
  if (kind === 'own-class') return isNew ? args !== ONE_LITERAL : false;
  if (isNew) return kind === 'class' || kind === 'package-class' || kind === 'own-function';
  // The value of a member, as the classes of enums take it.
  return kind === 'class' && (args >= 0 || args === ONE_LITERAL);
}
