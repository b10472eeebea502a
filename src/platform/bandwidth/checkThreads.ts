import { Worker } from 'node:worker_threads';
import { CheckError } from '../../core/bandwidth/checkError.js';
import type { CheckThreadData } from './checkThread.js';
import { CheckControl, type SharedMemory } from './sharedMemory.js';
import type { StreamPlace } from './streamFiles.js';
import type { StreamDone, StreamFailure, StreamJob, StreamReply } from './streamJobs.js';

/** A stream that ended a phase with an error of the system. */
export class StreamError extends Error {
  readonly code: string;
  readonly file: string | null;
  constructor({ code, detail, file }: StreamFailure) {
    super(detail);
    this.code = code;
    this.file = file;
  }
}

/** The threads of one check. */
export class CheckThreads {
  readonly control: CheckControl;
  private readonly workers: Worker[] = [];
  private readonly streams: Worker[];
  private readonly ends: Promise<void>[] = [];
  private crash: CheckError | null = null;
  private turn = 0;

  /** @param threadFile a bundle that runs `runCheckThread` where `isCheckThread` says so */
  constructor(threadFile: string, memory: SharedMemory, place: StreamPlace) {
    this.control = new CheckControl(memory);
    for (let index = 0; index < memory.fillers; index++) {
      this.startThread(threadFile, { kind: 'stowage-bandwidth', role: 'filler', index, memory });
    }
    this.streams = Array.from({ length: memory.streams }, (_, index) =>
      this.startThread(threadFile, { kind: 'stowage-bandwidth', role: 'stream', index, memory, place }),
    );
  }

  /**
   * Lets the first streams do their jobs from the same moment on, and waits for the last one.
   * @param beforeStart awaited when all streams are ready, before the clock starts
   * @throws CheckError where a thread crashed; StreamError
   */
  async run<Done extends StreamDone>(
    streams: number,
    jobOf: (stream: number, turn: number) => StreamJob,
    budgetSeconds: number,
    beforeStart: () => Promise<void>,
  ): Promise<Done[]> {
    const turn = ++this.turn;
    const runs = this.streams.slice(0, streams).map((stream, index) => this.giveJob(stream, jobOf(index, turn)));
    const done = Promise.allSettled(runs.map((run) => run.done));
    try {
      await Promise.race([Promise.all(runs.map((run) => run.ready)), done]);
      await beforeStart();
    } catch (error) {
      this.control.stop();
      await done;
      throw error;
    }
    this.control.start(turn, budgetSeconds);
    const results = await done;
    if (this.crash !== null) throw this.crash;
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value as Done] : []));
  }

  /** Ends all threads, after what each is writing. */
  async end(): Promise<void> {
    this.control.quit();
    await Promise.all(this.workers.map((worker) => worker.terminate()));
    await Promise.all(this.ends);
  }

  private startThread(threadFile: string, workerData: CheckThreadData): Worker {
    const worker = new Worker(threadFile, { workerData, env: {}, execArgv: [], stdin: false });
    this.workers.push(worker);
    const die = (detail: string): void => {
      this.crash ??= new CheckError('io', `a thread of the check ended: ${detail}`);
      this.control.stop();
    };
    worker.on('error', (error) => die(error instanceof Error ? error.message : String(error)));
    this.ends.push(
      new Promise((resolve) =>
        worker.once('exit', (code) => {
          if (!this.control.hasQuit) die(`code ${code}`);
          resolve();
        }),
      ),
    );
    return worker;
  }

  private giveJob(worker: Worker, job: StreamJob): { ready: Promise<void>; done: Promise<StreamDone> } {
    let tellReady: () => void;
    const ready = new Promise<void>((resolve) => (tellReady = resolve));
    const done = new Promise<StreamDone>((resolve, reject) => {
      const release = (): void => {
        worker.off('message', take);
        worker.off('exit', fail);
        tellReady();
      };
      const fail = (): void => {
        release();
        reject(this.crash ?? new CheckError('io', 'a thread of the check ended'));
      };
      const take = (reply: StreamReply): void => {
        if (reply.kind === 'ready') return tellReady();
        release();
        if (reply.kind === 'failed') reject(new StreamError(reply));
        else resolve(reply);
      };
      worker.on('message', take);
      worker.once('exit', fail);
      // A thread that is gone gets no message and tells nothing.
      if (worker.threadId === -1) fail();
      else worker.postMessage(job);
    });
    return { ready, done };
  }
}
