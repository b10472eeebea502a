import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { until } from '../../builders/until.js';

function isRunning(pid: number): boolean {
  try {
    // A process that has ended stays in the table until its parent asks for it.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

it.each(['SIGINT', 'SIGTERM'] as const)('a run that %s ends leaves no process, mount or file', async (signal) => {
  if (process.platform !== 'linux') return;
  const run = spawn(process.execPath, ['test/system/runner/scratchChild.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(run.stdout, 'data')) as [Buffer];
  const { folder, pids, mount } = JSON.parse(line.toString()) as { folder: string; pids: number[]; mount: string | null };
  expect(pids.map(isRunning)).toEqual([true, true]);
  const ended = once(run, 'exit');
  run.kill(signal);
  await ended;
  await until('its processes have ended', () => !pids.some(isRunning));
  expect(existsSync(folder)).toBe(false);
  if (mount !== null) expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(mount);
});
