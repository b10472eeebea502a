import { limits } from '../../../bytes/limits.js';
import { ScannedCall, ScannedGroup, ScannedName, ScannedResult, unknown, type Scanned } from './scannedValue.js';

const PAGE_ENTRIES = 65_536;
/** In a page: nothing was set. Offsets of literals are 0 and more, `unknown` is -1, and names and results follow below. */
const UNSET = -2;
const FIRST_REFERENCE = -3;

/**
 * The memo of a scan: four bytes for each entry that was set in order, as picklers do, and what it is. Containers are not kept, apart from
 * those with something in them that must not be called.
 */
export class ScanMemo {
  private pages: Int32Array[] = [];
  private readonly far = new Map<number, number>();
  /** Names and results by their number. */
  private references: (ScannedName | ScannedResult)[] = [];
  private numbers = new Map<ScannedName | ScannedResult, number>();
  private readonly kept = new Map<number, Scanned>();
  /** How many entries were set: what MEMOIZE numbers the next one by. */
  size = 0;

  clear(): void {
    this.pages = [];
    this.far.clear();
    this.references = [];
    this.numbers = new Map();
    this.kept.clear();
    this.size = 0;
  }

  put(key: number, value: Scanned): void {
    const code = this.codeOf(key, value);
    if (this.codeAt(key) === UNSET) this.size += 1;
    const page = Math.floor(key / PAGE_ENTRIES);
    // A page is made where the one before it is there: keys far ahead cost an entry of a map each.
    if (page > this.pages.length) {
      if (this.far.size < limits.pickleScanKept) this.far.set(key, code);
      return;
    }
    if (page === this.pages.length) this.pages.push(new Int32Array(PAGE_ENTRIES).fill(UNSET));
    (this.pages[page] as Int32Array)[key % PAGE_ENTRIES] = code;
  }

  /** The value under a key; undefined where none was set. */
  get(key: number): Scanned | undefined {
    const code = this.codeAt(key);
    if (code === UNSET) return undefined;
    if (code >= 0) return code;
    if (code === unknown) return this.kept.get(key) ?? unknown;
    return this.references[FIRST_REFERENCE - code];
  }

  private codeAt(key: number): number {
    const page = this.pages[Math.floor(key / PAGE_ENTRIES)];
    const near = page === undefined ? UNSET : (page[key % PAGE_ENTRIES] as number);
    return near === UNSET && this.far.size > 0 ? (this.far.get(key) ?? UNSET) : near;
  }

  private codeOf(key: number, value: Scanned): number {
    if (typeof value === 'number') return value;
    if (value instanceof ScannedName || value instanceof ScannedResult) return FIRST_REFERENCE - this.numberOf(value);
    this.kept.delete(key);
    const isWorthKeeping = value instanceof ScannedCall || (value instanceof ScannedGroup && value.isTainted);
    if (isWorthKeeping && this.kept.size < limits.pickleScanKept) this.kept.set(key, value);
    return unknown;
  }

  private numberOf(value: ScannedName | ScannedResult): number {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    const number = this.references.push(value) - 1;
    this.numbers.set(value, number);
    return number;
  }
}
