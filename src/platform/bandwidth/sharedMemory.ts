/**
 * Memory that the threads of a check share: the data to write, and a few numbers by which they start, stop and tell how far they
 * are. A stream waits for nothing else while its clock runs.
 */

/** Sent to each thread. */
export interface SharedMemory {
  streams: number;
  fillers: number;
  /** Blocks of data that are made ahead for each stream. */
  slots: number;
  blockBytes: number;
  /** Of every stream its slots, and one block more to read into. Starts at a page's boundary, as O_DIRECT wants it. */
  blocks: SharedArrayBuffer;
  flags: SharedArrayBuffer;
  clocks: SharedArrayBuffer;
}

/** Memory is mapped by pages of 64 KiB, which hold whole pages of any processor. */
const wasmPageBytes = 65_536;
/** Cells of `flags` ahead of those of streams and fillers. */
const turnCell = 0;
const stopCell = 1;
const quitCell = 2;
const refusedCell = 3;
const firstStreamCell = 4;
/** Cells of `clocks`. */
const startCell = 0;
const deadlineCell = 1;
const bytesLeftCell = 2;
const firstDoneCell = 3;
/** A thread that nothing wakes looks by itself this often whether it is to stop. */
const lookMs = 100;

/** @throws RangeError where so much memory cannot be had */
export function createSharedMemory(sizes: Omit<SharedMemory, 'blocks' | 'flags' | 'clocks'>): SharedMemory {
  const { streams, fillers, slots, blockBytes } = sizes;
  const pages = Math.ceil((streams * (slots + 1) * blockBytes) / wasmPageBytes);
  // The only memory of JavaScript that begins at a page; an ArrayBuffer's begins 16 bytes after one, which O_DIRECT refuses (EINVAL).
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return {
    ...sizes,
    blocks: memory.buffer as unknown as SharedArrayBuffer,
    flags: new SharedArrayBuffer(4 * (firstStreamCell + 2 * streams + fillers)),
    clocks: new SharedArrayBuffer(8 * (firstDoneCell + streams)),
  };
}

/** Nanoseconds of a clock that all threads share and that is never adjusted. */
export function monotonicNanoseconds(): bigint {
  return process.hrtime.bigint();
}

/** What both the one who runs a check and its threads do with the shared numbers. */
export class CheckControl {
  private readonly flags: Int32Array;
  private readonly clocks: BigInt64Array;

  constructor(private readonly memory: SharedMemory) {
    this.flags = new Int32Array(memory.flags);
    this.clocks = new BigInt64Array(memory.clocks);
  }

  /** Lets all streams go that wait for this turn. The clock starts here. */
  start(turn: number, budgetSeconds: number): void {
    const now = monotonicNanoseconds();
    Atomics.store(this.clocks, startCell, now);
    Atomics.store(this.clocks, deadlineCell, now + BigInt(Math.round(budgetSeconds * 1e9)));
    Atomics.store(this.flags, turnCell, turn);
    Atomics.notify(this.flags, turnCell);
  }

  /** Ends the phase that is running, and any later one before its first block. */
  stop(): void {
    Atomics.store(this.flags, stopCell, 1);
    Atomics.notify(this.flags, turnCell);
    this.wakeAll();
  }

  /** Lets the threads that make data end. */
  quit(): void {
    Atomics.store(this.flags, quitCell, 1);
    this.stop();
  }

  get isStopped(): boolean {
    return Atomics.load(this.flags, stopCell) === 1;
  }

  get hasQuit(): boolean {
    return Atomics.load(this.flags, quitCell) === 1;
  }

  /** Blocks this thread until its turn starts. Answers false where it is to stop instead. */
  waitForTurn(turn: number): boolean {
    for (let seen = Atomics.load(this.flags, turnCell); seen < turn; seen = Atomics.load(this.flags, turnCell)) {
      if (this.isStopped) return false;
      Atomics.wait(this.flags, turnCell, seen, lookMs);
    }
    return !this.isStopped;
  }

  secondsSinceStart(): number {
    return Number(monotonicNanoseconds() - Atomics.load(this.clocks, startCell)) / 1e9;
  }

  /** Ends the phase that is running before its time; the streams end what they are writing. */
  endPhase(): void {
    Atomics.store(this.clocks, deadlineCell, Atomics.load(this.clocks, startCell));
  }

  /** Before a phase, while all streams rest: bytes that they may write together. */
  allowBytes(bytes: number): void {
    Atomics.store(this.flags, refusedCell, 0);
    Atomics.store(this.clocks, bytesLeftCell, BigInt(bytes));
  }

