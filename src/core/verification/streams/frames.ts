/** Collects the bytes of a header of known length out of pieces. */
export class Collected {
  private bytes: Uint8Array = new Uint8Array(0);
  private filled = 0;

  /** Begins anew with another length. */
  begin(length: number): void {
    if (this.bytes.byteLength !== length) this.bytes = new Uint8Array(length);
    this.filled = 0;
  }

  /** Takes what is missing from `bytes` at `from`; answers how many bytes that was. */
  take(bytes: Uint8Array, from: number): number {
    const length = Math.min(this.bytes.byteLength - this.filled, bytes.byteLength - from);
    this.bytes.set(bytes.subarray(from, from + length), this.filled);
    this.filled += length;
    return length;
  }

  get isWhole(): boolean {
    return this.filled === this.bytes.byteLength;
  }

  /** Valid until the next header begins. */
  get view(): DataView {
    return new DataView(this.bytes.buffer);
  }

  get whole(): Uint8Array {
    return this.bytes;
  }
}
