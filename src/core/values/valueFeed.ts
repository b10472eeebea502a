import type { Accumulator } from './valueSummary.js';
import type { ValueExtent } from './valueExtent.js';

/** Where a value is. */
export interface ValuePlace {
  path: string;
  /** Of the element, of the block that it is in, or of the compressed stretch. */
  offset: number;
  /** The same as if nothing were compressed. */
  plainOffset: number;
  /** Numbers before it in that block. */
  inUnit: number;
  unitBytes: number;
  unitElements: number;
}

/** Hands the bytes of a stretch to an accumulator in whole units, however reads cut them. */
export class ValueFeed {
  private carry: Uint8Array | undefined;
  private carried = 0;
  private fedBytes = 0;

  constructor(private readonly extent: ValueExtent) {}

  /** Answers where the first value is that is not finite, where that is looked for. */
  push(bytes: Uint8Array, accumulator: Accumulator, looksForPlace: boolean): ValuePlace | null {
    const { unitBytes } = accumulator;
    const taken = this.carried === 0 ? 0 : this.fillCarry(bytes, unitBytes);
    let place: ValuePlace | null = null;
    if (this.carry !== undefined && this.carried === unitBytes) {
      this.carried = 0;
      place = this.add(this.carry, accumulator, looksForPlace);
    }
    const whole = Math.floor((bytes.byteLength - taken) / unitBytes) * unitBytes;
    if (whole > 0) place ??= this.add(bytes.subarray(taken, taken + whole), accumulator, looksForPlace && place === null);
    if (taken + whole < bytes.byteLength) this.fillCarry(bytes.subarray(taken + whole), unitBytes);
    return place;
  }

  private add(bytes: Uint8Array, accumulator: Accumulator, looksForPlace: boolean): ValuePlace | null {
    const { unitBytes, unitElements } = accumulator;
    const found = accumulator.add(bytes, looksForPlace, this.fedBytes / unitBytes);
    const at = this.extent.offset + this.fedBytes;
    this.fedBytes += bytes.byteLength;
    if (found === -1) return null;
    const plainOffset = at + Math.floor(found / unitElements) * unitBytes;
    const offset = this.extent.packed === undefined ? plainOffset : this.extent.offset;
    return { path: this.extent.path, offset, plainOffset, inUnit: found % unitElements, unitBytes, unitElements };
  }

  /** Answers how many bytes were taken. */
  private fillCarry(bytes: Uint8Array, unitBytes: number): number {
    this.carry ??= new Uint8Array(unitBytes);
    const taken = Math.min(unitBytes - this.carried, bytes.byteLength);
    this.carry.set(bytes.subarray(0, taken), this.carried);
    this.carried += taken;
    return taken;
  }
}
