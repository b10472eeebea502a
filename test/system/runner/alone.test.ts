import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { alone } from '../../runner/alone.mjs';

let folder = '';
let lock = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stowage-'));
  lock = path.join(folder, 'build.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('one after the other does what several want to do at once', async () => {
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    running -= 1;
  };
  await Promise.all([1, 2, 3].map(() => alone(lock, work)));
  expect(most).toBe(1);
  expect(existsSync(lock)).toBe(false);
});

it('a failure lets the next one go', async () => {
  await expect(alone(lock, () => Promise.reject(new Error('no build')))).rejects.toThrow('no build');
  expect(await alone(lock, () => Promise.resolve('built'))).toBe('built');
});

it('what a killed process left is taken away', async () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(lock, String(pid));
  expect(await alone(lock, () => Promise.resolve('built'))).toBe('built');
});
