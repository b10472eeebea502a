/** Which calls of a file system go at once, and which beside each other. */
import { expect, it } from 'vitest';
import { QuickCalls } from '../../../src/platform/quickCalls.js';

/** Longer than a call that is at hand takes. */
function slow(): object {
  const endMs = performance.now() + 1;
  while (performance.now() < endMs);
  return {};
}

it('asks beside each other after a slow call, for longer the more of them there are', async () => {
  const calls = new QuickCalls();
  /** How many calls go beside each other until one is at once again. */
  const laterAfterSlow = async (): Promise<number> => {
    for (let later = 0; ; later++) {
      let isLater = false;
      await calls.call(slow, () => {
        isLater = true;
        return Promise.resolve({});
      });
      if (!isLater) return later;
    }
  };
  await laterAfterSlow();
  const counts = [await laterAfterSlow(), await laterAfterSlow(), await laterAfterSlow()];
  for (let round = 0; round < 4; round++) await laterAfterSlow();
  expect(counts).toEqual([4, 8, 16]);
  expect(await laterAfterSlow()).toBe(64);
});

it('answers nothing at once while calls go beside each other, so that the caller waits', async () => {
  const calls = new QuickCalls();
  await calls.call(slow, () => Promise.resolve({}));
  expect(calls.atOnce(() => ({}))).toBeUndefined();
});

it('has the errors of the call that went at once', async () => {
  const fail = (): object => {
    throw new Error('no such file');
  };
  await expect(new QuickCalls().call(fail, () => Promise.resolve({}))).rejects.toThrow('no such file');
});
