/**
 * A scan of pickles for what they import and call. It follows the opcodes of protocols 0 to 5 on names and literals alone, takes whatever
 * CPython takes, and goes on behind damage: what a pickle does before it fails counts. Memory is bounded whatever the bytes are; time is linear.
 *
 * Opcodes as in CPython's Lib/pickletools.py and Modules/_pickle.c.
 */
import { decodeText } from '../../../bytes/text.js';
import { opcode } from '../opcodes.js';
import { isShared, judgeCall, type Way } from './callRule.js';
import { callText, shownText, valueText } from './callText.js';
import { embeddedCode } from './embeddedCode.js';
import { executesOnImport } from './executingModules.js';
import { isDottedIdentifier } from './globalKind.js';
import { type ImportCollector } from './importCollector.js';
import { escaped, stringAt } from './literalText.js';
import { noteEncoded, noteNested, notePickled } from './nestedBytes.js';
import { MAX_NAME_BYTES, OpcodeEnds } from './opcodeEnds.js';
import { scanPlainPickles } from './plainScan.js';
import {
  isBeyondDoubt,
  isTainted,
  ScannedCall,
  ScannedGroup,
  ScannedName,
  ScannedResult,
  unknown,
  type Scanned,
} from './scannedValue.js';
import { ScanGroups } from './scanGroups.js';
import { ScanMemo } from './scanMemo.js';
import { ScanStack } from './scanStack.js';
import { holdsPlace } from './textArguments.js';

/** Bytes between opcodes that are none, such as the arrays of joblib: where they begin, and how many there are. */
export type Gap = readonly [offset: number, bytes: number];

export interface ScanOptions {
  /** Where the first pickle begins. */
  start?: number;
  /** Where the last one has to end. Default: the end of the bytes. */
  end?: number;
  gaps?: readonly Gap[];
  /** Scan to the first damage only. */
  isUntilDamage?: boolean;
  /** Scan one pickle only. By default what follows its STOP is scanned as more of them. */
  isSingle?: boolean;
}

export interface ScanResult {
  /** Offset behind the last STOP; -1 where there is none. */
  end: number;
  /** Offset of the first byte that CPython would not take; -1 where there is none before the last STOP. */
  damage: number;
  /** Pickles that end with STOP. */
  pickles: number;
  /** True where a call was met before any damage. */
  callsBeforeDamage: boolean;
  /** True where a name that no usual save has was met before any damage, and an opcode behind it. */
  namesBeforeDamage: boolean;
}

/** Scans pickles one behind the other into the collector. */
export function scanPickles(bytes: Uint8Array, collector: ImportCollector, options: ScanOptions = {}): ScanResult {
  return scanPlain(bytes, collector, options) ?? scanInFull(bytes, collector, options);
}

/** The same without the fast scan of what is plain. */
export function scanInFull(bytes: Uint8Array, collector: ImportCollector, options: ScanOptions = {}): ScanResult {
  return new PickleScan(bytes, collector, options).run();
}

/** The same by the fast scan; undefined where the full one has to look. */
function scanPlain(bytes: Uint8Array, collector: ImportCollector, options: ScanOptions): ScanResult | undefined {
  if (options.gaps !== undefined && options.gaps.length > 0) return undefined;
  const { start = 0, end = bytes.byteLength, isSingle = false } = options;
  const plain = scanPlainPickles(bytes, start, end, isSingle);
  if (plain === undefined) return undefined;
  for (const [module, name] of plain.names) collector.name(module, name);
  return { end: plain.end, damage: -1, pickles: plain.pickles, callsBeforeDamage: plain.hasCalls, namesBeforeDamage: false };
}

class PickleScan {
  private readonly view: DataView;
  private readonly stack = new ScanStack();
  private readonly memo = new ScanMemo();
  private readonly groups: ScanGroups;
  private readonly gaps: readonly Gap[];
  private gap = 0;
  private at: number;
  private readonly end: number;
  private readonly ends: OpcodeEnds;
  /** Set by the first byte that CPython would not take: from there on only what is beyond doubt counts. */
  private isLost = false;
  /** Set by a name that no usual save has. */
  private isNamed = false;
  private readonly result: ScanResult = { end: -1, damage: -1, pickles: 0, callsBeforeDamage: false, namesBeforeDamage: false };

