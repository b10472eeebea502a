/** Removals and renames of files that a virus scanner or an indexer may hold for a moment, which Windows answers with an error. */
import { renameSync, unlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { thisSystem } from './thisSystem.js';

/** Scanners hold a new file for some milliseconds to a second. */
const pausesMs = [5, 20, 80, 320, 640];

/** Repeats what failed because the file was held. @throws the system's last error */
export async function whileHeld<T>(act: () => Promise<T>, { holdsFiles } = thisSystem): Promise<T> {
  for (const pauseMs of holdsFiles ? pausesMs : []) {
    try {
      return await act();
    } catch (error) {
      if (!isHeld(error)) throw error;
    }
    await delay(pauseMs);
  }
  return act();
}

export function unlinkHeld(file: string): void {
  whileHeldSync(() => unlinkSync(file));
}

export function renameHeld(from: string, to: string): void {
  whileHeldSync(() => renameSync(from, to));
}

/** The same in a thread that waits for each of its calls. */
export function whileHeldSync(act: () => void, { holdsFiles } = thisSystem): void {
  for (const pauseMs of holdsFiles ? pausesMs : []) {
    try {
      act();
      return;
    } catch (error) {
      if (!isHeld(error)) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  act();
}

function isHeld(error: unknown): boolean {
  return ['EPERM', 'EBUSY', 'EACCES'].includes((error as { code?: string }).code ?? '');
}
