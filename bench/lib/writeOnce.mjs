import { existsSync, renameSync, rmSync } from 'node:fs';

/**
 * Writes data of the benchmark that are not in the cache yet. They get their name when they are whole: a generator that failed, or was
 * ended, leaves nothing that the next run would measure.
 * @param {string} place a file or a directory
 * @param {string} what for the log
 * @param {(text: string) => void} log
 * @param {(place: string) => unknown} write
 */
export async function writeOnce(place, what, log, write) {
  if (existsSync(place)) return;
  log(`writing ${what}`);
  const part = `${place}.part`;
  rmSync(part, { recursive: true, force: true });
  await write(part);
  renameSync(part, place);
}
