/** Reads the stretches of a task in the order of the files and counts their values. */
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../bytes/formatError.js';
import type { FileTree } from '../files/fileTree.js';
import { accumulatorOf } from './accumulatorOf.js';
import { compareExtents } from './batchTasks.js';
import { NumberAccumulator, type NumberDecoder } from './numberAccumulator.js';
import { sampledExtents } from './sampledExtents.js';
import { isItem, settledExtents } from './torchItem.js';
import { Unpacking } from './unpacking.js';
import { scaledDecoder } from './scaled/scaledDecoder.js';
import type { ScaleUse } from './scaled/scaling.js';
import { ValueFeed, type ValuePlace } from './valueFeed.js';
import { emptySummary, type Accumulator, type ValueSummary } from './valueSummary.js';
import type { StoredValues, ValueTask } from './valueTask.js';
import type { ValueExtent } from './valueExtent.js';

/** Bytes of one read: large enough that the call costs nothing, and two of them are in memory at once. */
export const blockBytes = 2 * 1024 * 1024;
/** Between two stretches that are read together. */
const mostGapBytes = 4096;

export interface ReadingHooks {
  signal?: AbortSignal | undefined;
  /** Called with the bytes of each block that was read. */
  onBytes?: ((bytes: number) => void) | undefined;
  /** Called with each task by its place in the list as soon as it is done. */
  onTask?: ((index: number, summaries: StoredSummary[]) => void) | undefined;
}

/** The values of the stretches that a row stands for. */
export interface StoredSummary {
  row: number;
  /** Whether packed values were multiplied by the scales beside them. */
  isScaled: boolean;
  summary: ValueSummary;
  /** Bytes of its stretches that were read. */
  bytes: number;
  /** The first value that is not finite. */
  place: ValuePlace | null;
  /** Why there are no numbers: a file that cannot be read, or ends too early. */
  problem: { path: string; offset: number; detail: string } | null;
}

/**
 * The values of a task. A file that cannot be read costs its own tensors alone.
 * @throws FormatError `cancelled`
 */
export async function readTask(
  tree: Pick<FileTree, 'open'>,
  task: ValueTask,
  { signal, onBytes }: ReadingHooks = {},
): Promise<StoredSummary[]> {
  const files = new OpenSource(tree, signal);
  const runs: StoredRun[] = [];
  try {
    for (const stored of task.stored) runs.push(await settledRun(stored, task.sample, files));
    const feeds = runs.flatMap((run) => run.feeds).sort((a, b) => compareExtents(a.extent, b.extent));
    const held = new Set<RunFeed>();
    for (const run of runs) await run.readScales(feeds, files, held);
    await sweep(feeds, held, files, onBytes);
  } finally {
    await files.end();
  }
  return runs.map((run) => run.result());
}

/** The run of stored values, whose stretches are moved to the values where these are in archives. */
async function settledRun(stored: StoredValues, sample: ValueTask['sample'], files: OpenSource): Promise<StoredRun> {
  const [first] = stored.extents;
  if (first === undefined || !stored.extents.some(isItem)) return new StoredRun(stored, sample);
  try {
    const read = async (path: string, offset: number, length: number): Promise<Uint8Array> =>
      (await files.at(path)).read(offset, length, files.signal);
    const extents = await settledExtents(stored.extents, read, async (path) => (await files.at(path)).sizeBytes);
    return new StoredRun({ ...stored, extents }, sample);
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    const run = new StoredRun({ ...stored, extents: [] }, sample);
    run.fail({ path: first.path, offset: error.offset ?? first.offset, detail: error.detail });
    return run;
  }
}

/** One stored run: its stretches, and what counts them. */
class StoredRun {
  readonly feeds: RunFeed[];
  private accumulator: Accumulator | null = null;
  private summary: ValueSummary | null = null;
  private place: ValuePlace | null = null;
  private problem: StoredSummary['problem'] = null;
  private left: number;
  private bytes = 0;
  private decoder: NumberDecoder | undefined;

  constructor(
    private readonly stored: StoredValues,
    sample: ValueTask['sample'],
  ) {
    const { extents, dtype } = stored;
    const read = sample === undefined ? extents : sampledExtents(extents, dtype, sample);
    this.feeds = read.map((extent) => new RunFeed(this, extent));
    this.left = this.feeds.length;
  }

  feed(feed: ValueFeed, bytes: Uint8Array): void {
    if (this.problem !== null) return;
    this.accumulator ??= this.newAccumulator();
    this.bytes += bytes.byteLength;
    const place = feed.push(bytes, this.accumulator, this.place === null);
    this.place ??= place;
  }

