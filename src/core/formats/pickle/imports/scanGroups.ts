/** Tuples, lists and dicts of a scan, and which of them hold what must not be called. */
import { limits } from '../../../bytes/limits.js';
import { isMethodKey } from './callRule.js';
import { isEmptyContainerAt, isStringAt } from './literalText.js';
import { isTainted, ScannedGroup, unknown, type Scanned } from './scannedValue.js';
import { mayBeText } from './textArguments.js';

export class ScanGroups {
  /** Lists and dicts whose first items may still be kept. */
  left: number = limits.pickleScanGroups;
  /** Literal lists and dicts in which something was put that must not be called, by their offsets. */
  private readonly taintedLiterals = new Set<number>();

  /** Literal lists and dicts in which a text was put. */
  private readonly textLiterals = new Set<number>();

  constructor(private readonly bytes: Uint8Array) {}

  /** Forgets the literals of a pickle that ended. */
  clear(): void {
    this.taintedLiterals.clear();
    this.textLiterals.clear();
  }

  /** Notes that something was put into a literal that must not be called. */
  taint(literal: number): void {
    this.taintedLiterals.add(literal);
  }

  /** Notes a literal that has these items now. */
  noteText(literal: number, items: readonly Scanned[]): void {
    if (this.textLiterals.size < limits.pickleScanKept && items.some((item) => this.isText(item))) this.textLiterals.add(literal);
  }

  /** What may be a text, or hold one. */
  private isText(item: Scanned): boolean {
    if (typeof item !== 'number' || item === unknown) return mayBeText(item);
    if (isStringAt(this.bytes, item)) return true;
    // Beyond the limit any list may have got one.
    return this.textLiterals.size >= limits.pickleScanKept ? isEmptyContainerAt(this.bytes, item) : this.textLiterals.has(item);
  }

  /** A group of these items. */
  of(brackets: ScannedGroup['brackets'], items: readonly Scanned[]): ScannedGroup {
    const group = new ScannedGroup(brackets);
    for (const item of items) this.add(group, item);
    if (brackets === '{}') this.noteMethodKeys(group, items);
    group.trim();
    return group;
  }

  add(group: ScannedGroup, item: Scanned): void {
    group.add(item);
    if (!group.hasText && this.isText(item)) group.hasText = true;
    if (typeof item === 'number' && this.taintedLiterals.size > 0 && this.taintedLiterals.has(item)) group.isTainted = true;
  }

  /** A key that names a method, with a value that may be called. */
  noteMethodKeys(group: ScannedGroup, items: readonly Scanned[]): void {
    for (let index = 0; index + 1 < items.length; index += 2)
      if (typeof items[index + 1] !== 'number' && isMethodKey(this.bytes, items[index] as Scanned)) group.hasMethodKey = true;
  }

  /** True for what must not be called, and for what holds it. */
  isTainted(value: Scanned): boolean {
    return isTainted(value) || (typeof value === 'number' && this.taintedLiterals.has(value));
  }
}
