import type { MemoUse } from './memoUse.js';
import type { PickleValue } from './pickleValue.js';

/** The memo of a pickle: values by number. With a `MemoUse` only those are kept that are ever fetched. */
export class PickleMemo {
  /** Entries that were set in order from 0, as picklers do; any others are in `sparse`. */
  private readonly dense: PickleValue[] = [];
  private readonly sparse = new Map<number, PickleValue>();
  /** Entries that are not kept; they count for MEMOIZE. */
  private forgotten = 0;
  /** Where the pickle has a shape that was stepped over, by place: positions of its first number, 0 for every other value. */
  private shapes: Uint32Array | undefined;

  constructor(private readonly use: MemoUse | undefined) {}

  /** How many entries were set: what MEMOIZE numbers the next one by. */
  get size(): number {
    return this.dense.length + this.sparse.size + this.forgotten;
  }

  /** True where nothing fetches what is set under this number, so that it need not be there. */
  isForgotten(key: number): boolean {
    return this.use?.placeOf(key) === -1;
  }

  /** Counts entries that are not kept. */
  forget(count: number): void {
    this.forgotten += count;
  }

  /** Sets an entry to a shape that is only looked at again when it is fetched. Only with a `MemoUse`. */
  putShape(key: number, position: number): void {
    const { use } = this;
    const place = use?.placeOf(key) ?? -1;
    if (use === undefined || place === -1) return;
    this.put(key, null);
    this.shapes ??= new Uint32Array(use.size);
    this.shapes[place] = position;
  }

  /** Where the pickle has the shape of an entry; 0 for an entry that is something else. */
  shapeAt(key: number): number {
    return this.shapes === undefined ? 0 : (this.shapes[this.use?.placeOf(key) ?? -1] ?? 0);
  }

  put(key: number, value: PickleValue): void {
    const place = this.use === undefined ? key : this.use.placeOf(key);
    if (this.shapes !== undefined && place !== -1) this.shapes[place] = 0;
    if (place === -1) this.forgotten += 1;
    else if (place < this.dense.length) this.dense[place] = value;
    else if (place === this.dense.length) {
      this.dense.push(value);
      this.sparse.delete(place);
    } else this.sparse.set(place, value);
  }

  get(key: number): PickleValue | undefined {
    const place = this.use === undefined ? key : this.use.placeOf(key);
    return place < this.dense.length ? this.dense[place] : this.sparse.get(place);
  }
}
