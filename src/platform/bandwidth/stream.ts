import { closeSync, constants, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { smallFileNames } from '../../core/bandwidth/checkNames.js';
import type { ShapeFile } from '../../core/bandwidth/checkShape.js';
import { addLatency, noLatencies, type LatencyCounts } from '../../core/bandwidth/latencies.js';
import { systemErrorCode } from '../os/systemErrorCode.js';
import { unlinkHeld, renameHeld } from '../os/heldFiles.js';
import { thisSystem } from '../os/thisSystem.js';
import { CheckControl, monotonicNanoseconds, readBlockOf, slotOf, type SharedMemory } from './sharedMemory.js';
import { BlockSamples } from './blockSamples.js';
import { CountedWrites } from './countedWrites.js';

/** Where a stream writes. */
export interface StreamPlace {
  /** What file names are put behind; on Linux it leads through an open directory, and so never elsewhere. */
  base: string;
  /** The open directory, for fsync; null where directories cannot be opened (Windows). */
  directoryDescriptor: number | null;
  isDirect: boolean;
}

/** What a stream is asked to do when its turn starts. */
export type StreamJob =
  | { kind: 'write'; turn: number; files: ShapeFile[] }
  | { kind: 'read'; turn: number; files: ShapeFile[] }
  /** Numbers from `first`, in steps of as many streams as there are, below `total`. */
  | { kind: 'small'; turn: number; first: number; step: number; total: number };

export interface WriteDone {
  kind: 'write';
  doneSeconds: number;
  isCut: boolean;
  bytes: number;
  /** What there is now: the last one may be shorter than it was to be. */
  files: ShapeFile[];
  blocks: LatencyCounts;
  syncs: LatencyCounts;
  /** Of `doneSeconds`, those in which no data were ready to be written. */
  dataWaitSeconds: number;
  /** What the kernel counted for this thread; null where it does not say. */
  countedBytes: number | null;
}

export interface ReadDone {
  kind: 'read';
  doneSeconds: number;
  isCut: boolean;
  bytes: number;
  blocks: LatencyCounts;
  comparedBlocks: number;
}

export interface SmallDone {
  kind: 'small';
  doneSeconds: number;
  isCut: boolean;
  files: number;
  create: LatencyCounts;
  sync: LatencyCounts;
  rename: LatencyCounts;
  remove: LatencyCounts;
  countedBytes: number | null;
}

export interface StreamFailure {
  kind: 'failed';
  /** Of the system (`ENOSPC`), or `data-differ`. */
  code: string;
  detail: string;
  /** The name of the file, where it is one's. */
  file: string | null;
}

export type StreamDone = WriteDone | ReadDone | SmallDone;
export type StreamReply = { kind: 'ready'; turn: number } | StreamDone | StreamFailure;

export const smallFileBytes = 4096;

/** One writer of a check, in a thread of its own. */
export class Stream {
  private readonly control: CheckControl;
  private readonly samples: BlockSamples;
  private readonly readBlock: Uint8Array<SharedArrayBuffer>;
  /** The block of data that is being written, and how much of it already was. */
  private current: { block: Uint8Array<SharedArrayBuffer>; usedBytes: number } | null = null;
  private dataWaitSeconds = 0;
  /** The file that an error would be about. */
  private file: string | null = null;

  constructor(
    private readonly memory: SharedMemory,
    private readonly index: number,
    private readonly place: StreamPlace,
  ) {
    this.control = new CheckControl(memory);
    this.samples = new BlockSamples();
    this.readBlock = readBlockOf(memory, index);
    // Memory that is first touched by the read itself is given out in long contiguous runs, which makes for fewer and larger requests to the
    // device (790 in place of 510 KiB, and reads a third faster) than a program gets that reads into memory of its own.
    this.readBlock.fill(1);
  }

  /** @param tellReady called once, right before the stream waits for its turn */
  run(job: StreamJob, tellReady: () => void): StreamDone | StreamFailure {
    this.file = null;
    try {
      tellReady();
      this.control.waitForTurn(job.turn);
      if (job.kind === 'write') return this.write(job.files);
      if (job.kind === 'read') return this.read(job.files);
      return this.writeSmallFiles(job);
    } catch (error) {
      const { message } = error as { message?: unknown };
      // The others need not go on.
      this.control.stop();
      return { kind: 'failed', code: systemErrorCode(error) ?? 'failed', detail: String(message), file: this.file };
    }
  }

  private write(files: ShapeFile[]): WriteDone {
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
    this.dataWaitSeconds = 0;
    this.samples.clear(Math.ceil(sumBytes(files) / this.memory.blockBytes) + files.length);
    for (const file of files) {
      if (this.mustEnd(done.bytes)) done.isCut = true;
      if (done.isCut) break;
      done.files.push(this.writeFile(file, done));
    }
    this.syncDirectory();
    done.doneSeconds = this.control.secondsSinceStart();
    done.dataWaitSeconds = this.dataWaitSeconds;
    done.countedBytes = counted.bytes();
    return done;
  }

  private writeFile({ name, sizeBytes }: ShapeFile, into: WriteDone): ShapeFile {
    const descriptor = this.create(name, this.place.isDirect);
    let offset = 0;
    try {
      while (offset < sizeBytes) {
        if (this.mustEnd(into.bytes)) into.isCut = true;
        const block = into.isCut ? null : this.takeData(Math.min(this.memory.blockBytes, sizeBytes - offset));
        // Without a block of data the check was stopped.
        if (block === null) into.isCut = true;
        if (block === null) break;
        this.samples.keep(block);
        addLatency(
          into.blocks,
          timed(() => this.writeFully(descriptor, block, offset)),
        );
        offset += block.length;
        into.bytes += block.length;
        this.control.setDone(this.index, into.bytes);
      }
      addLatency(
        into.syncs,
        timed(() => fsyncSync(descriptor)),
      );
    } finally {
      closeSync(descriptor);
    }
    return { name, sizeBytes: offset };
  }

  private read(files: ShapeFile[]): ReadDone {
    const done: ReadDone = { kind: 'read', doneSeconds: 0, isCut: false, bytes: 0, blocks: noLatencies(), comparedBlocks: 0 };
    this.samples.rewind();
    for (const file of files) {
      if (this.mustEnd(done.bytes)) done.isCut = true;
      if (done.isCut) break;
      this.readFile(file, done);
    }
    done.doneSeconds = this.control.secondsSinceStart();
    return done;
  }

  private readFile({ name, sizeBytes }: ShapeFile, into: ReadDone): void {
    const descriptor = this.open(name, constants.O_RDONLY, this.place.isDirect);
    try {
      for (let offset = 0; offset < sizeBytes;) {
        if (this.mustEnd(into.bytes)) into.isCut = true;
        if (into.isCut) break;
        const block = this.readBlock.subarray(0, Math.min(this.memory.blockBytes, sizeBytes - offset));
        addLatency(
          into.blocks,
          timed(() => this.readFully(descriptor, block, offset)),
        );
        const compared = this.samples.compare(block);
        if (compared === 'differs') throw differs(`the bytes near ${offset} are not those that were written`);
        if (compared === 'equal') into.comparedBlocks += 1;
        offset += block.length;
        into.bytes += block.length;
        this.control.setDone(this.index, into.bytes);
      }
    } finally {
      closeSync(descriptor);
    }
  }

  private writeSmallFiles({ first, step, total }: Extract<StreamJob, { kind: 'small' }>): SmallDone {
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
      const data = done.isCut ? null : this.takeData(smallFileBytes);
      if (data === null) done.isCut = true;
      if (data === null) break;
      made.push(this.writeSmallFile(index, data, done));
      this.control.setDone(this.index, made.length);
    }
    // Where the check was stopped, the one who ends it removes everything.
    for (const name of this.control.isStopped ? [] : made) {
      this.file = name;
      addLatency(
        done.remove,
        timed(() => unlinkHeld(this.place.base + name)),
      );
    }
    this.syncDirectory();
    done.files = made.length;
    done.doneSeconds = this.control.secondsSinceStart();
    done.countedBytes = counted.bytes();
    return done;
  }

  private writeSmallFile(index: number, data: Uint8Array, into: SmallDone): string {
    const { made, renamed } = smallFileNames(index);
    let descriptor = -1;
    addLatency(
      into.create,
      timed(() => (descriptor = this.create(made, false))),
    );
    try {
      this.writeFully(descriptor, data, 0);
      addLatency(
        into.sync,
        timed(() => fsyncSync(descriptor)),
      );
    } finally {
      closeSync(descriptor);
    }
    addLatency(
      into.rename,
      timed(() => renameHeld(this.place.base + made, this.place.base + renamed)),
    );
    return renamed;
  }

  /** A first block is always moved, however little time there is: without one there is no rate. */
  private mustEnd(done: number): boolean {
    return this.control.isStopped || (done > 0 && this.control.isPastDeadline());
  }

  private create(name: string, isDirect: boolean): number {
    // O_EXCL: never a file that somebody else has put there, and never through a link.
    return this.open(name, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, isDirect);
  }

  private open(name: string, flags: number, isDirect: boolean): number {
    this.file = name;
    const direct = isDirect ? (thisSystem.directFlag ?? 0) : 0;
    // Undefined on Windows.
    return openSync(this.place.base + name, flags | (constants.O_NOFOLLOW ?? 0) | direct, 0o600);
  }

  /** The next bytes that were never written before; null where the check was stopped. A block of data serves several small files. */
  private takeData(length: number): Uint8Array<SharedArrayBuffer> | null {
    const left = this.current === null ? 0 : this.memory.blockBytes - this.current.usedBytes;
    if (this.current !== null && left < length) {
      this.control.addTaken(this.index);
      this.current = null;
    }
    if (this.current === null) {
      let isFilled = false;
      this.dataWaitSeconds += timed(() => (isFilled = this.control.waitForFilled(this.index)));
      if (!isFilled) return null;
      this.current = { block: slotOf(this.memory, this.index, this.control.taken(this.index)), usedBytes: 0 };
    }
    const { block, usedBytes } = this.current;
    this.current.usedBytes += length;
    return block.subarray(usedBytes, usedBytes + length);
  }

  private writeFully(descriptor: number, data: Uint8Array, position: number): void {
    for (let written = 0; written < data.length;) {
      const count = writeSync(descriptor, data, written, data.length - written, position + written);
      if (count === 0) throw Object.assign(new Error('nothing more could be written'), { code: 'EIO' });
      written += count;
    }
  }

  private readFully(descriptor: number, into: Uint8Array, position: number): void {
    for (let read = 0; read < into.length;) {
      const count = readSync(descriptor, into, read, into.length - read, position + read);
      if (count === 0) throw differs(`it ends at ${position + read}, before what was written`);
      read += count;
    }
  }

  /** Makes the names of the files last as well as their data. */
  private syncDirectory(): void {
    this.file = null;
    if (this.place.directoryDescriptor === null) return;
    try {
      fsyncSync(this.place.directoryDescriptor);
    } catch (error) {
      // Some network and FUSE file systems have no fsync of directories.
      if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF'].includes((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

function timed(operation: () => void): number {
  const start = monotonicNanoseconds();
  operation();
  return Number(monotonicNanoseconds() - start) / 1e9;
}

function sumBytes(files: readonly ShapeFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function differs(detail: string): Error {
  return Object.assign(new Error(detail), { code: 'data-differ' });
}
