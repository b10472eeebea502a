/** A search with a cache answers as one without it, lists less, and goes on after it was ended at any point. */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listRuns } from '../../../src/app/runs/listRuns.js';
import type { RunsReport } from '../../../src/core/runs/runsReport.js';
import { unknownRoom } from '../../../src/core/runs/storageRoom.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { FolderCacheFile } from '../../../src/platform/folderCacheFile.js';
import { nodeFiles } from '../../../src/platform/nodeFiles.js';
import { createFollowedFolders } from '../../../src/platform/nodeFolders.js';

let root = '';
let file = '';

/** Long ago, so that nothing is taken to be under way. */
const oldSeconds = Date.UTC(2026, 0, 1) / 1000;

function age(target: string, seconds = oldSeconds): void {
  utimesSync(target, seconds, seconds);
}

function save(run: string, step: number): string {
  const folder = path.join(root, run, `checkpoint-${step}`);
  mkdirSync(folder, { recursive: true });
  for (const name of ['model.safetensors', 'optimizer.pt', 'scheduler.pt', 'trainer_state.json']) {
    writeFileSync(path.join(folder, name), 'x'.repeat(step));
    age(path.join(folder, name), oldSeconds + step);
  }
  for (let at = folder; at !== path.dirname(root); at = path.dirname(at)) age(at);
  return folder;
}

beforeEach(() => {
  const place = mkdtempSync(path.join(tmpdir(), 'stowage-'));
  root = path.join(place, 'scratch');
  file = path.join(place, 'cache.gz');
  for (const run of ['a/one', 'b/c/two']) for (const step of [100, 200, 300]) save(run, step);
});
afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }));

function search(cacheFile: string | null, signal?: AbortSignal): Promise<RunsReport> {
  const place = {
    path: root,
    openFolders: () => nodeFiles.openFolders(root, cacheFile),
    room: () => Promise.resolve(unknownRoom),
  };
  return listRuns(place, signal);
}

const withoutCount = ({ coverage: { unchanged: _, ...coverage }, ...report }: RunsReport): unknown => ({ ...report, coverage });

async function agrees(): Promise<number> {
  const report = await search(file);
  expect(withoutCount(report)).toEqual(withoutCount(await search(null)));
  return report.coverage.unchanged;
}

/** The root, three directories above runs, two runs and six checkpoints. */
const directories = 12;

describe('a cache of directories', () => {
  it('lists nothing again that has not changed', async () => {
    expect(await agrees()).toBe(0);
    expect(await agrees()).toBe(directories);
    expect(await agrees()).toBe(directories);
  });

  it('sees a save that was added, one that was removed, and one that has grown', async () => {
    await agrees();
    save('a/one', 400);
    utimesSync(path.join(root, 'a/one'), oldSeconds + 9000, oldSeconds + 9000);
    rmSync(path.join(root, 'b/c/two/checkpoint-100'), { recursive: true });
    const report = await search(file);
    expect(report.runs.map(({ checkpoints }) => checkpoints.length)).toEqual([4, 2]);
    expect(await agrees()).toBeGreaterThan(0);
  });

  it('lists files again that were written shortly before', async () => {
    const now = Date.now() / 1000;
    const growing = path.join(root, 'a/one/checkpoint-300/model.safetensors');
    age(growing, now);
    await agrees();
    // Written on in place: the directory does not change by that.
    appendFileSync(growing, 'more');
    const before = (await search(null)).runs[0]?.bytes;
    expect((await search(file)).runs[0]?.bytes).toBe(before);
  });

  it('sees a checkpoint in the place of another, and times that were set back', async () => {
    await agrees();
    const place = path.join(root, 'a/one/checkpoint-200');
    rmSync(place, { recursive: true });
    mkdirSync(place);
    writeFileSync(path.join(place, 'model.safetensors'), 'x');
    for (const target of [path.join(place, 'model.safetensors'), place, path.dirname(place)]) age(target);
    await agrees();
    writeFileSync(path.join(place, 'optimizer.pt'), 'x');
    for (const target of [path.join(place, 'optimizer.pt'), place]) age(target);
    await agrees();
  });

  it('goes on after its last part was cut off, and after none was written', async () => {
    await agrees();
    const whole = readFileSync(file);
    for (const length of [0, 1, 10, whole.length >> 1, whole.length - 1]) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      await agrees();
      expect(await agrees()).toBe(directories);
    }
  });

  it('keeps what a search had seen that was cancelled', async () => {
    const stop = new AbortController();
    const folders = await nodeFiles.openFolders(root, file);
    await folders.names('a', stop.signal);
    stop.abort();
    await expect(folders.names('b', stop.signal)).rejects.toThrow();
    await folders.close(false);
    expect(gunzipSync(readFileSync(file)).toString()).toContain('"path":"a"');
    await agrees();
  });

  it('takes over no line of another shape, and none with a name that leads elsewhere', async () => {
    await agrees();
    const lines = gunzipSync(readFileSync(file)).toString().split('\n');
    const hostile = ['{', '[]', 'null', '{"path":1}', lines[1]?.replace('"folders":["', '"folders":["..","../../etc","') ?? ''];
    writeFileSync(file, gzipSync([lines[0], ...hostile, ...lines.slice(2)].join('\n')));
    await agrees();
  });

  it('is in memory of a directory that is followed, and sees files of the run itself that are written over', async () => {
    for (const step of [1, 2]) {
      writeFileSync(path.join(root, 'a/one', `epoch=${step}.ckpt`), 'x');
      age(path.join(root, 'a/one', `epoch=${step}.ckpt`));
    }
    age(path.join(root, 'a/one'));
    const openFolders = createFollowedFolders(root, null);
    const look = (): Promise<RunsReport> => listRuns({ path: root, openFolders, room: () => Promise.resolve(unknownRoom) });
    const first = await look();
    appendFileSync(path.join(root, 'a/one', 'epoch=2.ckpt'), 'more');
    const second = await look();
    expect((second.runs[0]?.bytes ?? 0) - (first.runs[0]?.bytes ?? 0)).toBe(4);
    save('a/one', 400);
    age(path.join(root, 'a/one'), oldSeconds + 9000);
    expect((await look()).runs[0]?.checkpoints).toHaveLength((first.runs[0]?.checkpoints.length ?? 0) + 1);
  });

  it.each(['folderCacheFileBytes', 'folderCacheBytes', 'folderLineCharacters'] as const)(
    'reads no more than limits.%s',
    async (limit) => {
      await agrees();
      expect(await new FolderCacheFile(file, root).lines()).toHaveLength(directories);
      await expect(new FolderCacheFile(file, root, { ...limits, [limit]: 100 }).lines()).rejects.toThrow();
      expect(limits[limit]).toBeGreaterThan(100);
    },
  );

  it.each([
    ['of another directory', () => gzipSync('{"kind":"stowage-folder-cache","version":1,"root":"/other"}\n')],
    ['that is not compressed', () => Buffer.from('notes of mine')],
    ['of another kind', () => gzipSync('notes of mine\n')],
  ])('refuses a file %s, and leaves it as it is', async (_name, content) => {
    writeFileSync(file, content());
    await expect(search(file)).rejects.toThrow('name another file');
    expect(readFileSync(file)).toEqual(content());
  });
});
