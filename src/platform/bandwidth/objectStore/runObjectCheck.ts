import os from 'node:os';
import { performance } from 'node:perf_hooks';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import { filesOfStreams } from '../../../core/bandwidth/checkShape.js';
import { mergeLatencies, summariseLatencies } from '../../../core/bandwidth/latencies.js';
import type { CheckHooks, CheckRequest, Measurement, PhaseSample } from '../../../core/bandwidth/measurement.js';
import { limits } from '../../../core/bytes/limits.js';
import { CheckBudget } from '../checkBudget.js';
import { CheckProgressReporter, partsOf } from '../checkProgressReporter.js';
import { monotonicNanoseconds } from '../sharedMemory.js';
import { ObjectDirectory } from './objectDirectory.js';
import { ObjectPhase } from './objectPhase.js';
import { ObjectStream, type StreamResult } from './objectStream.js';
import { storeError } from './storeError.js';
import type { ObjectStore } from './stores/objectStore.js';

/** Parts of one stream that are on their way at the same time: the least that a connection's way there and back does not slow. */
const partsAtOnce = 4;

/**
 * Measures an object store: writes the objects of the shape in parts, reads them back in ranges of the same size, and removes them, as
 * often as asked. However it ends, nothing of it is left where the store lets it be removed.
 * @param parent prefix below which the check makes its own
 * @throws CheckError
 */
export async function runObjectCheck(
  store: ObjectStore,
  parent: string,
  request: CheckRequest,
  hooks: CheckHooks,
  signal: AbortSignal,
): Promise<Measurement> {
  const slots = slotsOf(request, store);
  const progress = new CheckProgressReporter(request.repeats, partsOf(request), (now) => hooks.onProgress(now));
  let directory: ObjectDirectory | null = null;
  try {
    progress.enter('preparing', 1, 0);
    if (signal.aborted) throw new CheckError('cancelled', 'the check was cancelled');
    const names = request.shape.files.map(({ name }) => name);
    directory = await ObjectDirectory.make(store, parent, names, signal);
    return await new ObjectCheck({ directory, request, hooks, signal, progress }, slots).measure();
  } catch (error) {
    if (signal.aborted) throw new CheckError('cancelled', 'the check was cancelled', { cause: error });
    throw storeError(error, store.connection.host);
  } finally {
    await progress.endWithRemoval(directory);
  }
}

/** @throws CheckError `bad-setting` for parts that the store does not take */
function slotsOf({ shape: { files, blockBytes, streams } }: CheckRequest, { leastPartBytes }: ObjectStore): number {
  const largest = files.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0);
  if (largest > blockBytes && blockBytes < leastPartBytes)
    throw new CheckError('bad-setting', `the store takes parts of ${leastPartBytes} bytes and more, not of ${blockBytes}`);
  if (Math.ceil(largest / blockBytes) > limits.storeParts)
    throw new CheckError('bad-setting', `a file of ${largest} bytes has more than ${limits.storeParts} parts of ${blockBytes}`);
  const slots = Math.min(partsAtOnce, Math.floor(limits.checkBufferBytes / (streams * blockBytes)));
  if (slots < 1) throw new CheckError('bad-setting', `${streams} streams with parts of ${blockBytes} bytes take too much memory`);
  return slots;
}

interface CheckParts {
  directory: ObjectDirectory;
  request: CheckRequest;
  hooks: CheckHooks;
  signal: AbortSignal;
  progress: CheckProgressReporter;
}

/** One check from its marker to its measurement. */
class ObjectCheck {
  private readonly began = monotonicNanoseconds();
  private readonly startedAt = new Date().toISOString();
  private readonly budget: CheckBudget;
  private readonly streams: ObjectStream[];
  private readonly written: StreamResult[][] = [];
  private readonly read: StreamResult[][] = [];
  private writeCpuSeconds = 0;
  private busyShare = 0;

  constructor(
    private readonly parts: CheckParts,
    slots: number,
  ) {
    const { directory, request } = parts;
    const { streams, files, blockBytes } = request.shape;
    this.budget = new CheckBudget(request.seconds, request.repeats, false);
    const count = Math.min(streams, files.length);
    this.streams = Array.from({ length: count }, () => new ObjectStream(directory, blockBytes, slots));
  }

