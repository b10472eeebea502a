import type { CheckPhase, CheckProgress } from '../../core/bandwidth/measurement.js';
import { monotonicNanoseconds } from './sharedMemory.js';

const intervalMs = 100;

/** Tells how far a check is: at the beginning of each phase, and every 100 ms while it lasts. */
export class CheckProgressReporter {
  private readonly began = monotonicNanoseconds();
  private readonly timer: NodeJS.Timeout;
  private state: { phase: CheckPhase; repeat: number; total: number; done: () => number } | null = null;
  private last = { seconds: 0, done: 0 };

  constructor(
    private readonly repeats: number,
    private readonly send: (progress: CheckProgress) => void,
  ) {
    this.timer = setInterval(() => this.report(), intervalMs);
  }

  enter(phase: CheckPhase, repeat: number, total: number, done: () => number = () => 0): void {
    this.state = { phase, repeat, total, done };
    this.last = { seconds: this.elapsedSeconds(), done: 0 };
    this.send({ phase, repeat, repeats: this.repeats, elapsedSeconds: this.last.seconds, done: 0, total, bytesPerSecond: null });
  }

  /**
   * The last phase: removes what the check wrote, then reports no more. A failed removal replaces the error that ended the check: it is
   * what the user has to act on, and in an object store pays for.
   */
  async endWithRemoval(written: { remove(): Promise<void> } | null): Promise<void> {
    this.enter('removing', this.repeats, 0);
    try {
      await written?.remove();
    } finally {
      clearInterval(this.timer);
      this.state = null;
    }
  }

  private report(): void {
    if (this.state === null) return;
    const { phase, repeat, total } = this.state;
    const now = { seconds: this.elapsedSeconds(), done: this.state.done() };
    const seconds = now.seconds - this.last.seconds;
    const movesBytes = (phase === 'write' || phase === 'read') && seconds > 0;
    const bytesPerSecond = movesBytes ? (now.done - this.last.done) / seconds : null;
    this.last = now;
    this.send({ phase, repeat, repeats: this.repeats, elapsedSeconds: now.seconds, done: now.done, total, bytesPerSecond });
  }

  private elapsedSeconds(): number {
    return Number(monotonicNanoseconds() - this.began) / 1e9;
  }
}
