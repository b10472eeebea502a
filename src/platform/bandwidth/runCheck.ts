import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { blockSlots, busyStreams, tooMuchMemory } from '../../core/bandwidth/blockMemory.js';
import { CheckError } from '../../core/bandwidth/checkError.js';
import { filesOfStreams, type ShapeFile } from '../../core/bandwidth/checkShape.js';
import { mergeLatencies, summariseLatencies } from '../../core/bandwidth/latencies.js';
import type {
  CacheState,
  CheckHooks,
  CheckPhase,
  CheckRequest,
  Measurement,
  PhaseSample,
} from '../../core/bandwidth/measurement.js';
import { appendAll } from '../../core/bytes/appendAll.js';
import { limits } from '../../core/bytes/limits.js';
import { CheckBudget } from './checkBudget.js';
import { CheckDirectory } from './checkDirectory.js';
import { toCheckError } from './checkIoError.js';
import { CheckProgressReporter } from './checkProgressReporter.js';
import { CheckThreads, StreamError } from './checkThreads.js';
import { dropPages } from './dropPages.js';
import { readStoringFacts } from './fileSystemFacts.js';
import { probeDirect } from './probeDirect.js';
import { createSharedMemory, monotonicNanoseconds, type SharedMemory } from './sharedMemory.js';
import { smallFileBytes, type ReadDone, type SmallDone, type StreamDone, type WriteDone } from './stream.js';

export interface CheckOptions {
  /** A bundle that runs `runCheckThread` where `isCheckThread` says so. */
  threadFile: string;
  /** False writes through the cache even where the file system would do without. */
  allowDirect?: boolean;
  /** Called with the directory once it exists. */
  onDirectory?(path: string): void;
}

/** Longest wait for data ahead of the streams; they would wait for them themselves. */
const dataAheadTimeoutMs = 2_000;

/**
 * Measures a directory: makes one of its own in it, writes, reads and removes the files of the shape as often as asked, then makes
 * small files. However it ends, nothing of it is left.
 * @throws CheckError
 */
export async function runCheck(
  request: CheckRequest,
  hooks: CheckHooks,
  signal: AbortSignal,
  options: CheckOptions,
): Promise<Measurement> {
  throwIfCancelled(signal);
  const names = request.shape.files.map(({ name }) => name);
  const progress = new CheckProgressReporter(request.repeats, (now) => hooks.onProgress(now));
  let directory: CheckDirectory | null = null;
  try {
    progress.enter('preparing', 1, 0);
    directory = await CheckDirectory.make(request.target, names, request.smallFiles);
    options.onDirectory?.(directory.path);
    return await new CheckRun({ request, hooks, signal, options, directory, progress }).measure();
  } catch (error) {
    if (error instanceof StreamError && error.code === 'EEXIST' && error.file !== null) directory?.disown(error.file);
    // Whatever else went wrong while it was being ended, the user asked for the end.
    if (signal.aborted) throw cancelled();
    throw toCheckError(error, error instanceof StreamError && error.file !== null ? error.file : 'the check');
  } finally {
    await progress.endWithRemoval(directory);
  }
}

interface RunParts {
  request: CheckRequest;
  hooks: CheckHooks;
  signal: AbortSignal;
  options: CheckOptions;
  directory: CheckDirectory;
  progress: CheckProgressReporter;
}

/** One check from its directory to its measurement. */
class CheckRun {
  private readonly began = monotonicNanoseconds();
  private readonly startedAt = new Date().toISOString();
  private readonly budget: CheckBudget;
  private readonly memory: SharedMemory;
  private readonly writes: PhaseSample[] = [];
  private readonly reads: PhaseSample[] = [];
  private readonly written: WriteDone[] = [];
  private readonly read: ReadDone[] = [];
  private readonly small: SmallDone[] = [];
  private writeCpuSeconds = 0;

  constructor(private readonly parts: RunParts) {
    const { request } = parts;
    this.budget = new CheckBudget(request.seconds, request.repeats, request.smallFiles > 0);
    this.memory = createSharedMemory(memorySizes(request));
  }

