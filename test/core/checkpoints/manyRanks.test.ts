/** Hundreds of ranks on a file system where every operation has to be waited for: what is counted is how often. */
import { expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byteSource.js';
import type { FileTree } from '../../../src/core/files/fileTree.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { limits } from '../../../src/core/bytes/limits.js';
import { sourcesOf, zeroThreeSave } from '../../builders/deepspeedBuilder.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { isExhaustive } from '../../builders/seed.js';

const ranks = isExhaustive ? 1024 : 512;

/** A tree whose operations are answered in rounds: all that wait, once nothing else can go on. Counts rounds and those who wait. */
function treeInRounds(tree: FileTree): { tree: FileTree; rounds: () => number; most: () => number } {
  let waiting: (() => void)[] = [];
  let rounds = 0;
  let most = 0;
  const wait = async (): Promise<void> => {
    // The first to wait opens a round; setImmediate runs when no promise has anything left to do.
    if (waiting.length === 0)
      setImmediate(() => {
        const answered = waiting;
        waiting = [];
        rounds += 1;
        most = Math.max(most, answered.length);
        for (const answer of answered) answer();
      });
    await new Promise<void>((resolve) => void waiting.push(resolve));
  };
  const waitingSource = (source: ByteSource): ByteSource => ({
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
        return waitingSource(await tree.open(path, signal));
      },
    },
    rounds: () => rounds,
    most: () => most,
  };
}

it('keeps as many reads under way as the limit allows, and not more', async () => {
  const files = zeroThreeSave({ shapes: { 'model.weight': [64, 64] }, ranks, step: 5, exportShards: 0 });
  const shards = Object.fromEntries(Object.entries(files).filter(([path]) => path.endsWith('optim_states.pt')));
  const { tree, rounds, most } = treeInRounds(memoryTree('global_step5', sourcesOf(shards)));
  const { report } = await inspectCheckpoint(tree, { path: 'global_step5', now: () => 0 });
  expect(report.files).toHaveLength(ranks);
  // Each file is opened and read twice.
  expect(rounds()).toBeLessThanOrEqual(Math.ceil((4 * ranks) / limits.concurrentReads));
  expect(most()).toBe(limits.concurrentReads);
});