  constructor(
    private readonly bytes: Uint8Array,
    private readonly collector: ImportCollector,
    private readonly options: ScanOptions,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = options.start ?? 0;
    this.groups = new ScanGroups(bytes);
    this.end = options.end ?? bytes.byteLength;
    this.ends = new OpcodeEnds(bytes, this.end);
    this.gaps = options.gaps ?? [];
  }

  run(): ScanResult {
    while (this.at < this.end) {
      const gap = this.gaps[this.gap];
      if (gap !== undefined && this.at >= gap[0]) {
        this.gap += 1;
        this.at = Math.max(this.at, gap[0] + gap[1]);
        continue;
      }
      const start = this.at;
      const code = this.bytes[start] as opcode;
      const next = this.ends.endOf(code, start + 1, this.isLost);
      if (next === -1 || next > this.end) {
        this.damaged(start);
        if (this.options.isUntilDamage === true) return this.result;
        this.at = start + 1;
        continue;
      }
      this.at = next;
      if (code === opcode.STOP) {
        if (!this.stop()) return this.result;
      } else {
        this.step(code, start);
        if (this.isNamed && !this.isLost && !nameOpcodes.has(code)) this.result.namesBeforeDamage = true;
      }
    }
    return this.result;
  }

  private damaged(offset: number): void {
    this.isLost = true;
    if (this.result.damage === -1) this.result.damage = offset;
  }

  /** Whether there is anything to go on with. What follows counts in full where it begins as a pickle of protocol 2 or later. */
  private stop(): boolean {
    if (!this.isLost) {
      if (this.stack.isEmpty) this.damaged(this.at - 1);
      else {
        this.result.pickles += 1;
        this.result.end = this.at;
      }
    }
    this.stack.clear();
    this.memo.clear();
    this.groups.clear();
    if (this.options.isSingle === true) return false;
    this.isLost = !this.isProtocolAt(this.at);
    return true;
  }

  private isProtocolAt(at: number): boolean {
    return this.bytes[at] === opcode.PROTO && (this.bytes[at + 1] ?? 0xff) <= 5;
  }

  private step(code: opcode, start: number): void {
    switch (code) {
      case opcode.MEMOIZE:
        return this.put(this.memo.size, start);
      case opcode.BINPUT:
        return this.put(this.bytes[start + 1] as number, start);
      case opcode.LONG_BINPUT:
        return this.put(this.view.getUint32(start + 1, true), start);
      case opcode.BINGET:
        return this.get(this.bytes[start + 1] as number, start);
      case opcode.LONG_BINGET:
        return this.get(this.view.getUint32(start + 1, true), start);
      case opcode.MARK:
        return this.stack.mark();
      case opcode.TUPLE1:
        return this.tuple(1, start);
      case opcode.TUPLE2:
        return this.tuple(2, start);
      case opcode.TUPLE3:
        return this.tuple(3, start);
      case opcode.TUPLE:
        return this.groupToMark('()', start);
      case opcode.REDUCE:
        return this.reduce('call', start);
      case opcode.NEWOBJ:
        return this.reduce('new', start);
      case opcode.BUILD:
        return this.build(start);
      case opcode.SETITEMS:
        return this.addItems('{}', start);
      case opcode.APPENDS:
      case opcode.ADDITEMS:
        return this.addItems('[]', start);
      case opcode.APPEND:
        return this.addPopped('[]', 1, start);
      case opcode.SETITEM:
        return this.addPopped('{}', 2, start);
      case opcode.PROTO:
        return this.protocol(start);
      case opcode.FRAME:
      case opcode.READONLY_BUFFER:
        return;
      default:
        return this.stepRare(code, start);
    }
  }

