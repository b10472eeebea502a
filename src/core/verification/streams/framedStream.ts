import type { Damage, Extent } from '../verification.js';
import { Collected } from './frames.js';
import type { SumStream } from './sumStream.js';

/** What comes next in a stream of frames: a field that is collected whole, or bytes that pass. */
export type NextPart = { kind: 'field'; bytes: number } | { kind: 'bytes'; bytes: number } | null;

/** A format of fields and runs of bytes one behind the other, each of a length that is known when it begins. */
export abstract class FramedStream implements SumStream {
  protected readonly damage: Damage[] = [];
  protected readonly field = new Collected();
  /** Bytes of the file that were used up. */
  protected at = 0;
  private left = 0;
  private part: 'field' | 'bytes' | 'lost' = 'field';
  private pushed = 0;

  constructor(first: number) {
    this.field.begin(first);
  }

  /** A field is whole. Null where what follows cannot be found any more. */
  protected abstract onField(): NextPart;
  /** Bytes of a run; `isLast` ends it. */
  protected abstract onBytes(bytes: Uint8Array, isLast: boolean): NextPart | undefined;
  /** True where the file may end: between two frames. */
  protected abstract get isBetween(): boolean;
  /** Where the frame began that is under way, and what it is. */
  protected abstract get frame(): { offset: number; what: string };

  push(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.byteLength && this.part !== 'lost') {
      const length = this.part === 'field' ? this.takeField(bytes, from) : this.takeBytes(bytes, from);
      from += length;
    }
    this.pushed += bytes.byteLength;
  }

  end(): { damage: Damage[]; covered: Extent[] } {
    if (this.part !== 'lost' && !this.isBetween) {
      const { offset, what } = this.frame;
      this.damage.push({ offset, length: this.pushed - offset, what: `${what}: cut off by the end of the file` });
    }
    return { damage: this.damage, covered: this.coveredOf(this.pushed) };
  }

  protected coveredOf(sizeBytes: number): Extent[] {
    return [{ offset: 0, length: sizeBytes }];
  }

  protected say(offset: number, length: number, what: string): void {
    this.damage.push({ offset, length, what });
  }

  private takeField(bytes: Uint8Array, from: number): number {
    const length = this.field.take(bytes, from);
    this.at += length;
    if (this.field.isWhole) this.begin(this.onField());
    return length;
  }

  private takeBytes(bytes: Uint8Array, from: number): number {
    const length = Math.min(this.left, bytes.byteLength - from);
    this.left -= length;
    this.at += length;
    const next = this.onBytes(bytes.subarray(from, from + length), this.left === 0);
    if (this.left === 0 || next === null) this.begin(next ?? null);
    return length;
  }

  private begin(next: NextPart): void {
    if (next === null) {
      this.part = 'lost';
      return;
    }
    this.part = next.kind;
    if (next.kind === 'field') this.field.begin(next.bytes);
    else {
      this.left = next.bytes;
      if (next.bytes === 0) this.begin(this.onBytes(new Uint8Array(0), true) ?? null);
    }
  }
}
