import { UnpackBudget } from '../../../src/core/bytes/unpackBudget.js';
import { expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memorySource.js';
import { countedTree } from '../../../src/core/files/countedTree.js';
import { openFile, withFile, type OpenContext } from '../../../src/core/files/openFiles.js';

/** A tree of one file of eight bytes, and how many of its sources are open. */
function oneFile(): { context: OpenContext; opened: () => number } {
  let opened = 0;
  const counter = { bytesRead: 0, reads: 0 };
  const context: OpenContext = {
    tree: countedTree(
      {
        rootName: 'root',
        list: () => Promise.reject(new Error('not listed')),
        open: (path) => {
          opened += 1;
          const close = (): Promise<void> => Promise.resolve(void (opened -= 1));
          return Promise.resolve({ ...memorySource(path, new Uint8Array(8)), close });
        },
      },
      counter,
    ),
    counter,
    signal: undefined,
    unpackBudget: new UnpackBudget(counter),
  };
  return { context, opened: () => opened };
}

it('counts what is read, and leaves the closing to who opened', async () => {
  const { context, opened } = oneFile();
  const source = await openFile(context, 'a.bin');
  await source.read(0, 5);
  expect(context.counter).toEqual({ bytesRead: 5, reads: 1 });
  expect(opened()).toBe(1);
  await source.close();
  expect(opened()).toBe(0);
});

it('closes a file after its use, also after one that fails', async () => {
  const { context, opened } = oneFile();
  expect(await withFile(context, 'a.bin', (source) => source.read(2, 3))).toHaveLength(3);
  expect(opened()).toBe(0);
  await expect(withFile(context, 'a.bin', () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect(opened()).toBe(0);
  expect(context.counter.bytesRead).toBe(3);
});
