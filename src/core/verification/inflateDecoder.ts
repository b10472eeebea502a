import { Inflate } from 'fflate';
import type { DecodedOutput, Decoder } from '../bytes/decoders.js';

/** DEFLATE without a header, as members of zip archives have it. */
export class InflateDecoder implements Decoder {
  private readonly inflate: Inflate;

  constructor(output: DecodedOutput) {
    this.inflate = new Inflate((block) => output.add(block));
  }

  push(piece: Uint8Array, isLast: boolean): void {
    this.inflate.push(piece, isLast);
  }
}