  /**
   * Reads what gives the scales. A tensor of the task that this is counts what was read, and is not read again.
   * @param held receives the stretches that are done
   */
  async readScales(feeds: readonly RunFeed[], files: OpenSource, held: Set<RunFeed>): Promise<void> {
    const { scaling } = this.stored;
    if (scaling === undefined) return;
    const parts = new Map<ScaleUse, Uint8Array>();
    for (const { use, extent } of scaling.parts) {
      const { bytes, problem } = await readBlock(extent, files);
      if (problem === null) parts.set(use, bytes);
      else return;
      const feed = feeds.find(
        (each) => !held.has(each) && compareExtents(each.extent, extent) === 0 && each.extent.bytes === extent.bytes,
      );
      if (feed === undefined) continue;
      held.add(feed);
      feed.push(bytes);
      feed.run.end();
    }
    const decoder = scaledDecoder(scaling, parts);
    const isWhole = this.stored.extents.every(({ bytes }) => bytes % (decoder?.unitBytes ?? 1) === 0);
    if (isWhole) this.decoder = decoder;
  }

  private newAccumulator(): Accumulator {
    const { dtype, isBigEndian } = this.stored;
    return this.decoder === undefined ? accumulatorOf(dtype, isBigEndian) : new NumberAccumulator(this.decoder);
  }

  get hasFailed(): boolean {
    return this.problem !== null;
  }

  fail(problem: NonNullable<StoredSummary['problem']>): void {
    this.problem ??= problem;
    this.accumulator = null;
  }

  /** A stretch is read to its end: after the last one the counters go. */
  end(): void {
    this.left -= 1;
    if (this.left > 0 || this.accumulator === null) return;
    this.summary = this.accumulator.summary();
    this.accumulator = null;
  }

  result(): StoredSummary {
    const { summary, bytes, place, problem } = this;
    return {
      row: this.stored.row,
      isScaled: this.decoder !== undefined,
      summary: summary ?? emptySummary(),
      bytes,
      place,
      problem,
    };
  }
}

/** A stretch on its way into its run. */
class RunFeed {
  private readonly feed: ValueFeed;
  private unpacking: Unpacking | undefined;

  constructor(
    readonly run: StoredRun,
    readonly extent: ValueExtent,
  ) {
    this.feed = new ValueFeed(extent);
  }

  get end(): number {
    return this.extent.offset + this.extent.bytes;
  }

  push(bytes: Uint8Array): void {
    const { packed, path, offset } = this.extent;
    if (packed === undefined) return this.run.feed(this.feed, bytes);
    if (this.run.hasFailed) return;
    this.unpacking ??= new Unpacking(this.extent, packed, (block) => this.run.feed(this.feed, block));
    const detail = this.unpacking.push(bytes);
    if (detail !== null) this.run.fail({ path, offset, detail });
  }
}

/** A read and the stretches that it has bytes of. */
interface Block {
  path: string;
  offset: number;
  bytes: number;
}

/** @param held stretches that were read before */
async function sweep(
  all: readonly RunFeed[],
  held: ReadonlySet<RunFeed>,
  files: OpenSource,
  onBytes: ((bytes: number) => void) | undefined,
): Promise<void> {
  const feeds = all.filter((feed) => !held.has(feed));
  let active: RunFeed[] = [];
  let next = 0;
  const blocks = blocksOf(all, held);
  let reading = readNext(blocks, files);
  try {
    for (let read = await reading; read !== undefined; read = await reading) {
      throwIfCancelled(files.signal);
      const { block, bytes, problem } = read;
      const end = block.offset + block.bytes;
      const isHere = ({ extent }: RunFeed): boolean => extent.path === block.path && extent.offset < end;
      while (next < feeds.length && isHere(feeds[next] as RunFeed)) active.push(feeds[next++] as RunFeed);
      if (problem !== null) await readApart(active, block, files);
      // The next block comes while this one is counted.
      reading = readNext(blocks, files);
      // A block may have a thousand tensors: each is ended before the next one takes counters.
      for (const feed of active) {
        if (problem === null) feed.push(part(bytes, block, feed.extent));
        if (feed.end <= end) feed.run.end();
      }
      active = active.filter((feed) => feed.end > end);
      onBytes?.(block.bytes);
    }
  } finally {
    // No file is closed under a read.
    await reading.catch(() => undefined);
  }
}

/** A block that cannot be read: what each stretch has of it by itself, so that only those are lost that have the bad place. */
async function readApart(feeds: readonly RunFeed[], block: Block, files: OpenSource): Promise<void> {
  for (const feed of feeds) {
    const offset = Math.max(block.offset, feed.extent.offset);
    const length = Math.min(block.offset + block.bytes, feed.end) - offset;
    const { bytes, problem } = await readBlock({ path: block.path, offset, bytes: length }, files);
    if (problem === null) feed.push(bytes);
    else feed.run.fail({ path: block.path, ...problem });
  }
}

