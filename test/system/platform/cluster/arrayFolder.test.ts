/** What is in the folder of a job, whoever put it there. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resultLine, type ArrayJob } from '../../../../src/app/jobs/arrayJob.js';
import { limits } from '../../../../src/core/bytes/limits.js';
import {
  readArrayJob,
  readResults,
  removeArrayFolder,
  ResultCounter,
  ResultWriter,
  writeArrayJob,
} from '../../../../src/platform/cluster/arrayFolder.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'stowage-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const names = ['a', 'b', 'c'];
const job: ArrayJob = {
  use: 'verify',
  system: 'slurm',
  plan: { input: { path: '/data' }, files: names.map((name) => ({ path: name, bytes: 1 })) },
  shares: [[0, 2], [1]],
};

function outcomeOf(name: string, status: string) {
  return {
    modifiedMs: 1,
    outcome: {
      file: { path: name, bytes: 1, status, by: [], coverage: { bytes: 0, of: 1 }, damage: [], reason: null },
      hashedBytes: 1,
      covered: [],
      listed: null,
    },
  };
}

const put = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);

describe('results of tasks', () => {
  it('are those of all attempts, without what was cut and what is of no item', async () => {
    const line = resultLine(0, outcomeOf('a', 'same'));
    put('task-0-node1-10.jsonl', line + resultLine(2, outcomeOf('c', 'same')).slice(0, 50));
    put('task-0-node2-11.jsonl', resultLine(2, outcomeOf('c', 'changed')));
    put('task-1-node3-12.jsonl', `\n{}\nno JSON\n${resultLine(7, outcomeOf('x', 'same'))}`);
    put('task-1.jsonl', resultLine(1, outcomeOf('b', 'same')));
    const results = await readResults(folder, job);
    expect([...results]).toEqual([
      [0, outcomeOf('a', 'same')],
      [2, outcomeOf('c', 'changed')],
    ]);
    expect([...(await readResults(folder, job, 1)).keys()]).toEqual([]);
  });

  it('are refused where a file is larger than tasks leave, and not waited for where it is a pipe', async () => {
    put('task-0-node1-10.jsonl', '');
    truncateSync(path.join(folder, 'task-0-node1-10.jsonl'), limits.arrayResultBytes + 1);
    await expect(readResults(folder, job)).rejects.toMatchObject({ code: 'other-nodes' });
    rmSync(path.join(folder, 'task-0-node1-10.jsonl'));
    execFileSync('mkfifo', [path.join(folder, 'task-0-node1-11.jsonl')]);
    await expect(readResults(folder, job)).rejects.toMatchObject({ code: 'other-nodes' });
  });

  it('are counted as they come, each byte once', async () => {
    const counter = new ResultCounter(folder);
    expect(await counter.count()).toBe(0);
    put('task-0-node1-10.jsonl', 'one\ntw');
    expect(await counter.count()).toBe(1);
    appendFileSync(path.join(folder, 'task-0-node1-10.jsonl'), 'o\n');
    put('task-1-node1-10.jsonl', 'three\n');
    expect(await counter.count()).toBe(3);
    expect(await counter.count()).toBe(3);
  });

  it('are written whole, in the order in which they came', async () => {
    const writer = await ResultWriter.open(folder, 1);
    writer.add(1, outcomeOf('b', 'same'));
    writer.add(1, outcomeOf('b', 'changed'));
    await writer.close();
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^task-1-.*-\d+\.jsonl$/)]);
    expect([...(await readResults(folder, job))]).toEqual([[1, outcomeOf('b', 'changed')]]);
  });

  it('are missed where the folder is gone', async () => {
    const writer = await ResultWriter.open(folder, 1);
    rmSync(folder, { recursive: true });
    writer.add(1, outcomeOf('b', 'same'));
    await expect(writer.close()).rejects.toMatchObject({ code: 'not-writable' });
    await expect(ResultWriter.open(folder, 1)).rejects.toMatchObject({ code: 'not-writable' });
  });
});

describe('the folder of a job', () => {
  it('has the job as it was written, which is not written over', async () => {
    await writeArrayJob(folder, job);
    expect(await readArrayJob(folder)).toEqual(job);
    await expect(writeArrayJob(folder, job)).rejects.toMatchObject({ code: 'not-writable' });
  });

  it('is refused without one, and with one larger than any', async () => {
    await expect(readArrayJob(folder)).rejects.toMatchObject({ code: 'bad-setting' });
    put('job.json', '');
    truncateSync(path.join(folder, 'job.json'), limits.arrayJobBytes + 1);
    await expect(readArrayJob(folder)).rejects.toMatchObject({ code: 'bad-setting' });
  });

  it('is removed with what a job leaves, and stays where somebody else put something', async () => {
    for (const name of ['job.json', 'job.sh', 'log-0.txt', 'task-0-node1-10.jsonl', 'mine.txt']) put(name, 'x');
    mkdirSync(path.join(folder, 'log-1.txt.d'));
    await removeArrayFolder(folder);
    expect(readdirSync(folder).sort()).toEqual(['log-1.txt.d', 'mine.txt']);
  });
});

it('the program that pods get a copy of is within its bound', () => {
  expect(statSync('dist/cli.js').size).toBeLessThan(limits.programBytes);
});
