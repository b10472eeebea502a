import type { CheckParts, CheckPhase, CheckProgress, CheckRequest } from '../../core/bandwidth/measurement.js';
import { monotonicNanoseconds } from './sharedMemory.js';

const intervalMs = 100;

const movesBytes: ReadonlySet<CheckPhase> = new Set(['write', 'read', 'sweep', 'sustained']);

/** How long the parts of a check may take. */
export function partsOf({ seconds, sweep, sustained }: CheckRequest): CheckParts {
  return { checkSeconds: seconds, sweepSeconds: sweep?.seconds ?? 0, sustainedSeconds: sustained?.mostSeconds ?? 0 };
}

/** Tells how far a check is: at the beginning of each phase, and every 100 ms while it lasts. */
export class CheckProgressReporter {
  private readonly began = monotonicNanoseconds();
  private readonly timer: NodeJS.Timeout;
  private state: { phase: CheckPhase; repeat: number; repeats: number; total: number; began: number; done: () => number } | null =
    null;
  private last = { seconds: 0, done: 0 };

  constructor(
    private readonly repeats: number,
    private readonly parts: CheckParts,
    private readonly send: (progress: CheckProgress) => void,
  ) {
    this.timer = setInterval(() => this.report(), intervalMs);
  }

  /** @param repeats of this phase, where they are not those of the check */
  enter(phase: CheckPhase, repeat: number, total: number, done: () => number = () => 0, repeats = this.repeats): void {
    const began = this.elapsedSeconds();
    this.state = { phase, repeat, repeats, total, began, done };
    this.last = { seconds: began, done: 0 };
    this.send({
      phase,
      repeat,
      repeats,
      elapsedSeconds: began,
      phaseSeconds: 0,
      done: 0,
      total,
      bytesPerSecond: null,
      parts: this.parts,
    });
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
    const { phase, repeat, repeats, total, began } = this.state;
    const now = { seconds: this.elapsedSeconds(), done: this.state.done() };
    const seconds = now.seconds - this.last.seconds;
    const bytesPerSecond = movesBytes.has(phase) && seconds > 0 ? (now.done - this.last.done) / seconds : null;
    this.last = now;
    this.send({
      phase,
      repeat,
      repeats,
      elapsedSeconds: now.seconds,
      phaseSeconds: now.seconds - began,
      done: now.done,
      total,
      bytesPerSecond,
      parts: this.parts,
    });
  }

  private elapsedSeconds(): number {
    return Number(monotonicNanoseconds() - this.began) / 1e9;
  }
}
