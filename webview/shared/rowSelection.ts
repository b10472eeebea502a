/** Which rows of a long table are selected, as ranges: selecting all of a million rows costs one entry. */
export class RowSelection {
  /** Sorted, disjoint, half-open. */
  private ranges: [from: number, to: number][] = [];
  private anchor = 0;

  get count(): number {
    return this.ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  }

  has(row: number): boolean {
    return this.ranges.some(([from, to]) => row >= from && row < to);
  }

  /** The selected ranges in order, e.g. to fetch and copy them. */
  toRanges(): [from: number, to: number][] {
    return this.ranges.map(([from, to]) => [from, to]);
  }

  clear(): void {
    this.ranges = [];
  }

  /** Selects these ranges, as `toRanges` has given them; rows from `count` on are left out. */
  restore(ranges: readonly [from: number, to: number][], count: number): void {
    this.ranges = ranges.map(([from, to]): [number, number] => [from, Math.min(to, count)]).filter(([from, to]) => from < to);
    this.anchor = this.ranges[0]?.[0] ?? 0;
  }

  selectOnly(row: number): void {
    this.anchor = row;
    this.ranges = [[row, row + 1]];
  }

  selectAll(count: number): void {
    this.ranges = count === 0 ? [] : [[0, count]];
  }

  /** Selects from where the selection began to this row, and nothing else. */
  extendTo(row: number): void {
    this.ranges = [[Math.min(this.anchor, row), Math.max(this.anchor, row) + 1]];
  }

  toggle(row: number): void {
    this.anchor = row;
    this.ranges = this.has(row) ? this.without(row) : this.with(row);
  }

  private without(row: number): [number, number][] {
    return this.ranges.flatMap(([from, to]): [number, number][] => {
      if (row < from || row >= to) return [[from, to]];
      const parts: [number, number][] = [
        [from, row],
        [row + 1, to],
      ];
      return parts.filter(([start, end]) => start < end);
    });
  }

  private with(row: number): [number, number][] {
    const merged: [number, number][] = [];
    for (const [from, to] of [...this.ranges, [row, row + 1] as [number, number]].sort((a, b) => a[0] - b[0])) {
      const last = merged.at(-1);
      if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
      else merged.push([from, to]);
    }
    return merged;
  }
}