  private stepRare(code: opcode, start: number): void {
    switch (code) {
      case opcode.PUT:
        return this.put(this.keyAt(start), start);
      case opcode.GET:
        return this.get(this.keyAt(start), start);
      case opcode.GLOBAL:
        return this.stack.push(this.nameAt(start) ?? unknown);
      case opcode.INST:
        return this.instance(start);
      case opcode.STACK_GLOBAL:
        return this.stackGlobal(start);
      case opcode.EXT1:
        return this.stack.push(this.extension(this.bytes[start + 1] as number));
      case opcode.EXT2:
        return this.stack.push(this.extension(this.view.getUint16(start + 1, true)));
      case opcode.EXT4:
        return this.stack.push(this.extension(this.view.getUint32(start + 1, true)));
      case opcode.OBJ:
        return this.object(start);
      case opcode.NEWOBJ_EX:
        return this.newWithKeywords(start);
      case opcode.LIST:
        return this.groupToMark('[]', start);
      case opcode.FROZENSET:
        return this.groupToMark('[]', start);
      case opcode.DICT:
        return this.groupToMark('{}', start);
      case opcode.BINPERSID:
        return this.persistent(start);
      case opcode.DUP:
        return this.duplicate(start);
      case opcode.POP:
        if (!this.stack.popOne()) this.damaged(start);
        return;
      case opcode.POP_MARK:
        if (this.stack.popToMark() === undefined) this.damaged(start);
        return;
      case opcode.PERSID:
        return this.stack.push(unknown);
      default:
        // All others are literals.
        if (!this.isLost) notePickled(this.bytes, start, this.collector);
        return this.stack.push(start);
    }
  }

  private protocol(start: number): void {
    // The beginning of another pickle behind damage.
    if (this.isLost && start !== this.options.start && this.isProtocolAt(start) && (this.bytes[start + 1] as number) >= 2) {
      this.stack.clear();
      this.memo.clear();
    }
  }

  private pop(start: number): Scanned {
    const value = this.stack.pop();
    if (value === undefined) this.damaged(start);
    return value ?? unknown;
  }

  // The memo

  private put(key: number, start: number): void {
    const top = this.stack.top();
    if (top === undefined || !(key >= 0)) this.damaged(start);
    else this.memo.put(key, top);
  }

  private get(key: number, start: number): void {
    const value = this.memo.get(key);
    if (value === undefined) this.damaged(start);
    this.stack.push(value ?? unknown);
  }

  /** The key of PUT or GET: any integer that Python's `int` takes, as `1_0`. NaN for anything else. */
  private keyAt(start: number): number {
    const text = decodeText(this.bytes, start + 1, this.at - 1).trim();
    return /^\+?\d+(?:_\d+)*$/.test(text) ? Number(text.replaceAll('_', '')) : NaN;
  }

  // Names

  /** The name of GLOBAL or INST; undefined behind damage for one that may be chance. */
  private nameAt(start: number): ScannedName | undefined {
    const middle = this.ends.lineEnd(start + 1);
    const module = decodeText(this.bytes, start + 1, Math.min(middle - 1, start + MAX_NAME_BYTES));
    const name = decodeText(this.bytes, middle, Math.min(this.at - 1, middle + MAX_NAME_BYTES));
    return this.isLost && !(isName(module) && isName(name)) ? undefined : this.imported(module, name, start);
  }

  /** A name, whose import alone may be a call. */
  private imported(module: string, name: string, start: number): ScannedName {
    const found = this.collector.name(module, name);
    if (found.kind === 'unexpected') this.isNamed = true;
    if (executesOnImport(module)) {
      found.isCalled = true;
      this.collector.addCall(`__import__("${escaped(module)}")`, start);
    }
    return found;
  }

  private stackGlobal(start: number): void {
    const name = this.pop(start);
    const module = this.pop(start);
    const moduleText = this.textOf(module);
    const nameText = this.textOf(name);
    if (this.isLost && !(isName(moduleText) && isName(nameText))) return this.stack.push(unknown);
    this.stack.push(this.imported(moduleText ?? this.computed(module), nameText ?? this.computed(name), start));
  }

  private textOf(value: Scanned): string | undefined {
    return typeof value === 'number' && value !== unknown ? stringAt(this.bytes, value, MAX_NAME_BYTES) : undefined;
  }

  /** What stands for a name that is no literal text. Python refuses one that is no text at all. */
  private computed(value: Scanned): string {
    return typeof value === 'number' && value !== unknown ? '(no text)' : `(${shownText(valueText(this.bytes, value))})`;
  }

  /** A number that `copyreg.add_extension` gave a global in the process that wrote the pickle. */
  private extension(code: number): Scanned {
    if (this.isLost) return unknown;
    return this.collector.name('copyreg', `extension ${code}`);
  }

  // Containers

