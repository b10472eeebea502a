import { setMaxListeners } from 'node:events';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import { monotonicNanoseconds } from '../sharedMemory.js';

/**
 * Requests that are still on their way when a phase ends early are waited for so long: one that is cut off may be carried out by the
 * store after everything was removed.
 */
const graceMs = 5_000;

/** One phase of a check, over all streams: when it began, when it has to stop, and how its requests are ended. */
export class ObjectPhase {
  readonly began = monotonicNanoseconds();
  doneBytes = 0;
  readonly #budgetSeconds: number;
  readonly #hard = new AbortController();
  #isStopped = false;
  #error: unknown = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(budgetSeconds: number) {
    this.#budgetSeconds = budgetSeconds;
    // Each request on its way listens.
    setMaxListeners(0, this.#hard.signal);
  }

  /** For requests. */
  get signal(): AbortSignal {
    return this.#hard.signal;
  }

  elapsedSeconds(): number {
    return Number(monotonicNanoseconds() - this.began) / 1e9;
  }

  isLate(): boolean {
    return this.elapsedSeconds() >= this.#budgetSeconds;
  }

  /** No further requests are to be sent. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  stop(error: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#error = error;
    this.#timer = setTimeout(() => this.#hard.abort(), graceMs);
  }

  /**
   * Runs all streams to their ends. @throws what ended the phase, once nothing is on its way any more
   * @param signal cancels
   */
  async run<T>(streams: readonly (() => Promise<T>)[], signal: AbortSignal): Promise<T[]> {
    const cancel = (): void => this.stop(new CheckError('cancelled', 'the check was cancelled'));
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const settled = await Promise.allSettled(streams.map((stream) => this.guard(stream)));
      if (this.#isStopped) throw this.#error;
      return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    } finally {
      signal.removeEventListener('abort', cancel);
      if (this.#timer !== null) clearTimeout(this.#timer);
    }
  }

  /** Runs one part of the work; what it throws ends the phase. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.stop(error);
      throw error;
    }
  }
}
