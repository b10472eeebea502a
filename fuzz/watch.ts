/** Runs turns in a thread of their own and ends the thread when an execution takes too long or fills the memory. */
import { Worker } from 'node:worker_threads';
import { writeFinding } from './findings.js';
import type { Progress } from './fuzzTarget.js';
import type { Input } from './target.js';

/** What a thread begins with: the first four bytes count executions, the next four are the length of names, the rest is the input. */
export interface ExecutorData {
  seed: number;
  current: SharedArrayBuffer;
}

export interface Turn {
  target: string;
  forMs: number;
}

export type TurnResult = Progress & { places: number };

type Ending = TurnResult | { code: number; error?: Error };

/** The answer to a turn, or how the thread ended. */
async function endingOf(worker: Worker, turn: Turn): Promise<Ending> {
  let failure: Error | undefined;
  const onError = (error: Error): void => void (failure = error);
  return new Promise((resolve) => {
    const settle = (ending: Ending): void => {
      worker.off('message', settle);
      worker.off('error', onError);
      worker.off('exit', onExit);
      resolve(ending);
    };
    const onExit = (code: number): void => settle({ code, ...(failure && { error: failure }) });
    worker.on('message', settle);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(turn);
  });
}

/** CPU time of one execution. The largest inputs here take some 100 ms. */
const hangCpuMs = 10_000;
/** Waiting for what never comes takes no CPU time. */
const hangWallMs = 120_000;
const heapMiB = 768;
const sharedBytes = 4 * 1024 * 1024;
const everyMs = 250;

export class WatchedExecutor {
  private worker: Worker | undefined;
  private current = new SharedArrayBuffer(sharedBytes);

  constructor(private readonly seed: number) {}

  /** One turn. A hang, and memory that is exhausted, are findings like any other. */
  async run(turn: Turn): Promise<TurnResult> {
    const worker = this.started();
    const startedAt = this.executions();
    let hung = '';
    const timer = this.watch((reason) => {
      hung = reason;
      void worker.terminate();
    });
    const ending = await endingOf(worker, turn);
    clearInterval(timer);
    if ('executions' in ending) return ending;
    this.worker = undefined;
    const detail = hung === '' ? (ending.error?.stack ?? `the thread ended with code ${ending.code}`) : hung;
    const kind = hung !== '' ? 'hang' : /memory/i.test(detail) ? 'memory' : 'crash';
    const file = writeFinding({ target: turn.target, input: this.shownInput(), kind, detail });
    return { executions: this.executions() - startedAt, findings: [file], slowestMs: 0, places: 0 };
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
  }

  private started(): Worker {
    if (this.worker === undefined) {
      const data: ExecutorData = { seed: this.seed, current: this.current };
      this.worker = new Worker(new URL('./executor.mjs', import.meta.url), {
        workerData: data,
        resourceLimits: { maxOldGenerationSizeMb: heapMiB },
      });
    }
    return this.worker;
  }

  private watch(onHang: (reason: string) => void): NodeJS.Timeout {
    let last = { executions: -1, cpuMs: 0, wallMs: 0 };
    return setInterval(() => {
      const { user, system } = process.cpuUsage();
      const now = { executions: this.executions(), cpuMs: (user + system) / 1000, wallMs: performance.now() };
      if (now.executions !== last.executions) last = now;
      else if (now.cpuMs - last.cpuMs > hangCpuMs) onHang(`one execution has taken ${hangCpuMs / 1000} s of CPU time`);
      else if (now.wallMs - last.wallMs > hangWallMs) onHang(`one execution has not ended after ${hangWallMs / 1000} s`);
    }, everyMs);
  }

  private executions(): number {
    return Atomics.load(new Int32Array(this.current, 0, 1), 0);
  }

  /** What the thread was executing. */
  private shownInput(): Input {
    const length = Atomics.load(new Int32Array(this.current, 4, 1), 0);
    const shown = new Uint8Array(this.current, 8);
    if (length === 0) return {};
    const [, files] = JSON.parse(new TextDecoder().decode(shown.slice(0, length))) as [string, [string, number][]];
    const input: Record<string, Uint8Array> = {};
    let at = length;
    for (const [path, bytes] of files) {
      input[path] = shown.slice(at, at + bytes);
      at += bytes;
    }
    return input;
  }
}
