import type { ShapeFile } from '../../core/bandwidth/checkShape.js';
import { smallFileNames } from '../../core/bandwidth/checkNames.js';
import { addLatency, noLatencies } from '../../core/bandwidth/latencies.js';
import { systemErrorCode } from '../os/systemErrorCode.js';
import { BlockSamples } from './blockSamples.js';
import { CountedWrites } from './countedWrites.js';
import { CheckControl, readBlockOf, type SharedMemory } from './sharedMemory.js';
import { StreamData } from './streamData.js';
import { differs, readFully, StreamFiles, sync, timed, writeFully, type StreamPlace } from './streamFiles.js';
import {
  smallFileBytes,
  type ReadDone,
  type SmallDone,
  type StreamDone,
  type StreamFailure,
  type StreamJob,
  type SustainedDone,
  type WriteDone,
} from './streamJobs.js';
import { writeSustained } from './sustainedStream.js';

type JobOf<Kind extends StreamJob['kind']> = Extract<StreamJob, { kind: Kind }>;

/** One writer of a check, in a thread of its own. */
export class Stream {
  private readonly control: CheckControl;
  private readonly samples: BlockSamples;
  private readonly readBlock: Uint8Array<SharedArrayBuffer>;
  private readonly data: StreamData;
  private readonly files: StreamFiles;

  constructor(
    private readonly memory: SharedMemory,
    private readonly index: number,
    place: StreamPlace,
  ) {
    this.control = new CheckControl(memory);
    this.samples = new BlockSamples();
    this.data = new StreamData(memory, this.control, index);
    this.files = new StreamFiles(place);
    this.readBlock = readBlockOf(memory, index);
    // Memory that is first touched by the read itself is given out in long contiguous runs, which makes for fewer and larger requests to the
    // device (790 in place of 510 KiB, and reads a third faster) than a program gets that reads into memory of its own.
    this.readBlock.fill(1);
  }

  /** @param tellReady called once, right before the stream waits for its turn */
  run(job: StreamJob, tellReady: () => void): StreamDone | StreamFailure {
    this.files.current = null;
    try {
      tellReady();
      this.control.waitForTurn(job.turn);
      return this.do(job);
    } catch (error) {
      const { message } = error as { message?: unknown };
      // The others need not go on.
      this.control.stop();
      return { kind: 'failed', code: systemErrorCode(error) ?? 'failed', detail: String(message), file: this.files.current };
    }
  }

  private do(job: StreamJob): StreamDone {
    switch (job.kind) {
      case 'write':
        return this.write(job);
      case 'read':
        return this.read(job);
      case 'small':
        return this.writeSmallFiles(job);
      case 'sustained':
        return this.writeOn(job);
    }
  }

  private write({ files, isDirect }: JobOf<'write'>): WriteDone {
    const counted = new CountedWrites();
    const done: WriteDone = {
      kind: 'write',
      doneSeconds: 0,
      isCut: false,
      bytes: 0,
      files: [],
      blocks: noLatencies(),
      syncs: noLatencies(),
      dataWaitSeconds: 0,
      countedBytes: null,
    };
    this.data.waitSeconds = 0;
    this.samples.clear(Math.ceil(sumBytes(files) / this.memory.blockBytes) + files.length);
    for (const file of files) {
      if (this.mustEnd(done.bytes)) done.isCut = true;
      if (done.isCut) break;
      done.files.push(this.writeFile(file, isDirect, done));
    }
    this.files.syncDirectory();
    done.doneSeconds = this.control.secondsSinceStart();
    done.dataWaitSeconds = this.data.waitSeconds;
    done.countedBytes = counted.bytes();
    return done;
  }

