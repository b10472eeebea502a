import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { FormatError } from '../../core/bytes/formatError.js';
import type { Pass, Passes } from '../../core/verification/passes.js';
import type { PassResult, PassSpec } from '../../core/verification/passSpec.js';
import { Semaphore } from '../semaphore.js';
import { BlockPool } from './blockPool.js';
import { passThreadData } from './isPassThread.js';
import { passHere } from './passHere.js';
import type { PassMessage, PassReply } from './passThread.js';

/** Blocks that a thread has while the next one is read: it never waits for a disk that keeps up. */
const blocksAhead = 2;

/** Files that are hashed where they are read: handing them over would take as long. */
const hereBytes = 256 * 1024;

/** A thread takes some 50 MB, and eight hash faster than most file systems give: SHA-256 of 1.9 GB/s each. */
const mostThreads = 8;

/**
 * Threads that hash, one for each processor, at most eight. Files are read here, where access is checked, and blocks move to the threads without being copied.
 * @param threadFile a bundle that runs `runPassThread` where `isPassThread` says so
 */
export function createThreadPasses(
  threadFile: string,
  concurrency: number = Math.min(availableParallelism(), mostThreads),
): Passes {
  const places = new Semaphore(concurrency);
  const idle: PassThread[] = [];
  const all: PassThread[] = [];
  let isClosed = false;
  return {
    concurrency,
    async begin(spec) {
      if (spec.sizeBytes <= hereBytes) return passHere(spec);
      const release = await places.acquire();
      // A pass that waited while the verification was cancelled starts no thread: nothing would end it.
      if (isClosed) {
        release();
        throw new FormatError('cancelled', 'the verification has ended');
      }
      const thread = idle.pop() ?? new PassThread(threadFile);
      if (!all.includes(thread)) all.push(thread);
      return thread.begin(spec, () => {
        if (thread.isUsable) idle.push(thread);
        release();
      });
    },
    async close() {
      isClosed = true;
      await Promise.all(all.map((thread) => thread.terminate()));
    },
  };
}

class PassThread {
  private readonly worker: Worker;
  private failure: string | null = null;
  /** Blocks that are used up: of all files that the thread hashes these alone are in memory. */
  private readonly blocks = new BlockPool();
  private onReply: ((reply: PassReply) => void) | null = null;

  constructor(threadFile: string) {
    this.worker = new Worker(threadFile, { workerData: passThreadData, env: {}, execArgv: [], stdin: false });
    this.worker.on('message', (reply: PassReply) => this.reply(reply));
    this.worker.on('error', (error) => this.fail(error.message));
    this.worker.on('exit', () => this.fail('the thread ended'));
  }

  get isUsable(): boolean {
    return this.failure === null;
  }

  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  begin(spec: PassSpec, done: () => void): Pass {
    this.send({ kind: 'begin', spec });
    const run = new ThreadRun((message, transfer) => this.send(message, transfer), this.blocks, this.failure);
    this.onReply = (reply) => run.take(reply);
    let isDone = false;
    const finish = (): void => {
      if (isDone) return;
      isDone = true;
      this.onReply = null;
      done();
    };
    return {
      block: (length) => this.blocks.take(length),
      push: (bytes, offset) => run.push(bytes, offset),
      end: () => run.end().finally(finish),
      abandon: () => {
        // What the thread still answers of it must not reach the next pass.
        void run.drained().finally(finish);
      },
    };
  }

  private reply(reply: PassReply): void {
    this.onReply?.(reply);
  }

  private fail(detail: string): void {
    this.failure ??= detail;
    this.reply({ kind: 'failed', detail });
  }

  private send(message: PassMessage, transfer: ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer);
  }
}

/** One pass in a thread: how many blocks are on their way, and who waits. */
class ThreadRun {
  private onTheirWay = 0;
  private problem: FormatError | null;
  private wake: (() => void) | null = null;
  private result: PassResult | null = null;

  constructor(
    private readonly send: (message: PassMessage, transfer?: ArrayBuffer[]) => void,
    private readonly blocks: BlockPool,
    failure: string | null,
  ) {
    this.problem = failure === null ? null : failed(failure);
  }

  take(reply: PassReply): void {
    if (reply.kind === 'taken') {
      this.onTheirWay -= 1;
      this.blocks.give(reply.bytes);
    } else if (reply.kind === 'result') this.result = reply.result;
    else this.problem ??= failed(reply.detail);
    this.wake?.();
    this.wake = null;
  }

  async push(bytes: Uint8Array, offset: number): Promise<void> {
    if (this.problem !== null) throw this.problem;
    this.onTheirWay += 1;
    const { buffer } = bytes;
    const isOwn = buffer instanceof ArrayBuffer && (bytes.byteLength === buffer.byteLength || this.blocks.has(bytes));
    this.send({ kind: 'block', bytes: isOwn ? bytes : bytes.slice(), offset }, isOwn ? [buffer] : []);
    while (this.onTheirWay > blocksAhead && this.problem === null) await this.change();
  }

  async end(): Promise<PassResult> {
    this.send({ kind: 'end' });
    while (this.result === null) {
      if (this.problem !== null) throw this.problem;
      await this.change();
    }
    return this.result;
  }

  async drained(): Promise<void> {
    while (this.onTheirWay > 0 && this.problem === null) await this.change();
  }

  private change(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}

function failed(detail: string): FormatError {
  return new FormatError('io', `a thread of the verification failed: ${detail}`);
}