function part(bytes: Uint8Array, block: Block, extent: ValueExtent): Uint8Array {
  return bytes.subarray(Math.max(0, extent.offset - block.offset), extent.offset + extent.bytes - block.offset);
}

/** The blocks that cover all stretches but those that are held, which are in order. */
function* blocksOf(feeds: readonly RunFeed[], held: ReadonlySet<RunFeed>): Generator<Block> {
  for (let at = 0; at < feeds.length;) {
    if (held.has(feeds[at] as RunFeed)) {
      at += 1;
      continue;
    }
    const { path, offset } = (feeds[at] as RunFeed).extent;
    const first = at;
    let end = offset;
    for (; at < feeds.length; at++) {
      const feed = feeds[at] as RunFeed;
      const isBehind = feed.extent.path !== path || feed.extent.offset > end + mostGapBytes;
      // What lies on others is read with them again.
      if (isBehind || (held.has(feed) && feed.extent.offset >= end)) break;
      if (!held.has(feed)) end = Math.max(end, feed.end);
    }
    const group = feeds.slice(first, at);
    for (let from = wantedFrom(group, offset); from < end; from = wantedFrom(group, from + blockBytes))
      yield { path, offset: from, bytes: Math.min(blockBytes, end - from) };
  }
}

/** Where the next bytes are that a stretch still takes. One that has failed takes none: a header may declare terabytes that the file does not have. */
function wantedFrom(group: readonly RunFeed[], from: number): number {
  const next = group.find((feed) => feed.end > from && !feed.run.hasFailed);
  return next === undefined ? Infinity : Math.max(from, next.extent.offset);
}

interface ReadBlock {
  block: Block;
  bytes: Uint8Array;
  problem: { offset: number; detail: string } | null;
}

async function readNext(blocks: Generator<Block>, files: OpenSource): Promise<ReadBlock | undefined> {
  const { value: block } = blocks.next() as { value: Block | undefined };
  return block && readBlock(block, files, files.nextBuffer());
}

/** @param buffer takes the bytes where the file can read into it */
async function readBlock(block: Block, files: OpenSource, buffer?: Uint8Array): Promise<ReadBlock> {
  try {
    const source = await files.at(block.path);
    const target = buffer?.subarray(0, block.bytes);
    if (target === undefined || source.readInto === undefined)
      return { block, bytes: await source.read(block.offset, block.bytes, files.signal), problem: null };
    await source.readInto(target, block.offset, files.signal);
    return { block, bytes: target, problem: null };
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    // A read that was given up may still write there.
    if (buffer !== undefined) files.dropBuffer(buffer);
    return { block, bytes: new Uint8Array(0), problem: { offset: error.offset ?? block.offset, detail: error.detail } };
  }
}

/** Buffers that no task uses: a thread has a task after the other. */
const freeBlocks: Uint8Array[] = [];
const mostFreeBlocks = 2;

function takeBlock(): Uint8Array {
  return freeBlocks.pop() ?? new Uint8Array(blockBytes);
}

function giveBlock(block: Uint8Array): void {
  if (freeBlocks.length < mostFreeBlocks) freeBlocks.push(block);
}

/** The file that is read now. */
class OpenSource {
  private path: string | undefined;
  private source: ByteSource | undefined;
  private readonly buffers = [takeBlock(), takeBlock()];

  constructor(
    private readonly tree: Pick<FileTree, 'open'>,
    readonly signal: AbortSignal | undefined,
  ) {}

  async at(path: string): Promise<ByteSource> {
    if (this.source !== undefined && this.path === path) return this.source;
    await this.close();
    this.source = await this.tree.open(path, this.signal);
    this.path = path;
    return this.source;
  }

  /** In turn one of two: the next block is read while one is counted. */
  nextBuffer(): Uint8Array {
    this.buffers.reverse();
    return this.buffers[0] as Uint8Array;
  }

  /** Takes another buffer in its place. */
  dropBuffer(buffer: Uint8Array): void {
    this.buffers[this.buffers.indexOf(buffer)] = new Uint8Array(blockBytes);
  }

  /** Ends reading: nothing uses the buffers any more. */
  async end(): Promise<void> {
    await this.close();
    for (const buffer of this.buffers.splice(0)) giveBlock(buffer);
  }

  async close(): Promise<void> {
    const { source } = this;
    this.source = undefined;
    await source?.close();
  }
}