  async measure(): Promise<Measurement> {
    const { request, signal, options, directory } = this.parts;
    const storing = await readStoringFacts(directory.path);
    const isBypassed = !storing.isInMemory && !storing.hasOwnCache;
    const isDirect =
      isBypassed && options.allowDirect !== false && canBeDirect(request) && (await probeDirect(directory, this.memory));
    const place = { base: directory.base, directoryDescriptor: directory.descriptor, isDirect };
    const threads = new CheckThreads(options.threadFile, this.memory, place);
    const stop = (): void => threads.control.stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      throwIfCancelled(signal);
      let cache: CacheState = isDirect ? 'bypassed' : isBypassed ? 'dropped' : 'possibly-cached';
      for (let repeat = 1; repeat <= request.repeats; repeat++) {
        const files = await this.writeOnce(threads, repeat);
        if (cache === 'dropped' && !(await dropPages(directory.path, files.flat(), signal))) cache = 'possibly-cached';
        await this.readOnce(threads, repeat, files);
        await directory.removeFiles(files.flat().map(({ name }) => name));
        // What the removal leaves to be done is done before the next clock starts.
        await directory.sync();
      }
      const metadata = request.smallFiles > 0 ? await this.writeSmallFiles(threads) : null;
      return this.summarise(isDirect, cache, metadata);
    } finally {
      signal.removeEventListener('abort', stop);
      await threads.end();
    }
  }

  /** Answers what each stream has written. */
  private async writeOnce(threads: CheckThreads, repeat: number): Promise<ShapeFile[][]> {
    const { files, totalBytes } = this.parts.request.shape;
    const shares = filesOfStreams({ files, streams: this.memory.streams });
    await this.waitForData(threads);
    let cpu = process.cpuUsage();
    this.enter(threads, 'write', repeat, totalBytes);
    const done = await this.runPhase<WriteDone>(
      threads,
      `write-${repeat}`,
      (stream, turn) => ({ kind: 'write', turn, files: shares[stream] ?? [] }),
      this.budget.writeSeconds(),
      () => (cpu = process.cpuUsage()),
    );
    // The data that were made ahead before the clock started are made again, so that the making of all data is counted.
    await this.waitForData(threads);
    const { user, system } = process.cpuUsage(cpu);
    this.writeCpuSeconds += (user + system) / 1e6;
    const sample = sampleOf(done);
    this.budget.spend(sample.seconds);
    this.writes.push(sample);
    appendAll(this.written, done);
    return done.map((part) => part.files);
  }

  private async readOnce(threads: CheckThreads, repeat: number, files: ShapeFile[][]): Promise<void> {
    const total = this.writes.at(-1)?.bytes ?? 0;
    this.enter(threads, 'read', repeat, total);
    const done = await this.runPhase<ReadDone>(
      threads,
      `read-${repeat}`,
      (stream, turn) => ({ kind: 'read', turn, files: files[stream] ?? [] }),
      this.budget.readSeconds(this.writes.at(-1)?.seconds ?? 0),
    );
    const sample = sampleOf(done);
    this.budget.spend(sample.seconds);
    this.budget.endRepeat();
    this.reads.push(sample);
    appendAll(this.read, done);
  }

  private async writeSmallFiles(threads: CheckThreads): Promise<Measurement['metadata']> {
    const { smallFiles, repeats } = this.parts.request;
    const step = this.memory.streams;
    this.enter(threads, 'metadata', repeats, smallFiles);
    const done = await this.runPhase<SmallDone>(
      threads,
      'metadata',
      (first, turn) => ({ kind: 'small', turn, first, step, total: smallFiles }),
      this.budget.remainingSeconds(),
    );
    appendAll(this.small, done);
    return {
      files: done.reduce((sum, part) => sum + part.files, 0),
      streams: step,
      seconds: done.reduce((longest, part) => Math.max(longest, part.doneSeconds), 0),
      isCut: done.some((part) => part.isCut),
      create: summariseLatencies(mergeLatencies(done.map((part) => part.create))),
      sync: summariseLatencies(mergeLatencies(done.map((part) => part.sync))),
      rename: summariseLatencies(mergeLatencies(done.map((part) => part.rename))),
      remove: summariseLatencies(mergeLatencies(done.map((part) => part.remove))),
    };
  }

  private enter({ control }: CheckThreads, phase: CheckPhase, repeat: number, total: number): void {
    control.clearDone();
    this.parts.progress.enter(phase, repeat, total, () => control.doneOfAll());
  }

  private async runPhase<Done extends StreamDone>(
    threads: CheckThreads,
    name: string,
    jobOf: Parameters<CheckThreads['run']>[0],
    budgetSeconds: number,
    onStart: () => void = () => undefined,
  ): Promise<Done[]> {
    const { hooks, signal } = this.parts;
    throwIfCancelled(signal);
    const done = await threads.run<Done>(jobOf, budgetSeconds, async () => {
      await hooks.barrier?.(name, signal);
      onStart();
    });
    throwIfCancelled(signal);
    return done;
  }

  private async waitForData(threads: CheckThreads): Promise<void> {
    const until = monotonicNanoseconds() + BigInt(dataAheadTimeoutMs) * 1_000_000n;
    while (!threads.control.isAllFilled() && !threads.control.isStopped && monotonicNanoseconds() < until) await delay(1);
  }

  private dataWaitShare(): number {
    const waitedSeconds = this.written.reduce((sum, part) => sum + part.dataWaitSeconds, 0);
    const writingSeconds = this.written.reduce((sum, part) => sum + part.doneSeconds, 0);
    return writingSeconds === 0 ? 0 : waitedSeconds / writingSeconds;
  }

  private summarise(isDirect: boolean, cache: CacheState, metadata: Measurement['metadata']): Measurement {
    const smallBytes = (metadata?.files ?? 0) * smallFileBytes;
    const counts = [...this.written, ...this.small].map((part) => part.countedBytes);
    return {
      startedAt: this.startedAt,
      elapsedSeconds: Number(monotonicNanoseconds() - this.began) / 1e9,
      machine: { name: os.hostname(), memoryBytes: os.totalmem(), cpus: os.availableParallelism() },
      write: {
        samples: this.writes,
        isDirect,
        blocks: summariseLatencies(mergeLatencies(this.written.map((part) => part.blocks))),
        syncs: summariseLatencies(mergeLatencies(this.written.map((part) => part.syncs))),
      },
      read: {
        samples: this.reads,
        cache,
        blocks: summariseLatencies(mergeLatencies(this.read.map((part) => part.blocks))),
        comparedBlocks: this.read.reduce((sum, part) => sum + part.comparedBlocks, 0),
      },
      metadata,
      io: {
        writtenBytes: sumOf(this.writes) + smallBytes,
        readBytes: sumOf(this.reads),
        countedWrittenBytes: counts.reduce<number | null>(
          (sum, bytes) => (sum === null || bytes === null ? null : sum + bytes),
          0,
        ),
        writeCpuSeconds: this.writeCpuSeconds,
        dataWaitShare: this.dataWaitShare(),
        busyShare: null,
      },
    };
  }
}

