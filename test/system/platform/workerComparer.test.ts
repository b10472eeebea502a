/** Two checkpoints compared by the worker that is shipped. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Comparer } from '../../../src/platform/comparison/comparer.js';
import { startWorkerComparer } from '../../../src/platform/comparison/workerComparer.js';
import type { InspectionTarget } from '../../../src/platform/inspectionTarget.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';
import type { RootPaths } from '../../../src/platform/readableRoots.js';
import { readPairsInThreads } from '../../../src/platform/values/readPairsInThreads.js';
import type { WorkspaceFileSystem } from '../../../src/platform/workspaceFileTree.js';
import type { InspectionProgress } from '../../../src/protocol/messages.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const worker = path.resolve('dist/inspectionWorker.js');

/** A model in two files, so that two threads read it; the last value is off. */
function modelFile(part: number, change: number, elements = 1000): Uint8Array {
  const values = new Float32Array(elements).fill(part);
  values[elements - 1] = part + change;
  return buildSafetensors({
    tensors: { [`layers.${part}.weight`]: { dtype: 'F32', shape: [elements], data: new Uint8Array(values.buffer) } },
  });
}

let folder = '';
let comparer: Comparer | undefined;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'stowage-compare-')));
});
afterEach(() => {
  comparer?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function write(side: string, change: number, elements?: number): string {
  const at = path.join(folder, side);
  mkdirSync(at);
  for (const part of [1, 2])
    writeFileSync(path.join(at, `model-0000${part}-of-00002.safetensors`), modelFile(part, change, elements));
  return at;
}

const local = (at: string, rootPaths: RootPaths = null): InspectionTarget => ({ kind: 'local', path: at, rootPaths });

function start(a: InspectionTarget, b: InspectionTarget): Comparer['endpoint'] {
  comparer = startWorkerComparer(worker, { a, b });
  return comparer.endpoint;
}

describe('a comparer in a worker', () => {
  it('compares headers, then values, with progress of both', async () => {
    const endpoint = start(local(write('a', 0)), local(write('b', 1)));
    const inspecting: InspectionProgress[] = [];
    const bytes: number[] = [];
    endpoint.on('inspecting', (progress) => inspecting.push(progress));
    endpoint.on('readingValues', ({ bytesRead }) => bytes.push(bytesRead));
    const report = await endpoint.request('compare', { values: null });
    expect(report).toMatchObject({ kind: 'comparison', tensors: { same: 2 } });
    expect(report.values).toBeUndefined();
    expect(inspecting[0]).toMatchObject({ filesDone: 1 });
    const withValues = await endpoint.request('compare', { values: 1 });
    expect(withValues.valuesCompared).toMatchObject({ tensors: 2, equal: 0, different: 2, sample: null });
    expect(withValues.values).toMatchObject([{ maxAbs: 1 }, { maxAbs: 1 }]);
    expect(bytes.length).toBeGreaterThan(0);
    const sampled = await endpoint.request('compare', { values: 0.5 });
    expect(sampled.valuesCompared?.sample).toEqual({ share: 0.5, seed: 1 });
    expect(await endpoint.request('markdown', {})).toContain('Both checkpoints');
    expect(JSON.parse(await endpoint.request('json', {}))).toMatchObject({ kind: 'comparison' });
  });

  it('is cancelled while it reads values in threads', async () => {
    const elements = 20_000_000;
    const endpoint = start(local(write('a', 0, elements)), local(write('b', 1, elements)));
    const abort = new AbortController();
    endpoint.on('readingValues', () => abort.abort());
    await expect(endpoint.request('compare', { values: 1 }, abort.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(await endpoint.request('compare', { values: null })).toMatchObject({ tensors: { same: 2 } });
  });

  it('says which side is no checkpoint, and answers nothing before it has compared', async () => {
    const other = path.join(folder, 'b');
    mkdirSync(other);
    writeFileSync(path.join(other, 'readme.txt'), 'nothing');
    const endpoint = start(local(write('a', 0)), local(other));
    await expect(endpoint.request('markdown', {})).rejects.toMatchObject({ message: 'nothing was compared' });
    await expect(endpoint.request('compare', { values: null })).rejects.toThrow(`${other} is no checkpoint`);
  });

  it('follows links out of the workspace in none of its threads where it is not trusted', async () => {
    const outside = write('outside', 1);
    const a = write('a', 0);
    const b = path.join(folder, 'b');
    mkdirSync(b);
    for (const part of [1, 2]) {
      const name = `model-0000${part}-of-00002.safetensors`;
      symlinkSync(path.join(outside, name), path.join(b, name));
    }
    const trusted = start(local(a), local(b));
    expect((await trusted.request('compare', { values: 1 })).valuesCompared).toMatchObject({ tensors: 2, different: 2 });
    comparer?.dispose();
    const endpoint = start(local(a, [a]), local(b, [b]));
    const { valuesCompared, tensors } = await endpoint.request('compare', { values: 1 });
    expect(tensors.same).toBe(0);
    expect(valuesCompared?.tensors).toBe(0);
  });

  it('reads values in threads that follow links as far as their roots', async () => {
    const outside = write('outside', 1);
    const a = write('a', 0);
    const b = path.join(folder, 'b');
    mkdirSync(b);
    const names = [1, 2].map((part) => `model-0000${part}-of-00002.safetensors`);
    for (const name of names) symlinkSync(path.join(outside, name), path.join(b, name));
    const tasks = names.map((name, pair) => {
      const side = { dtype: 'u8', isBigEndian: false, extents: [{ path: name, offset: 0, bytes: 8 }] };
      return { pairs: [{ pair, elements: 8, a: side, b: side }] };
    });
    // The trees of this thread follow every link: those of the others are opened anew.
    const trees = { a: { path: a, tree: await createNodeFileTree(a) }, b: { path: b, tree: await createNodeFileTree(b) } };
    const problemsOf = async (rootPaths: RootPaths): Promise<(string | null)[]> =>
      (await readPairsInThreads(worker, { ...trees, tasks }, {}, rootPaths)).map(({ problem }) => problem);
    expect(await problemsOf(null)).toEqual([null, null]);
    const refused = await problemsOf([a, b]);
    expect(refused).toEqual(refused.map(() => expect.stringContaining('leads out of the workspace') as string));
    expect(refused).toHaveLength(2);
  });

  it('reads a side on a virtual file system through the host, and asks it for nothing of the other', async () => {
    const asked: string[] = [];
    const files: WorkspaceFileSystem = {
      stat: ({ path: at }) => {
        asked.push(at);
        return Promise.resolve(
          at === ''
            ? { type: { kind: 'folder' as const, isLink: false }, sizeBytes: 0, modifiedMs: null }
            : { type: { kind: 'file' as const, isLink: false }, sizeBytes: modelFile(1, 1).byteLength, modifiedMs: null },
        );
      },
      readDirectory: () =>
        Promise.resolve([{ name: 'model-00001-of-00002.safetensors', type: { kind: 'file' as const, isLink: false } }]),
      readFile: () => Promise.resolve(modelFile(1, 1)),
    };
    const endpoint = start(local(write('a', 0)), { kind: 'virtual', path: 'memfs:/b', files });
    const { tensors, values } = await endpoint.request('compare', { values: 1 });
    expect(tensors).toMatchObject({ same: 1, counts: { removed: 1 } });
    expect(values).toMatchObject([{ name: 'layers.1.weight', maxAbs: 1 }]);
    expect(asked.every((at) => !at.includes(folder))).toBe(true);
  });
});
