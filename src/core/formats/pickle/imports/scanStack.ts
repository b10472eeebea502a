import { limits } from '../../../bytes/limits.js';
import { isTainted, ScannedGroup, unknown, type Scanned } from './scannedValue.js';

/**
 * The stack of a scan, with its marks. It takes a bounded amount of memory whatever the pickle pushes: of very deep entries only names and
 * calls are kept, and marks at one height are counted.
 */
export class ScanStack {
  private values: Scanned[] = [];
  /** Entries below those in `values`. */
  private folded = 0;
  private keptFolded = new Map<number, Scanned>();
  private readonly markHeights: number[] = [];
  private readonly markCounts: number[] = [];

  get height(): number {
    return this.folded + this.values.length;
  }

  /** Values below the innermost mark are out of reach. */
  private get floor(): number {
    return this.markHeights.length === 0 ? 0 : (this.markHeights[this.markHeights.length - 1] as number);
  }

  get isEmpty(): boolean {
    return this.height <= this.floor;
  }

  clear(): void {
    this.values = [];
    this.folded = 0;
    this.keptFolded = new Map();
    this.markHeights.length = 0;
    this.markCounts.length = 0;
  }

  push(value: Scanned): void {
    this.values.push(value);
    if (this.values.length >= limits.pickleScanStack) this.fold();
  }

  /** The uppermost value; undefined where there is none above the mark. */
  top(): Scanned | undefined {
    return this.isEmpty ? undefined : this.at(this.height - 1);
  }

  setTop(value: Scanned): void {
    if (this.values.length > 0) this.values[this.values.length - 1] = value;
  }

  pop(): Scanned | undefined {
    if (this.isEmpty) return undefined;
    const value = this.at(this.height - 1);
    if (this.values.length > 0) this.values.pop();
    else this.folded -= 1;
    return value;
  }

  mark(): void {
    const { height } = this;
    const last = this.markHeights.length - 1;
    if (last >= 0 && this.markHeights[last] === height) this.markCounts[last] = (this.markCounts[last] as number) + 1;
    else {
      this.markHeights.push(height);
      this.markCounts.push(1);
      if (this.markHeights.length >= limits.pickleScanStack) this.foldMarks();
    }
  }

  /** POP takes a value, or a mark where nothing is above it. False where there is neither. */
  popOne(): boolean {
    if (this.isEmpty && this.markHeights.length > 0) {
      this.dropMark();
      return true;
    }
    return this.pop() !== undefined;
  }

  /** Takes everything above the innermost mark, and the mark; undefined where there is no mark. */
  popToMark(): readonly Scanned[] | undefined {
    if (this.markHeights.length === 0) return undefined;
    const mark = this.floor;
    this.dropMark();
    if (mark >= this.folded) return this.values.splice(mark - this.folded);
    const taken: Scanned[] = [];
    for (let index = mark; index < this.folded; index++) {
      const kept = this.keptFolded.get(index);
      if (kept !== undefined) taken.push(kept);
      this.keptFolded.delete(index);
    }
    for (const value of this.values) taken.push(value);
    this.values = [];
    this.folded = mark;
    return taken;
  }

  private at(index: number): Scanned {
    if (index >= this.folded) return this.values[index - this.folded] as Scanned;
    return this.keptFolded.get(index) ?? unknown;
  }

  private dropMark(): void {
    const last = this.markHeights.length - 1;
    const count = (this.markCounts[last] as number) - 1;
    this.markCounts[last] = count;
    if (count > 0) return;
    this.markHeights.pop();
    this.markCounts.pop();
  }

  private fold(): void {
    const half = this.values.length >>> 1;
    for (let index = 0; index < half; index++) {
      const value = this.values[index] as Scanned;
      const isWorthKeeping = value instanceof ScannedGroup ? isTainted(value) : typeof value !== 'number';
      if (isWorthKeeping && this.keptFolded.size < limits.pickleScanKept) this.keptFolded.set(this.folded + index, value);
    }
    this.values = this.values.slice(half);
    this.folded += half;
  }

  private foldMarks(): void {
    const half = this.markHeights.length >>> 1;
    this.markHeights.splice(0, half);
    this.markCounts.splice(0, half);
  }
}