  async measure(): Promise<Measurement> {
    const { request, directory, signal } = this.parts;
    for (let repeat = 1; repeat <= request.repeats; repeat++) {
      const written = await this.writeOnce(repeat);
      await this.readOnce(repeat, written);
      const names = written.flatMap(({ objects }) => objects.map(({ name }) => name));
      await directory.removeObjects(names, signal);
    }
    return this.summarise();
  }

  private async writeOnce(repeat: number): Promise<StreamResult[]> {
    const { request, hooks, signal, progress } = this.parts;
    const { files, totalBytes } = request.shape;
    const shares = filesOfStreams({ files, streams: this.streams.length });
    await hooks.barrier?.(`write-${repeat}`, signal);
    const cpu = process.cpuUsage();
    const phase = new ObjectPhase(this.budget.writeSeconds());
    progress.enter('write', repeat, totalBytes, () => phase.doneBytes);
    const work = this.streams.map((stream, index) => () => stream.write(shares[index] ?? [], phase));
    const done = await this.runPhase(phase, work);
    const { user, system } = process.cpuUsage(cpu);
    this.writeCpuSeconds += (user + system) / 1e6;
    this.budget.spend(sampleOf(done).seconds);
    this.written.push(done);
    return done;
  }

  private async readOnce(repeat: number, written: readonly StreamResult[]): Promise<void> {
    const { hooks, signal, progress } = this.parts;
    const { bytes, seconds } = sampleOf(written);
    await hooks.barrier?.(`read-${repeat}`, signal);
    const phase = new ObjectPhase(this.budget.readSeconds(seconds));
    progress.enter('read', repeat, bytes, () => phase.doneBytes);
    const work = this.streams.map((stream, index) => () => stream.read(written[index]?.objects ?? [], phase));
    const done = await this.runPhase(phase, work);
    this.budget.spend(sampleOf(done).seconds);
    this.budget.endRepeat();
    this.read.push(done);
  }

  /** Also notes how busy this thread was: all streams share it. */
  private async runPhase(phase: ObjectPhase, work: (() => Promise<StreamResult>)[]): Promise<StreamResult[]> {
    const before = performance.eventLoopUtilization();
    const done = await phase.run(work, this.parts.signal);
    this.busyShare = Math.max(this.busyShare, performance.eventLoopUtilization(before).utilization);
    return done;
  }

  private summarise(): Measurement {
    const writes = this.written.flat();
    const reads = this.read.flat();
    return {
      startedAt: this.startedAt,
      elapsedSeconds: Number(monotonicNanoseconds() - this.began) / 1e9,
      machine: { name: os.hostname(), memoryBytes: os.totalmem(), cpus: os.availableParallelism() },
      write: {
        samples: this.written.map(sampleOf),
        // There is no O_DIRECT, and no cache of this machine either.
        isDirect: false,
        blocks: summariseLatencies(mergeLatencies(writes.map(({ blocks }) => blocks))),
        syncs: summariseLatencies(mergeLatencies(writes.map(({ syncs }) => syncs))),
      },
      read: {
        samples: this.read.map(sampleOf),
        // A store answers from its own memory what was just written, and does not say so.
        cache: 'possibly-cached',
        blocks: summariseLatencies(mergeLatencies(reads.map(({ blocks }) => blocks))),
        comparedBlocks: reads.reduce((sum, { comparedBlocks }) => sum + comparedBlocks, 0),
      },
      metadata: null,
      sweep: null,
      sustained: null,
      io: {
        writtenBytes: writes.reduce((sum, { bytes }) => sum + bytes, 0),
        readBytes: reads.reduce((sum, { bytes }) => sum + bytes, 0),
        // What goes over a network is more than the data, and partly encrypted.
        countedWrittenBytes: null,
        writeCpuSeconds: this.writeCpuSeconds,
        dataWaitShare: null,
        busyShare: this.busyShare,
      },
    };
  }
}

function sampleOf(done: readonly StreamResult[]): PhaseSample {
  return {
    bytes: done.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds: done.reduce((longest, { doneSeconds }) => Math.max(longest, doneSeconds), 0),
    firstDoneSeconds: done.reduce((shortest, { doneSeconds }) => Math.min(shortest, doneSeconds), Infinity),
    isCut: done.some(({ isCut }) => isCut),
  };
}
