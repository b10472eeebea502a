import { maskedOf } from '../../formats/tensorflow/tfRecord.js';
import type { MakeHash, RunningHash } from '../hashes/hash.js';
import { FramedStream, type NextPart } from './framedStream.js';

const HEAD_BYTES = 12;
const TAIL_BYTES = 4;

/** Both sums of each record (see `formats/tensorflow/tfRecord`). Where a length is damaged, it is not known where the next record begins. */
export class TfRecordStream extends FramedStream {
  private isHead = true;
  private hash: RunningHash;
  private dataBytes = 0;
  private recordAt = 0;
  private records = 0;

  constructor(private readonly makeHash: MakeHash) {
    super(HEAD_BYTES);
    this.hash = makeHash('crc32c');
  }

  protected get isBetween(): boolean {
    return this.isHead && this.at === this.recordAt;
  }

  protected get frame(): { offset: number; what: string } {
    return { offset: this.recordAt, what: `record ${this.records}` };
  }

  protected onField(): NextPart {
    return this.isHead ? this.closeHead() : this.closeRecord();
  }

  protected onBytes(bytes: Uint8Array, isLast: boolean): NextPart | undefined {
    this.hash.update(bytes);
    return isLast ? { kind: 'field', bytes: TAIL_BYTES } : undefined;
  }

  private closeHead(): NextPart {
    const { view, whole } = this.field;
    const crc = this.makeHash('crc32c');
    crc.update(whole.subarray(0, 8));
    const size = view.getBigUint64(0, true);
    if (maskedOf(parseInt(crc.digest(), 16)) !== view.getUint32(8, true) || size > BigInt(Number.MAX_SAFE_INTEGER)) {
      this.say(this.recordAt, HEAD_BYTES, `length of record ${this.records}: CRC-32C does not match`);
      return null;
    }
    this.isHead = false;
    this.dataBytes = Number(size);
    this.hash = this.makeHash('crc32c');
    return { kind: 'bytes', bytes: this.dataBytes };
  }

  private closeRecord(): NextPart {
    if (maskedOf(parseInt(this.hash.digest(), 16)) !== this.field.view.getUint32(0, true))
      this.say(this.recordAt + HEAD_BYTES, this.dataBytes + TAIL_BYTES, `data of record ${this.records}: CRC-32C does not match`);
    this.recordAt = this.at;
    this.records += 1;
    this.isHead = true;
    return { kind: 'field', bytes: HEAD_BYTES };
  }
}
