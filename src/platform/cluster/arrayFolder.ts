/**
 * The folder of an array job: `job.json` says what each task does; each attempt of a task leaves a line a result in a file of its own, so that two
 * attempts at the same time, as after a node was lost that still runs, do not write into each other.
 */
import { appendFile, readdir, rm, rmdir, writeFile, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { arrayJobText, arrayWorks, parseArrayJob, resultLine, resultOfLine, type ArrayJob } from '../../app/jobs/arrayJob.js';
import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { JobError } from '../../core/jobs/jobError.js';
import { describeIoError } from '../ioError.js';
import { openRegularFile, readRegularText } from '../regularFile.js';

const jobName = 'job.json';

export async function writeArrayJob(folder: string, job: ArrayJob): Promise<void> {
  await writeNew(folder, jobName, arrayJobText(job));
}

/** Writes a file that is not there yet. @throws JobError `not-writable` */
export async function writeNew(folder: string, name: string, content: string | Uint8Array, mode = 0o600): Promise<string> {
  const file = path.join(folder, name);
  try {
    await writeFile(file, content, { mode, flag: 'wx' });
    return file;
  } catch (error) {
    throw new JobError('not-writable', `${file}: ${describeIoError(error)}`, { cause: error });
  }
}

/** @throws JobError `bad-setting` for a folder without a job of this version */
export async function readArrayJob(folder: string): Promise<ArrayJob> {
  try {
    return parseArrayJob(await readRegularText(path.join(folder, jobName), limits.arrayJobBytes));
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    throw new JobError('bad-setting', `${folder} is no folder of a job: ${jobName}: ${error.detail}`, { cause: error });
  }
}

/** `task-3-node7-4711.jsonl`: of the task, then of who did it. */
const resultName = /^task-(\d{1,9})-.*\.jsonl$/;

/** Of the tasks that are named, or of all. */
async function resultFiles(folder: string, task?: number): Promise<string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names
    .filter((name) => {
      const number = resultName.exec(name)?.[1];
      return number !== undefined && (task === undefined || Number(number) === task);
    })
    .sort();
}

/**
 * What tasks have left so far, by the numbers of the items. Of two results of one item the last one read counts.
 * @param task this one alone; all without it
 * @throws JobError `other-nodes` for a file that cannot be read, or is larger than any task leaves
 */
export async function readResults(folder: string, job: ArrayJob, task?: number): Promise<Map<number, unknown>> {
  const results = new Map<number, unknown>();
  const items = job.shares.reduce((sum, share) => sum + share.length, 0);
  for (const name of await resultFiles(folder, task)) {
    const file = path.join(folder, name);
    try {
      for await (const line of linesOf(file)) {
        const read = resultOfLine(arrayWorks[job.use], line);
        if (read !== null && read.item < items) results.set(read.item, read.result);
      }
    } catch (error) {
      throw new JobError('other-nodes', `${file} cannot be read: ${describeIoError(error)}`, { cause: error });
    }
  }
  return results;
}

/** @throws FormatError */
async function* linesOf(file: string): AsyncGenerator<string> {
  const { handle, sizeBytes } = await openRegularFile(file);
  try {
    if (sizeBytes > limits.arrayResultBytes) throw new FormatError('limit-exceeded', `it has ${sizeBytes} bytes`);
    yield* handle.readLines({ encoding: 'utf8', autoClose: false });
  } finally {
    await handle.close();
  }
}

/** Counts results as they come: lines that are whole, each byte read once. */
export class ResultCounter {
  private readonly counted = new Map<string, number>();
  private lines = 0;

  constructor(private readonly folder: string) {}

  /** Results so far, those of several attempts at one item more than once. Never rejected. */
  async count(): Promise<number> {
    for (const name of await resultFiles(this.folder)) {
      try {
        const { handle } = await openRegularFile(path.join(this.folder, name));
        await this.countIn(handle, name).finally(() => void handle.close());
      } catch {
        // It is counted with the next question, or not at all: only progress rests on it.
      }
    }
    return this.lines;
  }

  private async countIn(handle: FileHandle, name: string): Promise<void> {
    const start = this.counted.get(name) ?? 0;
    let at = start;
    for await (const chunk of handle.createReadStream({ start, autoClose: false }) as AsyncIterable<Buffer>) {
      for (let found = chunk.indexOf(0x0a); found !== -1; found = chunk.indexOf(0x0a, found + 1)) this.lines += 1;
      at += chunk.length;
      this.counted.set(name, at);
    }
  }
}

/** Results are on the disk after so long: what a lost node had not written is done again. */
const flushMs = 1_000;

/** Writes the results of one attempt. */
export class ResultWriter {
  private waiting = '';
  private written: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private failure: unknown;

  private constructor(private readonly file: string) {}

  /** @throws JobError `not-writable` */
  static async open(folder: string, task: number): Promise<ResultWriter> {
    const node = (process.env['SLURMD_NODENAME'] ?? hostname()).replace(/[^\w.-]/g, '_').slice(0, 64);
    const file = path.join(folder, `task-${task}-${node}-${process.pid}.jsonl`);
    try {
      await appendFile(file, '', { mode: 0o600 });
      return new ResultWriter(file);
    } catch (error) {
      throw new JobError('not-writable', `${file}: ${describeIoError(error)}`, { cause: error });
    }
  }

  add(item: number, result: unknown): void {
    this.waiting += resultLine(item, result);
    this.timer ??= setTimeout(() => void this.flush(), flushMs);
  }

  /** @throws JobError `not-writable` where a result could not be written */
  async close(): Promise<void> {
    await this.flush();
    if (this.failure === undefined) return;
    throw new JobError('not-writable', `results cannot be written: ${describeIoError(this.failure)}`, { cause: this.failure });
  }

  private flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.written = this.written.then(async () => {
      const text = this.waiting;
      this.waiting = '';
      if (text === '') return;
      try {
        await appendFile(this.file, text, { flush: true });
      } catch (error) {
        this.failure ??= error;
      }
    });
    return this.written;
  }
}

/** Files of a job that this program makes. */
const ownName = /^(job\.(json|sh|yaml)|cli\.js|log-\d+\.txt|task-\d+-.*\.jsonl)$/;

/** Removes a job's folder with what this program and its tasks put there, and nothing else. */
export async function removeArrayFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [] as string[]))
    if (ownName.test(name)) await rm(path.join(folder, name), { force: true });
  // What somebody else put there stays, and so does the folder.
  await rmdir(folder).catch(() => undefined);
}