  /** Takes bytes of those that all streams may write; false, and no bytes taken, where fewer are left. */
  takeBytes(bytes: number): boolean {
    if (Atomics.sub(this.clocks, bytesLeftCell, BigInt(bytes)) >= BigInt(bytes)) return true;
    Atomics.add(this.clocks, bytesLeftCell, BigInt(bytes));
    Atomics.store(this.flags, refusedCell, 1);
    return false;
  }

  /** Whether a stream asked for more bytes than were left. */
  hasRefusedBytes(): boolean {
    return Atomics.load(this.flags, refusedCell) === 1;
  }

  isPastDeadline(): boolean {
    return monotonicNanoseconds() >= Atomics.load(this.clocks, deadlineCell);
  }

  /** How much of the phase a stream has done: bytes or files. */
  setDone(stream: number, done: number): void {
    Atomics.store(this.clocks, firstDoneCell + stream, BigInt(done));
  }

  /** Before a phase, while all streams rest: what they did in the one before is not counted again. */
  clearDone(): void {
    for (let stream = 0; stream < this.memory.streams; stream++) this.setDone(stream, 0);
  }

  doneOfAll(): number {
    let done = 0;
    for (let stream = 0; stream < this.memory.streams; stream++)
      done += Number(Atomics.load(this.clocks, firstDoneCell + stream));
    return done;
  }

  /** Blocks that were made for a stream since the beginning. Wraps after 2^31 blocks, as does `taken`. */
  filled(stream: number): number {
    return Atomics.load(this.flags, this.filledCell(stream));
  }

  taken(stream: number): number {
    return Atomics.load(this.flags, this.takenCell(stream));
  }

  addFilled(stream: number): void {
    Atomics.add(this.flags, this.filledCell(stream), 1);
    Atomics.notify(this.flags, this.filledCell(stream));
  }

  /** All data ahead that there is room for are made. */
  isAllFilled(): boolean {
    for (let stream = 0; stream < this.memory.streams; stream++) {
      if (((this.filled(stream) - this.taken(stream)) | 0) < this.memory.slots) return false;
    }
    return true;
  }

  /** Gives a block back to the filler of the stream. */
  addTaken(stream: number): void {
    Atomics.add(this.flags, this.takenCell(stream), 1);
    const cell = this.wakeCell(stream % this.memory.fillers);
    Atomics.add(this.flags, cell, 1);
    Atomics.notify(this.flags, cell);
  }

  /** Blocks this thread until the stream has a block of data, or is to stop. */
  waitForFilled(stream: number): boolean {
    const taken = this.taken(stream);
    while (this.filled(stream) === taken) {
      if (this.isStopped) return false;
      Atomics.wait(this.flags, this.filledCell(stream), taken, lookMs);
    }
    return true;
  }

  /** What `waitForWork` compares with: read it before looking for work, so that a block given back in between is not missed. */
  wakeCount(filler: number): number {
    return Atomics.load(this.flags, this.wakeCell(filler));
  }

  /** Blocks this thread until one of the filler's streams gave a block back, or for a moment. */
  waitForWork(filler: number, wakeCount: number): void {
    Atomics.wait(this.flags, this.wakeCell(filler), wakeCount, lookMs);
  }

  private wakeAll(): void {
    for (let stream = 0; stream < this.memory.streams; stream++) Atomics.notify(this.flags, this.filledCell(stream));
    for (let filler = 0; filler < this.memory.fillers; filler++) {
      Atomics.add(this.flags, this.wakeCell(filler), 1);
      Atomics.notify(this.flags, this.wakeCell(filler));
    }
  }

  private filledCell(stream: number): number {
    return firstStreamCell + 2 * stream;
  }

  private takenCell(stream: number): number {
    return firstStreamCell + 2 * stream + 1;
  }

  private wakeCell(filler: number): number {
    return firstStreamCell + 2 * this.memory.streams + filler;
  }
}

/** The block of a stream into which the filler writes and from which the stream does. */
export function slotOf(memory: SharedMemory, stream: number, count: number): Uint8Array<SharedArrayBuffer> {
  // `count` wraps at 2^31; as an unsigned number it goes on.
  return blockAt(memory, stream, (count >>> 0) % memory.slots);
}

/** The block into which a stream reads. */
export function readBlockOf(memory: SharedMemory, stream: number): Uint8Array<SharedArrayBuffer> {
  return blockAt(memory, stream, memory.slots);
}

function blockAt({ blocks, slots, blockBytes }: SharedMemory, stream: number, index: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(blocks, (stream * (slots + 1) + index) * blockBytes, blockBytes);
}
