import { readSystemFile } from '../systemFile.js';

/** What the kernel counts for the calling thread since this was made: the argument of write(2), wherever it goes. */
export class CountedWrites {
  private readonly before = writtenByThread();

  /** Null where the kernel does not say: another system than Linux, or one without accounting of tasks. */
  bytes(): number | null {
    const now = writtenByThread();
    return now === null || this.before === null ? null : now - this.before;
  }
}

function writtenByThread(): number | null {
  const found = /^wchar: (\d+)$/m.exec(readSystemFile('/proc/thread-self/io') ?? '');
  return found === null ? null : Number(found[1]);
}
