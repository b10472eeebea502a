/** Tensors that a loader asks for and that are not there, that are there and unasked for, and of other shapes. */
import { limits } from '../../bytes/limits.js';
import type { LoadMismatch, LoadReport, LoadTensor } from '../../checkpoints/loadReport.js';
import type { TensorTable } from '../../tensors/tensorTable.js';

export type TensorDifferences = Pick<LoadReport, 'counts' | 'missing' | 'unexpected' | 'mismatched'>;

/** Where nothing is compared yet. */
export function noDifferences(found = 0): TensorDifferences {
  return {
    counts: { expected: 0, found, missing: 0, unexpected: 0, mismatched: 0 },
    missing: [],
    unexpected: [],
    mismatched: [],
  };
}

/** Counts all, and keeps the first of each list. */
export class FoundDifferences implements TensorDifferences {
  readonly counts = { expected: 0, found: 0, missing: 0, unexpected: 0, mismatched: 0 };
  readonly missing: LoadTensor[] = [];
  readonly unexpected: LoadTensor[] = [];
  readonly mismatched: LoadMismatch[] = [];

  constructor(private readonly table: TensorTable) {}

  /** @param nameOfNext asked for as long as names are listed */
  addMissing(shape: readonly number[], count: number, nameOfNext: () => string): void {
    this.counts.missing += count;
    const listed = Math.min(count, limits.loadDifferences - this.missing.length);
    for (let at = 0; at < listed; at++) this.missing.push({ name: nameOfNext(), shape: [...shape] });
  }

  addUnexpected(rows: readonly number[]): void {
    for (const row of rows) {
      this.counts.unexpected += 1;
      if (this.unexpected.length >= limits.loadDifferences) continue;
      this.unexpected.push({ name: this.table.nameOf(row), shape: this.table.shapeOf(row) });
    }
  }

  addMismatched(row: number, expected: readonly number[]): void {
    this.counts.mismatched += 1;
    if (this.mismatched.length >= limits.loadDifferences) return;
    this.mismatched.push({ name: this.table.nameOf(row), expected: [...expected], found: this.table.shapeOf(row) });
  }
}
