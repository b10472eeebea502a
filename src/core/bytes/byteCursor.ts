import { FormatError } from './formatError.js';

/** Reads fields one after the other from bytes in memory. Every read checks what is left: `truncated` with the position in `bytes`. */
export class ByteCursor {
  private at = 0;
  private readonly view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get position(): number {
    return this.at;
  }

  get bytesLeft(): number {
    return this.bytes.byteLength - this.at;
  }

  u8(): number {
    return this.view.getUint8(this.take(1));
  }

  i32(): number {
    return this.view.getInt32(this.take(4), true);
  }

  u32BigEndian(): number {
    return this.view.getUint32(this.take(4), false);
  }

  u64(): bigint {
    return this.view.getBigUint64(this.take(8), true);
  }

  /** An unsigned LEB128 number. Above 2^53 it is not exact, and above every size that is compared with it. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
      if (scale > 2 ** 63) throw new FormatError('corrupt', 'a number takes more than 64 bits', { offset: this.at });
    }
  }

  /** The next bytes, not copied. */
  slice(length: number): Uint8Array {
    const start = this.take(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Moves on by `length` bytes; answers where they begin. */
  take(length: number): number {
    if (length > this.bytesLeft)
      throw new FormatError('truncated', `${length} bytes wanted where ${this.bytesLeft} are left`, { offset: this.at });
    const start = this.at;
    this.at += length;
    return start;
  }
}
