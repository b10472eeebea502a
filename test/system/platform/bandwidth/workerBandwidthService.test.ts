import path from 'node:path';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWorkerBandwidthService } from '../../../../src/platform/bandwidth/workerBandwidthService.js';
import { bundleEntry, failureOf, makeFolder, mebibyte, namesIn, progressTo, removeFolder, requestOf } from './checkSetup.js';

let bundles: string;
let workerFile: string;
let target: string;
const never = new AbortController().signal;
const started: { dispose(): void }[] = [];

function start(file = workerFile): ReturnType<typeof createWorkerBandwidthService> {
  const service = createWorkerBandwidthService(file);
  started.push(service);
  return service;
}

beforeAll(async () => {
  bundles = makeFolder();
  workerFile = await bundleEntry(bundles);
});
afterAll(() => removeFolder(bundles));
beforeEach(() => (target = makeFolder()));
afterEach(() => {
  for (const service of started.splice(0)) service.dispose();
  removeFolder(target);
});

describe('bandwidth checks in a worker', () => {
  it('tell the same as they do without one', async () => {
    const service = start();
    const phases = new Set<string>();
    const met: string[] = [];
    const hooks = {
      onProgress: ({ phase }: { phase: string }) => void phases.add(phase),
      barrier: async (phase: string): Promise<void> => void met.push(phase),
    };
    const request = requestOf(target);
    const measured = await service.run(request, hooks, never);
    expect(measured.write.samples.map(({ bytes }) => bytes)).toEqual([request.shape.totalBytes, request.shape.totalBytes]);
    expect(measured.io.countedWrittenBytes ?? measured.io.writtenBytes).toBe(measured.io.writtenBytes);
    expect([...phases]).toEqual(['preparing', 'write', 'read', 'metadata', 'removing']);
    expect(met).toEqual(['write-1', 'read-1', 'write-2', 'read-2', 'metadata']);
    expect((await service.facts(target)).path).toBe(target);
    expect(namesIn(target)).toEqual([]);
  });

  it('pass on why they were not made', async () => {
    const service = start();
    expect((await failureOf(service.facts(path.join(target, 'missing')))).code).toBe('not-found');
    expect((await failureOf(service.run(requestOf(path.join(target, 'missing')), progressTo(), never))).code).toBe('not-found');
    expect((await failureOf(service.removeLeft(target))).code).toBe('not-removed');
    expect((await failureOf(service.run(requestOf(target), progressTo(), AbortSignal.abort()))).code).toBe('cancelled');
  });

  for (const phase of ['write-1', 'read-1', 'metadata']) {
    it(`answer a cancel in ${phase} when everything is removed`, async () => {
      const controller = new AbortController();
      const files = [0, 1].map((n) => ({ name: `f${n}`, sizeBytes: 8 * mebibyte }));
      // The phase begins for its streams only once the cancel has arrived: it cannot be over before.
      const barrier = (met: string, signal: AbortSignal): Promise<void> => {
        if (met !== phase) return Promise.resolve();
        controller.abort();
        return once(signal, 'abort').then(() => undefined);
      };
      const hooks = { onProgress: () => undefined, barrier };
      const request = requestOf(target, { shape: { files } });
      expect((await failureOf(start().run(request, hooks, controller.signal))).code).toBe('cancelled');
      expect(namesIn(target)).toEqual([]);
    });
  }

  it('are cleaned up after when the worker crashes, and can be made again', async () => {
    const flag = path.join(bundles, 'crashed');
    // Once, while a check is writing.
    const crash = `if (require('node:worker_threads').workerData?.kind === undefined) {
      const fs = require('node:fs');
      setInterval(() => {
        const target = ${JSON.stringify(target)};
        if (fs.existsSync(${JSON.stringify(flag)})) return;
        const check = fs.readdirSync(target).find((name) => name.startsWith('.stowage'));
        if (check === undefined || !fs.readdirSync(target + '/' + check).includes('0001-model.safetensors')) return;
        fs.writeFileSync(${JSON.stringify(flag)}, '');
        throw new Error('crashed on purpose');
      }, 1);
    }`;
    const service = start(await bundleEntry(bundles, { name: 'crashing', banner: crash }));
    const failure = await failureOf(service.run(requestOf(target, { repeats: 500 }), progressTo(), never));
    expect(existsSync(flag)).toBe(true);
    expect(failure.code).toBe('io');
    expect(namesIn(target)).toEqual([]);
    expect((await service.run(requestOf(target), progressTo(), never)).write.samples).toHaveLength(2);
  });
});