  private writeFile({ name, sizeBytes }: ShapeFile, isDirect: boolean, into: WriteDone): ShapeFile {
    let offset = 0;
    this.files.create(name, isDirect, (descriptor) => {
      while (offset < sizeBytes) {
        if (this.mustEnd(into.bytes)) into.isCut = true;
        const block = into.isCut ? null : this.data.take(Math.min(this.memory.blockBytes, sizeBytes - offset));
        // Without a block of data the check was stopped.
        if (block === null) into.isCut = true;
        if (block === null) break;
        this.samples.keep(block);
        addLatency(
          into.blocks,
          timed(() => writeFully(descriptor, block, offset)),
        );
        offset += block.length;
        into.bytes += block.length;
        this.control.setDone(this.index, into.bytes);
      }
      addLatency(
        into.syncs,
        timed(() => sync(descriptor)),
      );
    });
    return { name, sizeBytes: offset };
  }

  private read({ files, isDirect }: JobOf<'read'>): ReadDone {
    const done: ReadDone = { kind: 'read', doneSeconds: 0, isCut: false, bytes: 0, blocks: noLatencies(), comparedBlocks: 0 };
    this.samples.rewind();
    for (const file of files) {
      if (this.mustEnd(done.bytes)) done.isCut = true;
      if (done.isCut) break;
      this.readFile(file, isDirect, done);
    }
    done.doneSeconds = this.control.secondsSinceStart();
    return done;
  }

  private readFile({ name, sizeBytes }: ShapeFile, isDirect: boolean, into: ReadDone): void {
    this.files.openToRead(name, isDirect, (descriptor) => {
      for (let offset = 0; offset < sizeBytes;) {
        if (this.mustEnd(into.bytes)) into.isCut = true;
        if (into.isCut) break;
        const block = this.readBlock.subarray(0, Math.min(this.memory.blockBytes, sizeBytes - offset));
        addLatency(
          into.blocks,
          timed(() => readFully(descriptor, block, offset)),
        );
        const compared = this.samples.compare(block);
        if (compared === 'differs') throw differs(`the bytes near ${offset} are not those that were written`);
        if (compared === 'equal') into.comparedBlocks += 1;
        offset += block.length;
        into.bytes += block.length;
        this.control.setDone(this.index, into.bytes);
      }
    });
  }

  private writeSmallFiles({ first, step, total }: JobOf<'small'>): SmallDone {
    const counted = new CountedWrites();
    const done: SmallDone = {
      kind: 'small',
      doneSeconds: 0,
      isCut: false,
      files: 0,
      create: noLatencies(),
      sync: noLatencies(),
      rename: noLatencies(),
      remove: noLatencies(),
      countedBytes: null,
    };
    const made: string[] = [];
    for (let index = first; index < total; index += step) {
      if (this.mustEnd(made.length)) done.isCut = true;
      const data = done.isCut ? null : this.data.take(smallFileBytes);
      if (data === null) done.isCut = true;
      if (data === null) break;
      made.push(this.writeSmallFile(index, data, done));
      this.control.setDone(this.index, made.length);
    }
    // Where the check was stopped, the one who ends it removes everything.
    for (const name of this.control.isStopped ? [] : made)
      addLatency(
        done.remove,
        timed(() => this.files.remove(name)),
      );
    this.files.syncDirectory();
    done.files = made.length;
    done.doneSeconds = this.control.secondsSinceStart();
    done.countedBytes = counted.bytes();
    return done;
  }

  private writeSmallFile(index: number, data: Uint8Array, into: SmallDone): string {
    const { made, renamed } = smallFileNames(index);
    this.files.createTimed(
      made,
      (seconds) => addLatency(into.create, seconds),
      (descriptor) => {
        writeFully(descriptor, data, 0);
        addLatency(
          into.sync,
          timed(() => sync(descriptor)),
        );
      },
    );
    addLatency(
      into.rename,
      timed(() => this.files.rename(made, renamed)),
    );
    return renamed;
  }

  private writeOn(job: JobOf<'sustained'>): SustainedDone {
    const { memory, control, data, files, index } = this;
    return writeSustained({ control, data, files, stream: index, blockBytes: memory.blockBytes }, job);
  }

  /** A first block is always moved, however little time there is: without one there is no rate. */
  private mustEnd(done: number): boolean {
    return this.control.isStopped || (done > 0 && this.control.isPastDeadline());
  }
}

function sumBytes(files: readonly ShapeFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}
