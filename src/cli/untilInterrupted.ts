import { constants } from 'node:os';

/** SIGBREAK is Ctrl-Break, which only Windows has: elsewhere Node refuses to listen for it. */
const signals: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...('SIGBREAK' in constants.signals ? (['SIGBREAK'] as const) : []),
];

/**
 * Runs work that cleans up after itself when its signal is aborted: on Ctrl-C, when a job is cancelled, when the terminal goes away.
 * A second Ctrl-C changes nothing: what was written has to be removed.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort();
  for (const name of signals) process.on(name, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}
