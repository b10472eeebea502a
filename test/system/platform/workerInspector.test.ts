import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkerDeath } from '../../../src/platform/startedWorker.js';
import { startWorkerInspector } from '../../../src/platform/workerInspector.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'stowage-worker-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts an inspector whose worker runs the given code. */
function start(code: string, heapBytes?: number): ReturnType<typeof startWorkerInspector> {
  const file = path.join(folder, 'worker.cjs');
  writeFileSync(file, `const { parentPort, workerData } = require('node:worker_threads');\n${code}`);
  return startWorkerInspector(file, { kind: 'local', path: '/inspected', rootPaths: null }, heapBytes);
}

describe('inspector in a worker', () => {
  it('tells the worker what to inspect and passes its answers on', async () => {
    const inspector = start(
      `parentPort.on('message', ({ id }) => parentPort.postMessage({ type: 'reply', id, result: workerData.path }));`,
    );
    expect(await inspector.endpoint.request('markdown', {})).toBe('/inspected');
    inspector.dispose();
  });

  for (const [what, code, detail] of [
    ['throws', `throw new Error('broken');`, 'broken'],
    ['ends', `process.exit(7);`, '7'],
    ['throws while it is asked', `parentPort.on('message', () => { throw new Error('broken'); });`, 'broken'],
  ] as const) {
    it(`rejects what is pending and says why when the worker ${what}`, async () => {
      const inspector = start(code);
      const died = new Promise<WorkerDeath>((resolve) => inspector.onDidDie(resolve));
      await expect(inspector.endpoint.request('markdown', {})).rejects.toMatchObject({ code: 'disposed' });
      expect(await died).toEqual({ code: 'worker-died', detail: expect.stringContaining(detail) as string });
      inspector.dispose();
    });
  }

  it('says that the memory was not enough, and ends alone', async () => {
    const inspector = start(`const kept = []; for (;;) kept.push({ a: {} });`, 64 * 1024 * 1024);
    const death = await new Promise<WorkerDeath>((resolve) => inspector.onDidDie(resolve));
    expect(death.code).toBe('out-of-memory');
    inspector.dispose();
  });

  it('ends the worker with dispose, without calling that a death', async () => {
    const inspector = start(`parentPort.on('message', () => undefined);`);
    let deaths = 0;
    inspector.onDidDie(() => (deaths += 1));
    const pending = inspector.endpoint.request('markdown', {});
    inspector.dispose();
    await expect(pending).rejects.toMatchObject({ code: 'disposed' });
    expect(deaths).toBe(0);
  });

  it('lets the worker reach a virtual file system through these three questions only', async () => {
    const file = path.join(folder, 'worker.cjs');
    writeFileSync(
      file,
      `const { parentPort } = require('node:worker_threads');
       const replies = [];
       let asked;
       parentPort.on('message', (message) => {
         if (message.type === 'request') {
           asked = message.id;
           for (const [index, method] of ['stat', 'secret', 'constructor'].entries()) {
             parentPort.postMessage({ type: 'request', id: index, method, params: { path: '' } });
           }
         } else {
           replies[message.id] = message.type;
           if (replies.filter(Boolean).length === 3) parentPort.postMessage({ type: 'reply', id: asked, result: replies.join() });
         }
       });`,
    );
    const stats = { type: { kind: 'folder', isLink: false }, sizeBytes: 0, modifiedMs: null } as const;
    const files = {
      stat: () => Promise.resolve(stats),
      readDirectory: () => Promise.resolve([]),
      readFile: () => Promise.resolve(new Uint8Array()),
      secret: () => Promise.resolve('secret'),
    };
    const inspector = startWorkerInspector(file, { kind: 'virtual', path: 'x', files });
    expect(await inspector.endpoint.request('markdown', {})).toBe('reply,failure,failure');
    inspector.dispose();
  });
});
