import { FormatError, throwIfCancelled } from '../core/bytes/formatError.js';

/** Lets at most `slots` holders in at a time, in the order in which they came. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(slots: number) {
    this.free = slots;
  }

  /**
   * Waits for a slot. The returned function gives it back; calling it twice is safe.
   * @throws FormatError `cancelled`
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    throwIfCancelled(signal);
    if (this.free > 0) this.free -= 1;
    else await this.queue(signal);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    };
  }

  private queue(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        const index = this.waiting.indexOf(enter);
        if (index !== -1) this.waiting.splice(index, 1);
        reject(new FormatError('cancelled', 'the inspection was cancelled'));
      };
      this.waiting.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
