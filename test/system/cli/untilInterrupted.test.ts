import { afterEach, expect, it, vi } from 'vitest';
import { untilInterrupted } from '../../../src/cli/untilInterrupted.js';

afterEach(() => vi.restoreAllMocks());

/** Sends signals to work that waits for its signal, each at a moment of its own (ms); answers the codes of exits. */
async function interrupted(...sent: [NodeJS.Signals, number][]): Promise<unknown[]> {
  const exits: unknown[] = [];
  const clock = vi.spyOn(performance, 'now');
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    exits.push(code);
    return undefined as never;
  });
  await untilInterrupted((signal) => {
    for (const [name, moment] of sent) {
      clock.mockReturnValue(moment);
      process.emit(name, name);
      expect(signal.aborted).toBe(true);
    }
    return Promise.resolve();
  });
  return exits;
}

it('ends at once on a second Ctrl-C', async () => {
  expect(await interrupted(['SIGINT', 0])).toEqual([]);
  expect(await interrupted(['SIGINT', 0], ['SIGINT', 2_000])).toEqual([130]);
});

it('takes one key for one, though two programs pass it on', async () => {
  expect(await interrupted(['SIGINT', 0], ['SIGINT', 10])).toEqual([]);
});

it('goes on with the removal when it is told to end again by what is no key', async () => {
  expect(await interrupted(['SIGTERM', 0], ['SIGTERM', 2_000], ['SIGINT', 3_000])).toEqual([]);
});
