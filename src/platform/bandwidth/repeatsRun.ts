import { filesOfStreams, type ShapeFile } from '../../core/bandwidth/checkShape.js';
import { busyStreams } from '../../core/bandwidth/blockMemory.js';
import { mergeLatencies, summariseLatencies } from '../../core/bandwidth/latencies.js';
import type {
  CacheState,
  CheckRequest,
  MetadataMeasurement,
  PhaseSample,
  ReadMeasurement,
  WriteMeasurement,
} from '../../core/bandwidth/measurement.js';
import { appendAll } from '../../core/bytes/appendAll.js';
import { CheckBudget } from './checkBudget.js';
import { dropPages } from './dropPages.js';
import type { PhaseRunner } from './phaseRunner.js';
import type { ReadDone, SmallDone, WriteDone } from './streamJobs.js';

/** The repeats of a check, which write, read and remove the files of its shape, and its small files. */
export class RepeatsRun {
  private readonly budget: CheckBudget;
  private readonly streams: number;
  private readonly writes: PhaseSample[] = [];
  private readonly reads: PhaseSample[] = [];
  private readonly written: WriteDone[] = [];
  private readonly read: ReadDone[] = [];

  constructor(
    private readonly runner: PhaseRunner,
    private readonly request: CheckRequest,
    private readonly isDirect: boolean,
  ) {
    this.budget = new CheckBudget(request.seconds, request.repeats, request.smallFiles > 0);
    this.streams = busyStreams(request.shape);
  }

  /** @param cache what may be expected of it; `dropped` becomes `possibly-cached` where the system does not drop it */
  async measure(cache: CacheState): Promise<{ write: WriteMeasurement; read: ReadMeasurement }> {
    const { runner, request } = this;
    let state = cache;
    for (let repeat = 1; repeat <= request.repeats; repeat++) {
      const files = await this.writeOnce(repeat);
      if (state === 'dropped' && !(await dropPages(runner.directory.path, files.flat(), runner.signal)))
        state = 'possibly-cached';
      await this.readOnce(repeat, files);
      await runner.removeFiles(files.flat().map(({ name }) => name));
    }
    return this.summarise(state);
  }

  /** Fastest rate that a repeat wrote with, in bytes a second. */
  fastestWrite(): number {
    return this.writes.reduce((most, { bytes, seconds }) => (seconds > 0 ? Math.max(most, bytes / seconds) : most), 0);
  }

  /** Answers what each stream has written. */
  private async writeOnce(repeat: number): Promise<ShapeFile[][]> {
    const { runner, isDirect } = this;
    const { files, totalBytes } = this.request.shape;
    const shares = filesOfStreams({ files, streams: this.streams });
    runner.enter('write', repeat, totalBytes);
    const done = await runner.write<WriteDone>(
      this.streams,
      `write-${repeat}`,
      (stream, turn) => ({ kind: 'write', turn, files: shares[stream] ?? [], isDirect }),
      this.budget.writeSeconds(),
    );
    const sample = sampleOf(done);
    this.budget.spend(sample.seconds);
    this.writes.push(sample);
    appendAll(this.written, done);
    return done.map((part) => part.files);
  }

  private async readOnce(repeat: number, files: ShapeFile[][]): Promise<void> {
    const { runner, isDirect } = this;
    const before = this.writes.at(-1);
    runner.enter('read', repeat, before?.bytes ?? 0);
    const done = await runner.run<ReadDone>(
      this.streams,
      `read-${repeat}`,
      (stream, turn) => ({ kind: 'read', turn, files: files[stream] ?? [], isDirect }),
      this.budget.readSeconds(before?.seconds ?? 0),
    );
    const sample = sampleOf(done);
    this.budget.spend(sample.seconds);
    this.budget.endRepeat();
    this.reads.push(sample);
    runner.effort.addRead(sample.bytes);
    appendAll(this.read, done);
  }

  /** Makes and removes the small files of the check of metadata. */
  async writeSmallFiles(): Promise<MetadataMeasurement> {
    const { runner, streams } = this;
    const { smallFiles, repeats } = this.request;
    runner.enter('metadata', repeats, smallFiles);
    const done = await runner.run<SmallDone>(
      streams,
      'metadata',
      (first, turn) => ({ kind: 'small', turn, first, step: streams, total: smallFiles }),
      this.budget.remainingSeconds(),
    );
    runner.effort.addSmall(done);
    return {
      files: done.reduce((sum, part) => sum + part.files, 0),
      streams,
      seconds: done.reduce((longest, part) => Math.max(longest, part.doneSeconds), 0),
      isCut: done.some((part) => part.isCut),
      create: summariseLatencies(mergeLatencies(done.map((part) => part.create))),
      sync: summariseLatencies(mergeLatencies(done.map((part) => part.sync))),
      rename: summariseLatencies(mergeLatencies(done.map((part) => part.rename))),
      remove: summariseLatencies(mergeLatencies(done.map((part) => part.remove))),
    };
  }

  private summarise(cache: CacheState): { write: WriteMeasurement; read: ReadMeasurement } {
    return {
      write: {
        samples: this.writes,
        isDirect: this.isDirect,
        blocks: summariseLatencies(mergeLatencies(this.written.map((part) => part.blocks))),
        syncs: summariseLatencies(mergeLatencies(this.written.map((part) => part.syncs))),
      },
      read: {
        samples: this.reads,
        cache,
        blocks: summariseLatencies(mergeLatencies(this.read.map((part) => part.blocks))),
        comparedBlocks: this.read.reduce((sum, part) => sum + part.comparedBlocks, 0),
      },
    };
  }
}

function sampleOf(done: readonly (WriteDone | ReadDone)[]): PhaseSample {
  return {
    bytes: done.reduce((sum, part) => sum + part.bytes, 0),
    seconds: done.reduce((longest, part) => Math.max(longest, part.doneSeconds), 0),
    firstDoneSeconds: done.reduce((shortest, part) => Math.min(shortest, part.doneSeconds), Infinity),
    isCut: done.some((part) => part.isCut),
  };
}