  private tuple(count: number, start: number): void {
    const group = new ScannedGroup('()');
    const items: Scanned[] = [];
    for (let index = 0; index < count; index++) items.push(this.pop(start));
    for (let index = count - 1; index >= 0; index--) this.groups.add(group, items[index] as Scanned);
    group.trim();
    this.stack.push(group);
  }

  private groupToMark(brackets: ScannedGroup['brackets'], start: number): void {
    const items = this.stack.popToMark();
    if (items === undefined) this.damaged(start);
    this.stack.push(this.groups.of(brackets, items ?? []));
  }

  private addPopped(brackets: '[]' | '{}', count: number, start: number): void {
    const items: Scanned[] = [];
    for (let index = 0; index < count; index++) items.unshift(this.pop(start));
    this.addToTop(brackets, items, start);
  }

  private addItems(brackets: '[]' | '{}', start: number): void {
    const items = this.stack.popToMark();
    if (items === undefined) this.damaged(start);
    this.addToTop(brackets, items ?? [], start);
  }

  /** APPEND, SETITEM and the like: onto a list, a dict, or an object that has such a method. */
  private addToTop(brackets: '[]' | '{}', items: readonly Scanned[], start: number): void {
    const target = this.stack.top();
    if (target === undefined) return this.damaged(start);
    if (target instanceof ScannedName || target instanceof ScannedCall) {
      if (isShared(target) && items.length > 0)
        this.unexpectedChange(target, brackets === '{}' ? '__setitem__' : 'append', this.groups.of('()', items), start);
      return;
    }
    if (target instanceof ScannedGroup) {
      for (const item of items) this.groups.add(target, item);
      if (brackets === '{}') this.groups.noteMethodKeys(target, items);
      return;
    }
    if (target === unknown) return;
    if (typeof target === 'number') this.groups.noteText(target, items);
    if (typeof target === 'number' && this.groups.left <= 0) {
      if (items.some((item) => this.groups.isTainted(item))) this.groups.taint(target);
      return;
    }
    const group = this.groups.of(brackets, items);
    if (target instanceof ScannedResult) {
      if (group.isTainted) this.stack.setTop(new ScannedCall(target.of, group, true));
      return;
    }
    if (group.isTainted) this.groups.taint(target);
    this.groups.left -= 1;
    this.stack.setTop(group);
  }

  // Calls

  private reduce(way: Way, start: number): void {
    const args = this.pop(start);
    this.call(this.pop(start), args, way, start);
  }

  private newWithKeywords(start: number): void {
    const keywords = this.pop(start);
    const args = this.pop(start);
    const callee = this.pop(start);
    const hasKeywords = keywords instanceof ScannedGroup && keywords.items.length > 0;
    if (!hasKeywords && !this.groups.isTainted(keywords)) return this.call(callee, args, 'new', start);
    const group = this.groups.of('()', [args, keywords]);
    this.call(callee, group, 'new', start);
  }

  /** INST and OBJ without arguments make an instance of a class; anything else is called. */
  private instance(start: number): void {
    const name = this.nameAt(start);
    const items = this.stack.popToMark();
    if (items === undefined) this.damaged(start);
    if (name === undefined) this.stack.push(unknown);
    else this.call(name, this.groups.of('()', items ?? []), 'call', start);
  }

  private object(start: number): void {
    const items = this.stack.popToMark();
    const callee = items?.[0];
    if (items === undefined || callee === undefined) {
      this.damaged(start);
      this.stack.push(unknown);
      return;
    }
    this.call(callee, this.groups.of('()', items.slice(1)), 'call', start);
  }

  private call(callee: Scanned, args: Scanned, way: Way, start: number): void {
    if (!this.isLost) this.result.callsBeforeDamage = true;
    noteNested(this.bytes, callee, args, this.collector);
    if (!this.isLost) noteEncoded(this.bytes, callee, args, this.collector);
    const isEmpty = args instanceof ScannedGroup && args.items.length === 0;
    const made =
      this.groups.isTainted(args) && !(args instanceof ScannedGroup && args.isTainted)
        ? undefined
        : judgeCall(this.bytes, callee, args, way === 'call' && isEmpty && isClassOfOwn(callee) ? 'new' : way);
    if (made !== undefined) {
      if (way === 'call' && !this.isLost) this.noteUnchecked(callee, args, start);
      return this.stack.push(made);
    }
    if (this.isLost && !isBeyondDoubt(callee)) return this.stack.push(unknown);
    if (callee instanceof ScannedName) callee.isCalled = true;
    const embedded = embeddedCode(this.bytes, callee, args, way === 'new' || isEmpty);
    if (embedded === false) this.collector.addCall(callText(this.bytes, callee, args), start);
    else this.collector.addEmbedded(embedded.name, start);
    this.markCalled(args);
    this.stack.push(new ScannedCall(callee, args, true));
  }

