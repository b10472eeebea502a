import { maskedOf } from '../../formats/tensorflow/tfRecord.js';
import type { MakeHash, RunningHash } from '../hashes/hash.js';
import type { Damage, Extent } from '../verification.js';
import { Collected } from './frames.js';
import type { SumStream } from './sumStream.js';

const HEAD_BYTES = 12;
const TAIL_BYTES = 4;

/** Both sums of each record (see `formats/tensorflow/tfRecord`). Where a length is damaged, it is not known where the next record begins. */
export class TfRecordStream implements SumStream {
  private readonly damage: Damage[] = [];
  private readonly field = new Collected();
  private part: 'head' | 'data' | 'tail' | 'lost' = 'head';
  private hash: RunningHash;
  private dataLeft = 0;
  private dataBytes = 0;
  private recordAt = 0;
  private records = 0;
  private at = 0;

  constructor(private readonly makeHash: MakeHash) {
    this.hash = makeHash('crc32c');
    this.field.begin(HEAD_BYTES);
  }

  push(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.byteLength && this.part !== 'lost')
      from += this.part === 'data' ? this.data(bytes, from) : this.fields(bytes, from);
    this.at += bytes.byteLength;
  }

  end(): { damage: Damage[]; covered: Extent[] } {
    const isBetween = this.part === 'head' && this.recordAt === this.at;
    if (this.part !== 'lost' && !isBetween)
      this.damage.push({
        offset: this.recordAt,
        length: this.at - this.recordAt,
        what: `record ${this.records}: cut off by the end of the file`,
      });
    return { damage: this.damage, covered: [{ offset: 0, length: this.at }] };
  }

  private data(bytes: Uint8Array, from: number): number {
    const length = Math.min(this.dataLeft, bytes.byteLength - from);
    this.hash.update(bytes.subarray(from, from + length));
    this.dataLeft -= length;
    if (this.dataLeft === 0) this.begin('tail', TAIL_BYTES);
    return length;
  }

  private fields(bytes: Uint8Array, from: number): number {
    const length = this.field.take(bytes, from);
    if (!this.field.isWhole) return length;
    if (this.part === 'head') this.closeHead();
    else this.closeRecord();
    return length;
  }

  private closeHead(): void {
    const { view, whole } = this.field;
    const crc = this.makeHash('crc32c');
    crc.update(whole.subarray(0, 8));
    const size = view.getBigUint64(0, true);
    if (maskedOf(parseInt(crc.digest(), 16)) !== view.getUint32(8, true) || size > BigInt(Number.MAX_SAFE_INTEGER)) {
      this.damage.push({
        offset: this.recordAt,
        length: HEAD_BYTES,
        what: `length of record ${this.records}: CRC-32C does not match`,
      });
      this.part = 'lost';
      return;
    }
    this.dataBytes = Number(size);
    this.dataLeft = this.dataBytes;
    this.hash = this.makeHash('crc32c');
    if (this.dataLeft === 0) this.begin('tail', TAIL_BYTES);
    else this.part = 'data';
  }

  private closeRecord(): void {
    if (maskedOf(parseInt(this.hash.digest(), 16)) !== this.field.view.getUint32(0, true))
      this.damage.push({
        offset: this.recordAt + HEAD_BYTES,
        length: this.dataBytes + TAIL_BYTES,
        what: `data of record ${this.records}: CRC-32C does not match`,
      });
    this.recordAt += HEAD_BYTES + this.dataBytes + TAIL_BYTES;
    this.records += 1;
    this.begin('head', HEAD_BYTES);
  }

  private begin(part: 'head' | 'tail', length: number): void {
    this.part = part;
    this.field.begin(length);
  }
}
