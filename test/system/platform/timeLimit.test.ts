import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { withTimeLimit } from '../../../src/platform/timeLimit.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('hands an answer on, and an error', async () => {
  await expect(withTimeLimit(Promise.resolve(7))).resolves.toBe(7);
  await expect(withTimeLimit(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(vi.getTimerCount()).toBe(0);
});

it('ends the wait for an answer that does not come, and gives back what comes late', async () => {
  const given: number[] = [];
  let answer = (_value: number): void => undefined;
  const call = new Promise<number>((resolve) => (answer = resolve));
  const limited = withTimeLimit(call, async (late) => void given.push(late));
  const ended = expect(limited).rejects.toMatchObject({
    code: 'io',
    detail: 'the file system gave no answer within 120 seconds',
  });
  await vi.advanceTimersByTimeAsync(limits.answerSeconds * 1000);
  await ended;
  answer(3);
  await vi.advanceTimersByTimeAsync(0);
  expect(given).toEqual([3]);
});
