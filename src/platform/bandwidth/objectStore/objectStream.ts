import { randomFill, randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { CheckError } from '../../../core/bandwidth/checkError.js';
import type { ShapeFile } from '../../../core/bandwidth/checkShape.js';
import { addLatency, noLatencies, type LatencyCounts } from '../../../core/bandwidth/latencies.js';
import { monotonicNanoseconds } from '../sharedMemory.js';
import type { ObjectDirectory } from './objectDirectory.js';
import type { ObjectPhase } from './objectPhase.js';

const fillRandom = promisify<Uint8Array, Uint8Array>(randomFill);
const sampleBytes = 64;

/** A part as it was written. A piece of it is kept, to be compared with what is read. */
interface WrittenPart {
  from: number;
  bytes: number;
  sample: { at: number; bytes: Buffer };
}

export interface WrittenObject {
  name: string;
  parts: WrittenPart[];
}

/** What one stream did in one phase. */
export interface StreamResult {
  bytes: number;
  doneSeconds: number;
  isCut: boolean;
  /** Of single parts, from the request to its answer. */
  blocks: LatencyCounts;
  /** Of completing uploads. */
  syncs: LatencyCounts;
  objects: WrittenObject[];
  comparedBlocks: number;
}

/**
 * One stream of a check: writes its objects one after another, as a rank does, each in parts of which a few are on their way at the
 * same time.
 */
export class ObjectStream {
  readonly #directory: ObjectDirectory;
  readonly #partBytes: number;
  readonly #buffers: Buffer[];

  constructor(directory: ObjectDirectory, partBytes: number, partsAtOnce: number) {
    this.#directory = directory;
    this.#partBytes = partBytes;
    this.#buffers = Array.from({ length: partsAtOnce }, () => Buffer.alloc(partBytes));
  }

  async write(files: readonly ShapeFile[], phase: ObjectPhase): Promise<StreamResult> {
    const result = emptyResult();
    for (const { name, sizeBytes } of files) {
      if (phase.isStopped) break;
      if (phase.isLate() && result.bytes > 0) {
        result.isCut = true;
        break;
      }
      const parts = await (sizeBytes <= this.#partBytes
        ? this.#writeWhole(name, sizeBytes, phase, result)
        : this.#writeParts(name, sizeBytes, phase, result));
      result.objects.push({ name, parts });
    }
    return finished(result, phase);
  }

  async read(objects: readonly WrittenObject[], phase: ObjectPhase): Promise<StreamResult> {
    const result = emptyResult();
    for (const { name, parts } of objects) {
      let next = 0;
      await this.#together(phase, async () => {
        while (next < parts.length && !phase.isStopped) {
          if (phase.isLate() && result.bytes > 0) {
            result.isCut = true;
            return;
          }
          const part = parts[next++];
          if (part !== undefined) await this.#readPart(name, part, phase, result);
        }
      });
    }
    return finished(result, phase);
  }

  async #writeWhole(name: string, sizeBytes: number, phase: ObjectPhase, result: StreamResult): Promise<WrittenPart[]> {
    const [buffer] = this.#buffers;
    const data = await fillRandom((buffer ?? Buffer.alloc(0)).subarray(0, sizeBytes));
    await timed(result.blocks, () => this.#directory.put(name, data, phase.signal));
    count(sizeBytes, phase, result);
    return [{ from: 0, bytes: sizeBytes, sample: sampleOf(data) }];
  }

  async #writeParts(name: string, sizeBytes: number, phase: ObjectPhase, result: StreamResult): Promise<WrittenPart[]> {
    const upload = await this.#directory.beginUpload(name, phase.signal);
    const partCount = Math.ceil(sizeBytes / this.#partBytes);
    const tags: string[] = [];
    const parts: WrittenPart[] = [];
    let next = 0;
    await this.#together(phase, async (buffer) => {
      while (next < partCount && !phase.isStopped) {
        // An upload has one part at least; what was begun is completed.
        if (next > 0 && phase.isLate()) {
          result.isCut = true;
          return;
        }
        const index = next++;
        const from = index * this.#partBytes;
        const bytes = Math.min(this.#partBytes, sizeBytes - from);
        const data = await fillRandom(buffer.subarray(0, bytes));
        tags[index] = await timed(result.blocks, () => this.#directory.putPart(upload, index + 1, data, phase.signal));
        parts[index] = { from, bytes, sample: sampleOf(data) };
        count(bytes, phase, result);
      }
    });
    if (!phase.isStopped) {
      await timed(result.syncs, () => this.#directory.completeUpload(upload, tags, phase.signal));
    }
    return parts;
  }

  async #readPart(name: string, part: WrittenPart, phase: ObjectPhase, result: StreamResult): Promise<void> {
    const { from, bytes, sample } = part;
    const data = await timed(result.blocks, () => this.#directory.getRange(name, from, bytes, phase.signal));
    if (!data.subarray(sample.at, sample.at + sample.bytes.length).equals(sample.bytes)) {
      throw new CheckError('data-differ', `${name} has other bytes at ${from + sample.at} than were written`);
    }
    result.comparedBlocks += 1;
    count(bytes, phase, result);
  }

  /** As many at the same time as there are buffers. All of them have ended when this does. */
  async #together(phase: ObjectPhase, work: (buffer: Buffer) => Promise<void>): Promise<void> {
    const settled = await Promise.allSettled(this.#buffers.map((buffer) => phase.guard(() => work(buffer))));
    for (const result of settled) if (result.status === 'rejected') throw result.reason;
  }
}

function emptyResult(): StreamResult {
  return {
    bytes: 0,
    doneSeconds: 0,
    isCut: false,
    blocks: noLatencies(),
    syncs: noLatencies(),
    objects: [],
    comparedBlocks: 0,
  };
}

function finished(result: StreamResult, phase: ObjectPhase): StreamResult {
  return { ...result, doneSeconds: phase.elapsedSeconds() };
}

function count(bytes: number, phase: ObjectPhase, result: StreamResult): void {
  result.bytes += bytes;
  phase.doneBytes += bytes;
}

async function timed<T>(latencies: LatencyCounts, work: () => Promise<T>): Promise<T> {
  const began = monotonicNanoseconds();
  const result = await work();
  addLatency(latencies, Number(monotonicNanoseconds() - began) / 1e9);
  return result;
}

/** A piece at a place that is not foreseen. */
function sampleOf(data: Uint8Array): WrittenPart['sample'] {
  const length = Math.min(sampleBytes, data.length);
  const at = randomInt(data.length - length + 1);
  return { at, bytes: Buffer.from(data.subarray(at, at + length)) };
}
