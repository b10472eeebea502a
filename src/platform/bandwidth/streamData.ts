import { slotOf, type CheckControl, type SharedMemory } from './sharedMemory.js';
import { timed } from './streamFiles.js';

/** The data that were made ahead for one stream, in the order in which it writes them. */
export class StreamData {
  /** Seconds in which no data were ready to be written, since it was last set to 0. */
  waitSeconds = 0;
  /** The block of data that is being written, and how much of it already was. */
  private current: { block: Uint8Array<SharedArrayBuffer>; usedBytes: number } | null = null;

  constructor(
    private readonly memory: SharedMemory,
    private readonly control: CheckControl,
    private readonly stream: number,
  ) {}

  /** The next bytes that were never written before; null where the check was stopped. A block of data serves several small files. */
  take(length: number): Uint8Array<SharedArrayBuffer> | null {
    const left = this.current === null ? 0 : this.memory.blockBytes - this.current.usedBytes;
    if (this.current !== null && left < length) {
      this.control.addTaken(this.stream);
      this.current = null;
    }
    if (this.current === null) {
      let isFilled = false;
      this.waitSeconds += timed(() => (isFilled = this.control.waitForFilled(this.stream)));
      if (!isFilled) return null;
      this.current = { block: slotOf(this.memory, this.stream, this.control.taken(this.stream)), usedBytes: 0 };
    }
    const { block, usedBytes } = this.current;
    this.current.usedBytes += length;
    return block.subarray(usedBytes, usedBytes + length);
  }
}
