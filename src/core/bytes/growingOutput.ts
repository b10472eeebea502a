/** Bytes that come out of a decoder one by one: a buffer that grows with them, up to a bound. */
export class GrowingOutput {
  private buffer: Uint8Array;
  length = 0;
  /** Set once there was more than fits. */
  isFull = false;

  constructor(private readonly maxBytes: number) {
    this.buffer = new Uint8Array(Math.min(maxBytes, 64 * 1024));
  }

  push(byte: number): void {
    if (this.length >= this.buffer.byteLength && !this.grow(1)) return;
    this.buffer[this.length++] = byte;
  }

  fill(byte: number, count: number): void {
    if (this.length + count > this.buffer.byteLength && !this.grow(count)) return;
    this.buffer.fill(byte, this.length, this.length + count);
    this.length += count;
  }

  /** Copies from `distance` bytes back; a copy may reach into itself. */
  copy(distance: number, count: number): void {
    for (let left = count; left > 0 && !this.isFull; left--) this.push(this.buffer[this.length - distance] as number);
  }

  /** The byte `distance` back; 0 where there is none. */
  back(distance: number): number {
    return this.buffer[this.length - distance] ?? 0;
  }

  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  private grow(count: number): boolean {
    if (this.length + count > this.maxBytes) {
      this.isFull = true;
      return false;
    }
    const larger = new Uint8Array(Math.min(this.maxBytes, Math.max(this.buffer.byteLength * 2, this.length + count)));
    larger.set(this.bytes());
    this.buffer = larger;
    return true;
  }
}
