/** Other programs are asked in bounded time, with bounded output, whatever they and their children do. */
import { expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { runProgram } from '../../../src/platform/os/runProgram.js';

const shell = (script: string, timeoutMs = 60_000) => runProgram('/bin/sh', ['-c', script], { timeoutMs, directory: '/' });

it.skipIf(process.platform === 'win32').each([
  ['an answer', 'printf yes', 'yes'],
  ['the folder that was asked for', 'pwd', '/\n'],
  ['nothing of a program that fails', 'printf half; exit 3', null],
  ['nothing of one that is ended', 'kill -9 $$', null],
])('gives %s', async (_, script, expected) => {
  expect(await shell(script)).toBe(expected);
});

it.skipIf(process.platform === 'win32')('ends what writes without an end at its limit (programOutputBytes)', async () => {
  // The writer is a child of the program, which outlives it unless nobody reads on.
  const output = await shell('yes answer');
  expect(output).toHaveLength(limits.programOutputBytes);
});

it.skipIf(process.platform === 'win32')(
  'waits no longer than is given for one that hangs with its output open in a child',
  async () => {
    expect(await shell('sleep 3 & wait', 200)).toBeNull();
  },
);

it('answers nothing where there is no such program', async () => {
  expect(await runProgram('no-such-program-of-any-cluster', [], { timeoutMs: 1000 })).toBeNull();
});
