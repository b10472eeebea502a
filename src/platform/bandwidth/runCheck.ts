import os from 'node:os';
import { blockSlots, threadsOf, tooMuchMemory } from '../../core/bandwidth/blockMemory.js';
import { CheckError } from '../../core/bandwidth/checkError.js';
import type { CacheState, CheckHooks, CheckRequest, Measurement } from '../../core/bandwidth/measurement.js';
import { allSustainedFileNames } from '../../core/bandwidth/sustained/sustainedRequest.js';
import { sweepFileNames } from '../../core/bandwidth/sweep/sweepRequest.js';
import { limits } from '../../core/bytes/limits.js';
import { CheckDirectory } from './checkDirectory.js';
import { toCheckError } from './checkIoError.js';
import { CheckProgressReporter, partsOf } from './checkProgressReporter.js';
import { CheckThreads, StreamError } from './checkThreads.js';
import { readStoringFacts } from './fileSystemFacts.js';
import { cancelled, PhaseRunner, throwIfCancelled } from './phaseRunner.js';
import { probeDirect } from './probeDirect.js';
import { RepeatsRun } from './repeatsRun.js';
import { createSharedMemory, monotonicNanoseconds, type SharedMemory } from './sharedMemory.js';
import { runSustained, type IsSettled } from './sustainedRun.js';
import { runSweep } from './sweepRun.js';

export interface CheckOptions {
  /** A bundle that runs `runCheckThread` where `isCheckThread` says so. */
  threadFile: string;
  /** False writes through the cache even where the file system would do without. */
  allowDirect?: boolean;
  /** When the sustained rate has settled, in place of the usual rule. */
  isSettled?: IsSettled;
  /** Called with the directory once it exists. */
  onDirectory?(path: string): void;
}

/**
 * Measures a directory: makes one of its own in it, writes, reads and removes the files of the shape as often as asked, then makes
 * small files, sweeps over numbers of streams and measures the sustained rate, as far as these are asked for. However it ends, nothing
 * of it is left.
 * @throws CheckError
 */
export async function runCheck(
  request: CheckRequest,
  hooks: CheckHooks,
  signal: AbortSignal,
  options: CheckOptions,
): Promise<Measurement> {
  throwIfCancelled(signal);
  const progress = new CheckProgressReporter(request.repeats, partsOf(request), (now) => hooks.onProgress(now));
  let directory: CheckDirectory | null = null;
  try {
    progress.enter('preparing', 1, 0);
    directory = await CheckDirectory.make(request.target, namesOf(request), request.smallFiles);
    options.onDirectory?.(directory.path);
    return await measure({ request, hooks, signal, options, directory, progress });
  } catch (error) {
    if (error instanceof StreamError && error.code === 'EEXIST' && error.file !== null) directory?.disown(error.file);
    // Whatever else went wrong while it was being ended, the user asked for the end.
    if (signal.aborted) throw cancelled();
    throw toCheckError(error, error instanceof StreamError && error.file !== null ? error.file : 'the check');
  } finally {
    await progress.endWithRemoval(directory);
  }
}

/** All data files that a check may make. */
function namesOf({ shape, sweep, sustained }: CheckRequest): string[] {
  return [
    ...shape.files.map(({ name }) => name),
    ...(sweep === null ? [] : sweepFileNames(sweep)),
    ...(sustained === null ? [] : allSustainedFileNames(sustained)),
  ];
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
async function measure({ request, hooks, signal, options, directory, progress }: RunParts): Promise<Measurement> {
  const began = monotonicNanoseconds();
  const startedAt = new Date().toISOString();
  const memory = createSharedMemory(memorySizes(request));
  const storing = await readStoringFacts(directory.path);
  const isBypassed = !storing.isInMemory && !storing.hasOwnCache;
  const isDirect = isBypassed && options.allowDirect !== false && canBeDirect(request) && (await probeDirect(directory, memory));
  const place = { base: directory.base, directoryDescriptor: directory.descriptor };
  const threads = new CheckThreads(options.threadFile, memory, place);
  const stop = (): void => threads.control.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    throwIfCancelled(signal);
    const runner = new PhaseRunner({ threads, directory, progress, hooks, signal });
    const repeats = new RepeatsRun(runner, request, isDirect);
    const cache: CacheState = isDirect ? 'bypassed' : isBypassed ? 'dropped' : 'possibly-cached';
    const { write, read } = await repeats.measure(cache);
    const metadata = request.smallFiles > 0 ? await repeats.writeSmallFiles() : null;
    const { sweep, sustained } = request;
    return {
      startedAt,
      machine: { name: os.hostname(), memoryBytes: os.totalmem(), cpus: os.availableParallelism() },
      write,
      read,
      metadata,
      sweep: sweep && (await runSweep(runner, sweep, isDirect, repeats.fastestWrite())),
      // Last of all, as it spends the burst that the others are measured with.
      sustained: sustained && (await runSustained(runner, sustained, isDirect, options.isSettled)),
      io: runner.effort.summary(),
      elapsedSeconds: Number(monotonicNanoseconds() - began) / 1e9,
    };
  } finally {
    signal.removeEventListener('abort', stop);
    await threads.end();
  }
}

/** @throws CheckError where the blocks take more memory than a check may */
function memorySizes(request: CheckRequest): Omit<SharedMemory, 'blocks' | 'flags' | 'clocks'> {
  const { blockBytes } = request.shape;
  const streams = threadsOf(request);
  const slots = blockSlots(streams, blockBytes);
  if (slots === null) throw new CheckError('bad-setting', tooMuchMemory(streams, blockBytes));
  // One thread makes data at some 4 GB/s, more than two streams write to most storage; more threads than processors make none faster.
  const fillers = Math.min(Math.ceil(streams / 2), Math.max(1, Math.floor(os.availableParallelism() / 2)));
  return { streams, fillers, slots, blockBytes };
}

/** Past the cache only whole pages are written, at whole pages of the file. */
function canBeDirect({ shape }: CheckRequest): boolean {
  const sector = limits.checkSectorBytes;
  return shape.blockBytes % sector === 0 && shape.files.every(({ sizeBytes }) => sizeBytes % sector === 0);
}
