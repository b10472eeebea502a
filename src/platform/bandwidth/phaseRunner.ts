import { setTimeout as delay } from 'node:timers/promises';
import { CheckError } from '../../core/bandwidth/checkError.js';
import type { CheckHooks, CheckPhase } from '../../core/bandwidth/measurement.js';
import type { CheckDirectory } from './checkDirectory.js';
import { CheckEffortCounter } from './checkEffortCounter.js';
import type { CheckProgressReporter } from './checkProgressReporter.js';
import type { CheckThreads } from './checkThreads.js';
import { monotonicNanoseconds } from './sharedMemory.js';
import type { StreamDone, SustainedDone, WriteDone } from './streamJobs.js';

/** Longest wait for data ahead of the streams; they would wait for them themselves. */
const dataAheadTimeoutMs = 2_000;

interface RunnerParts {
  threads: CheckThreads;
  directory: CheckDirectory;
  progress: CheckProgressReporter;
  hooks: CheckHooks;
  signal: AbortSignal;
}

type JobOf = Parameters<CheckThreads['run']>[1];

/** Runs the phases of a check one after the other, and ends them when it is cancelled. */
export class PhaseRunner {
  readonly effort = new CheckEffortCounter();

  constructor(private readonly parts: RunnerParts) {}

  get control(): CheckThreads['control'] {
    return this.parts.threads.control;
  }

  get directory(): CheckDirectory {
    return this.parts.directory;
  }

  get signal(): AbortSignal {
    return this.parts.signal;
  }

  /** @param total bytes or files of the phase */
  enter(phase: CheckPhase, repeat: number, total: number, repeats?: number): void {
    this.control.clearDone();
    this.parts.progress.enter(phase, repeat, total, () => this.control.doneOfAll(), repeats);
  }

  /**
   * @param streams that take part
   * @param name by which nodes meet before it
   * @throws CheckError, StreamError
   */
  async run<Done extends StreamDone>(
    streams: number,
    name: string,
    jobOf: JobOf,
    budgetSeconds: number,
    onStart: () => void = () => undefined,
  ): Promise<Done[]> {
    const { threads, hooks, signal } = this.parts;
    throwIfCancelled(signal);
    const done = await threads.run<Done>(streams, jobOf, budgetSeconds, async () => {
      await hooks.barrier?.(name, signal);
      onStart();
    });
    throwIfCancelled(signal);
    return done;
  }

  /** A phase that writes, with the processor time of it and of all of its data. */
  async write<Done extends WriteDone | SustainedDone>(
    streams: number,
    name: string,
    jobOf: JobOf,
    budgetSeconds: number,
    onStart: () => void = () => undefined,
  ): Promise<Done[]> {
    await this.waitForData();
    let cpu = process.cpuUsage();
    const done = await this.run<Done>(streams, name, jobOf, budgetSeconds, () => {
      cpu = process.cpuUsage();
      onStart();
    });
    // The data that were made ahead before the clock started are made again, so that the making of all data is counted.
    await this.waitForData();
    this.effort.addWritten(done, process.cpuUsage(cpu));
    return done;
  }

  /** Removes files; what that leaves to be done is done before the next clock starts. */
  async removeFiles(names: Iterable<string>): Promise<void> {
    await this.directory.removeFiles(names);
    await this.directory.sync();
  }

  private async waitForData(): Promise<void> {
    const until = monotonicNanoseconds() + BigInt(dataAheadTimeoutMs) * 1_000_000n;
    while (!this.control.isAllFilled() && !this.control.isStopped && monotonicNanoseconds() < until) await delay(1);
  }
}

/** @throws CheckError `cancelled` */
export function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled();
}

export function cancelled(): CheckError {
  return new CheckError('cancelled', 'the check was cancelled');
}
