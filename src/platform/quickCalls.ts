/** A call that took longer went to a disk or over a network: others should run beside it. */
const QUICK_MS = 0.2;
/** Calls beside each other until it is tried again: a busy machine or a cold cache is slow for a moment, a network for long. */
const FEWEST_SLOW_CALLS = 4;
const MOST_SLOW_CALLS = 64;
/** Without a pause, messages such as a cancel wait. */
const LONGEST_MS = 10;

/**
 * Calls of a file system, one after the other as long as each answer is at hand, 3 microseconds from the cache of a local disk, and beside
 * each other where answers take their time. The thread pool takes five times as long to hand a call over and back: two seconds for a
 * repository of 100,000 files.
 */
export class QuickCalls {
  /** How many are left that go beside each other. */
  private slowCalls = 0;
  /** How many go so after the next slow one. */
  private nextSlowCalls = FEWEST_SLOW_CALLS;
  private pausedMs = performance.now();

  /** The answer of `atOnce` or of `later`, which ask for the same, with its errors. */
  async call<T>(atOnce: () => T, later: () => Promise<T>): Promise<T> {
    if (this.slowCalls > 0) {
      this.slowCalls -= 1;
      return later();
    }
    if (this.isPauseDue()) await this.pause();
    return this.measured(atOnce);
  }

  /**
   * The answer without a promise, with its errors; undefined where `call` has to be asked, for it waits or asks later: a promise for each of
   * 100,000 answers takes as long as these do.
   */
  atOnce<T extends object>(ask: () => T): T | undefined {
    return this.slowCalls > 0 || this.isPauseDue() ? undefined : this.measured(ask);
  }

  private isPauseDue(): boolean {
    return performance.now() - this.pausedMs > LONGEST_MS;
  }

  private measured<T>(atOnce: () => T): T {
    const startMs = performance.now();
    try {
      return atOnce();
    } finally {
      if (performance.now() - startMs > QUICK_MS) {
        this.slowCalls = this.nextSlowCalls;
        this.nextSlowCalls = Math.min(this.nextSlowCalls * 2, MOST_SLOW_CALLS);
      } else this.nextSlowCalls = Math.max(this.nextSlowCalls / 2, FEWEST_SLOW_CALLS);
    }
  }

  private async pause(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.pausedMs = performance.now();
  }
}
