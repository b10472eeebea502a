/** Protocol Buffers on the wire (protobuf.dev/programming-guides/encoding): fields by number, without a schema. */
import { FormatError } from '../../bytes/formatError.js';

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const FIXED32 = 5;

/** A cursor over the bytes of one message. Numbers beyond 2^53 are refused: nothing that is read here has any. */
export class ProtobufReader {
  /** Number, wire type and, of a length-delimited field, extent of the field that `next` moved to. */
  field = 0;
  wireType = 0;
  start = 0;
  end = 0;

  constructor(
    readonly bytes: Uint8Array,
    private at = 0,
    private readonly limit = bytes.byteLength,
  ) {}

  /**
   * Moves to the next field; false at the end of the message.
   * @throws FormatError `corrupt` where a field reaches beyond the message
   */
  next(): boolean {
    if (this.at >= this.limit) return false;
    const tag = this.readVarint();
    this.field = Math.floor(tag / 8);
    this.wireType = tag % 8;
    this.start = this.at;
    if (this.wireType === VARINT) this.skipVarint();
    else if (this.wireType === FIXED64) this.at += 8;
    else if (this.wireType === FIXED32) this.at += 4;
    else if (this.wireType === LENGTH_DELIMITED) {
      const length = this.readVarint();
      this.start = this.at;
      this.at += length;
    } else throw this.corrupt();
    if (this.at > this.limit) throw this.corrupt();
    this.end = this.at;
    return true;
  }

  /** The value of a varint field. */
  get varint(): number {
    return new ProtobufReader(this.bytes, this.start, this.end).readVarint();
  }

  /** The value of a field of 32 bits. */
  get fixed32(): number {
    return new DataView(this.bytes.buffer, this.bytes.byteOffset).getUint32(this.start, true);
  }

  /** The message that the field holds. */
  get message(): ProtobufReader {
    return new ProtobufReader(this.bytes, this.start, this.end);
  }

  /** Where the next field begins. */
  get position(): number {
    return this.at;
  }

  readVarint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      if (this.at >= this.limit) throw this.corrupt();
      const byte = this.bytes[this.at++] as number;
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw this.corrupt();
      if (byte < 0x80) return value;
    }
  }

  /** Negative numbers take ten bytes, which do not fit a double. */
  private skipVarint(): void {
    for (let length = 1; length <= 10; length++) {
      if (this.at >= this.limit) throw this.corrupt();
      if ((this.bytes[this.at++] as number) < 0x80) return;
    }
    throw this.corrupt();
  }

  private corrupt(): FormatError {
    return new FormatError('corrupt', 'a damaged protobuf message', { offset: this.at });
  }
}
