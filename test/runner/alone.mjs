import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** After this time a lock counts as left behind, whoever has the number of its process now. */
const staleMs = 600_000;
const everyMs = 100;

/**
 * Does something while no other process does it: two runs in one checkout may begin with the same build.
 * @template Result
 * @param {string} lockFile its folder exists
 * @param {() => Promise<Result>} action
 * @returns {Promise<Result>}
 */
export async function alone(lockFile, action) {
  while (!take(lockFile)) await delay(everyMs);
  try {
    return await action();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** @param {string} lockFile */
function take(lockFile) {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    if (isLeftBehind(lockFile)) rmSync(lockFile, { force: true });
    return false;
  }
}

/** @param {string} lockFile */
function isLeftBehind(lockFile) {
  const stat = statSync(lockFile, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  try {
    // Empty until its process has written its number: 0 is this process's own group.
    process.kill(Number(readFileSync(lockFile, 'utf8')), 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
  return Date.now() - stat.mtimeMs > staleMs;
}
