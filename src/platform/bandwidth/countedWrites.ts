import { thisSystem } from '../os/thisSystem.js';

/** What the kernel counts for the calling thread since this was made: the argument of write(2), wherever it goes. */
export class CountedWrites {
  private readonly before = thisSystem.writtenByThread();

  /** Null where the kernel does not count: another system than Linux, or one without accounting of tasks. */
  bytes(): number | null {
    const now = thisSystem.writtenByThread();
    return now === null || this.before === null ? null : now - this.before;
  }
}
