import { constants } from 'node:os';
import { performance } from 'node:perf_hooks';
import { exitCode } from './exitCode.js';

/** SIGBREAK is Ctrl-Break, which only Windows has: elsewhere Node refuses to listen for it. */
const signals: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...('SIGBREAK' in constants.signals ? (['SIGBREAK'] as const) : []),
];

/** A key that is pressed once may arrive twice: from the terminal, and from a program that started this one and passes it on. */
const sameKeyMs = 300;

/**
 * Runs work that cleans up after itself when its signal is aborted: on Ctrl-C, when a job is cancelled, when the terminal goes away.
 * A second Ctrl-C ends the process at once, and what was written may stay.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let interruptedMs: number | null = null;
  const interrupt = (name: NodeJS.Signals): void => {
    controller.abort();
    if (name !== 'SIGINT') return;
    interruptedMs ??= performance.now();
    if (performance.now() - interruptedMs < sameKeyMs) return;
    process.stderr.write('Ended at once: what was not removed by now stays.\n');
    process.exit(exitCode.cancelled);
  };
  for (const name of signals) process.on(name, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}
