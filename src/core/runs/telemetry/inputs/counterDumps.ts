/** Counters of many jobs, targets or mounts, printed again and again: their sum over time. */
import type { Samples } from './samples.js';

/** Bytes written and read. */
export type Counted = [write: number, read: number];

export interface CounterDump {
  timeMs: number;
  counters: Map<string, Counted>;
}

/**
 * What all counters rose by. One that is new was 0 before, but in the first dump; one that fell was set to 0; one that is gone rose by nothing more.
 * Dumps without a later time than the one before add to the next.
 */
export function samplesOfDumps(source: string, dumps: readonly CounterDump[], notes: string[]): Samples {
  const samples = { timesMs: [] as number[], write: [] as number[], read: [] as number[] };
  let last: CounterDump | null = null;
  let [write, read] = [0, 0];
  for (const dump of dumps) {
    if (last !== null && dump.timeMs === last.timeMs) continue;
    if (last !== null)
      for (const [key, [nowWritten, nowRead]] of dump.counters) {
        const [before, beforeRead] = last.counters.get(key) ?? [0, 0];
        write += nowWritten >= before ? nowWritten - before : nowWritten;
        read += nowRead >= beforeRead ? nowRead - beforeRead : nowRead;
      }
    samples.timesMs.push(dump.timeMs);
    samples.write.push(write);
    samples.read.push(read);
    last = dump;
  }
  return { source, form: 'counter', ...samples, notes };
}