  /** A class of any package may open the path that it is given: no list has them all. */
  private noteUnchecked(callee: Scanned, args: Scanned, start: number): void {
    if (isClassOfOwn(callee) && holdsPlace(this.bytes, args))
      this.collector.addUnchecked(callText(this.bytes, callee, args), start);
  }

  /** Unexpected names that are handed to a call are told by it. */
  private markCalled(args: Scanned): void {
    if (args instanceof ScannedGroup)
      for (const item of args.items) if (item instanceof ScannedName && isTainted(item)) item.isCalled = true;
  }

  private unexpectedChange(target: Scanned, method: string, args: ScannedGroup, start: number): void {
    if (this.isLost && !isBeyondDoubt(target)) return;
    if (target instanceof ScannedName) target.isCalled = true;
    this.collector.addCall(`${valueText(this.bytes, target)}.${callText(this.bytes, unknown, args).replace('…', method)}`, start);
  }

  private build(start: number): void {
    const state = this.pop(start);
    const target = this.stack.top();
    if (target === undefined) return this.damaged(start);
    const hasMethodKey =
      state instanceof ScannedGroup &&
      (state.hasMethodKey || state.items.some((item) => item instanceof ScannedGroup && item.hasMethodKey));
    const isOfContainer = typeof target === 'number' && target !== unknown;
    if (isOfContainer || target instanceof ScannedGroup) return;
    if (
      isShared(target) ||
      hasMethodKey ||
      (this.groups.isTainted(state) && !(target instanceof ScannedCall && target.isUnexpected))
    )
      this.unexpectedChange(target, '__setstate__', this.groups.of('()', [state]), start);
    if (target instanceof ScannedCall) restatePartial(target, state);
  }

  private persistent(start: number): void {
    const id = this.pop(start);
    if (this.groups.isTainted(id) && !this.isLost) this.collector.addCall(`persistent_load(${valueText(this.bytes, id)})`, start);
    this.stack.push(this.legacyModule(id) ?? unknown);
  }

  /** Files of torch before 1.6 put the class of a module into a persistent id: ('module', class, file, source). */
  private legacyModule(id: Scanned): ScannedName | undefined {
    const [kind, type] = id instanceof ScannedGroup ? id.items : [];
    return type instanceof ScannedName && kind !== undefined && this.textOf(kind) === 'module' ? type : undefined;
  }

  private duplicate(start: number): void {
    const top = this.stack.top();
    if (top === undefined) this.damaged(start);
    this.stack.push(top ?? unknown);
  }
}

const nameOpcodes: ReadonlySet<opcode> = new Set([opcode.GLOBAL, opcode.STACK_GLOBAL]);

function isName(text: string | undefined): boolean {
  return text !== undefined && text.length > 1 && isDottedIdentifier(text);
}

/**
 * `functools.partial.__setstate__((function, arguments, keywords, attributes))` replaces what it calls. The call is changed in place, as the memo
 * has it, too; values that nest are left out, so that no partial holds itself.
 */
function restatePartial(call: ScannedCall, state: Scanned): void {
  const isPartial = call.callee instanceof ScannedName && call.callee.fullName === 'functools.partial';
  if (!isPartial || !(state instanceof ScannedGroup)) return;
  const [called, args] = state.items;
  if (!(called instanceof ScannedName) || !(args instanceof ScannedGroup)) return;
  const shown = new ScannedGroup('()');
  for (const item of [called, ...args.items]) shown.add(typeof item === 'number' || item instanceof ScannedName ? item : unknown);
  call.args = shown;
  call.isUnexpected ||= isTainted(state);
}

function isClassOfOwn(callee: Scanned): boolean {
  return callee instanceof ScannedName && callee.kind === 'own-class';
}
