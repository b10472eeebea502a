import { setTimeout as delay } from 'node:timers/promises';

/** Ends a hang, with a word on what was waited for; nothing takes this long on a machine that is merely busy. */
const hangSeconds = 240;

/**
 * Waits until something is so: for a state, however long the machine takes to reach it.
 * @param what is waited for, for the message
 * @param look called again and again until it answers neither null, undefined nor false
 * @returns the answer
 */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<Exclude<T, null | undefined | false>> {
  const began = process.hrtime.bigint();
  for (;;) {
    const answer = await look();
    if (answer !== null && answer !== undefined && answer !== false) return answer as Exclude<T, null | undefined | false>;
    if (Number(process.hrtime.bigint() - began) / 1e9 > hangSeconds) throw new Error(`waited in vain: ${what}`);
    await delay(5);
  }
}
