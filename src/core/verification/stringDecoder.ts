import type { DecodedOutput, Decoder } from '../bytes/decoders.js';
import { FormatError } from '../bytes/formatError.js';

/**
 * Texts of a tensor bundle as their checksum is over them (tensorflow/core/util/tensor_bundle/tensor_bundle.cc, WriteStringTensor): stored are a varint with the
 * length of each, the masked checksum of the lengths, and the texts; summed are the lengths as u32 (u64 above), that checksum, and the texts.
 */
export class StringDecoder implements Decoder {
  private value = 0;
  private scale = 1;

  /** @param left texts whose length has not come */
  constructor(
    private left: number,
    private readonly output: DecodedOutput,
  ) {}

  push(piece: Uint8Array): void {
    let at = 0;
    for (; this.left > 0 && at < piece.byteLength; at++) this.length(piece[at] as number);
    if (at < piece.byteLength) this.output.add(piece.subarray(at));
  }

  private length(byte: number): void {
    this.value += (byte & 0x7f) * this.scale;
    this.scale *= 128;
    if (this.scale > 2 ** 63) throw new FormatError('corrupt', 'a length of a text takes more than 64 bits');
    if (byte >= 0x80) return;
    const isShort = this.value <= 0xffffffff;
    const bytes = new Uint8Array(isShort ? 4 : 8);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, this.value % 2 ** 32, true);
    if (!isShort) view.setUint32(4, Math.floor(this.value / 2 ** 32), true);
    this.output.add(bytes);
    this.value = 0;
    this.scale = 1;
    this.left -= 1;
  }
}
