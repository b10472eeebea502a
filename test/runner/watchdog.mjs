/**
 * Ends this process when a test or a place of a sweep never ends, and names it. Code that loops without letting go of its thread can be
 * ended from another thread only: vitest's own limits never come to their turn.
 */
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** Seconds without progress after which something hangs; only seconds in which this process was given time count. */
const limitSeconds = 660;

/** A worker has one watchdog, however many test files it runs. */
const shared = /** @type {{ stowageWatchdog?: Watchdog }} */ (globalThis);

/**
 * @typedef {object} Watchdog
 * @property {(what: string, places?: { values: readonly string[], command: string }) => void} begin watches something; `at` counts the values
 *   at offset 0, at offset 1 and so on, and the command repeats one offset
 * @property {(place: number) => void} at it goes on, and has come to this place
 * @property {() => void} end it has ended
 */

/**
 * The watchdog of this process.
 * @param {number} [seconds] another limit
 * @returns {Watchdog}
 */
export function watchdog(seconds = limitSeconds) {
  return (shared.stowageWatchdog ??= startWatchdog(seconds));
}

/**
 * @param {number} seconds
 * @returns {Watchdog}
 */
function startWatchdog(seconds) {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const thread = new Worker(path.join(import.meta.dirname, 'watchdogThread.mjs'), {
    workerData: { state, limitSeconds: seconds },
    execArgv: [],
  });
  thread.unref();
  const progress = (/** @type {number} */ place) => {
    Atomics.store(state, 1, place);
    Atomics.add(state, 0, 1);
  };
  return {
    begin(what, places) {
      progress(-1);
      thread.postMessage({ what, places });
    },
    at: progress,
    end: () => thread.postMessage(null),
  };
}
