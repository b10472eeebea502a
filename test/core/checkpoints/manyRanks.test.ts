/** A thousand ranks on a file system where every operation takes 10 ms: time is counted by a clock of the test's own. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import type { FileTree } from '../../../src/core/files/fileTree.js';
import { inspect } from '../../../src/core/inspect.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { sourcesOf, zeroThreeSave } from '../../builders/deepspeedBuilder.js';
import { memoryTree } from '../../builders/memoryTree.js';

const operationMs = 10;
const ranks = 1024;

/** A tree whose every operation takes its time; counts how many are under way. */
function slowTree(tree: FileTree): { tree: FileTree; most: () => number } {
  let underWay = 0;
  let most = 0;
  const wait = async (): Promise<void> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setTimeout(resolve, operationMs));
    underWay -= 1;
  };
  const slowSource = (source: ByteSource): ByteSource => ({
    ...source,
    name: source.name,
    sizeBytes: source.sizeBytes,
    async read(offset, length, signal) {
      await wait();
      return source.read(offset, length, signal);
    },
  });
  return {
    tree: {
      rootName: tree.rootName,
      list: (signal) => tree.list(signal),
      async open(path, signal) {
        await wait();
        return slowSource(await tree.open(path, signal));
      },
    },
    most: () => most,
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('reads the optimizer shards of 1,024 ranks within a second of waiting, and not all at once', async () => {
  const files = zeroThreeSave({ shapes: { 'model.weight': [64, 64] }, ranks, step: 5, exportShards: 0 });
  const shards = Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('optim_states.pt')));
  const { tree, most } = slowTree(memoryTree('global_step5', sourcesOf(shards)));
  const start = Date.now();
  const done = inspect(tree, { path: 'global_step5', now: () => Date.now() });
  let isDone = false;
  void done.finally(() => (isDone = true));
  for (let waited = 0; waited < 10_000 && !isDone; waited += operationMs) await vi.advanceTimersByTimeAsync(operationMs);
  const { report } = await done;
  expect(report.files).toHaveLength(ranks);
  expect(Date.now() - start).toBeLessThan(1000);
  expect(most()).toBeLessThanOrEqual(limits.concurrentReads);
});
