import { limits } from '../../core/bytes/limits.js';

/** Blocks that are kept while none of them is read into. */
const mostFree = 4;

/** Blocks of `limits.verifiedReadBytes` that go to a thread and come back: new ones would wait for the garbage collection of two threads. */
export class BlockPool {
  private readonly free: ArrayBuffer[] = [];
  private readonly lent = new WeakSet<ArrayBufferLike>();

  /** At most `limits.verifiedReadBytes`, not cleared. */
  take(length: number): Uint8Array {
    const buffer = this.free.pop() ?? this.make();
    this.lent.add(buffer);
    return new Uint8Array(buffer, 0, length);
  }

  /** Whether these bytes are of a block, whatever their length is. */
  has({ buffer }: Uint8Array): boolean {
    return this.lent.has(buffer);
  }

  give({ buffer }: Uint8Array): void {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === limits.verifiedReadBytes && this.free.length < mostFree)
      this.free.push(buffer);
  }

  private make(): ArrayBuffer {
    return new ArrayBuffer(limits.verifiedReadBytes);
  }
}