/** @throws CheckError where the blocks take more memory than a check may */
function memorySizes({ shape }: CheckRequest): Omit<SharedMemory, 'blocks' | 'flags' | 'clocks'> {
  const slots = blockSlots(shape);
  if (slots === null) throw new CheckError('bad-setting', tooMuchMemory(shape));
  const streams = busyStreams(shape);
  // One thread makes data at some 4 GB/s, more than two streams write to most storage; more threads than processors make none faster.
  const fillers = Math.min(Math.ceil(streams / 2), Math.max(1, Math.floor(os.availableParallelism() / 2)));
  return { streams, fillers, slots, blockBytes: shape.blockBytes };
}

/** Past the cache only whole pages are written, at whole pages of the file. */
function canBeDirect({ shape }: CheckRequest): boolean {
  const sector = limits.checkSectorBytes;
  return shape.blockBytes % sector === 0 && shape.files.every(({ sizeBytes }) => sizeBytes % sector === 0);
}

function sampleOf(done: readonly (WriteDone | ReadDone)[]): PhaseSample {
  return {
    bytes: done.reduce((sum, part) => sum + part.bytes, 0),
    seconds: done.reduce((longest, part) => Math.max(longest, part.doneSeconds), 0),
    firstDoneSeconds: done.reduce((shortest, part) => Math.min(shortest, part.doneSeconds), Infinity),
    isCut: done.some((part) => part.isCut),
  };
}

function sumOf(samples: readonly PhaseSample[]): number {
  return samples.reduce((sum, { bytes }) => sum + bytes, 0);
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled();
}

function cancelled(): CheckError {
  return new CheckError('cancelled', 'the check was cancelled');
}
