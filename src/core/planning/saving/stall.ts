/**
 * How long training stands still for a save: a fixed part, whatever the bytes (state is collected, ranks agree on who writes what and wait for
 * each other), and the bytes at the rate at which they leave. PyTorch's asynchronous save of a 7B model took 6.3 s, where its bytes alone
 * take a fraction of one (Pasqualin et al., PyTorch blog, 2024); MegaScale tells of several seconds (NSDI 2024).
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import type { PlannedSize } from '../size/plannedSize.js';
import type { Writers } from './writers.js';

export interface Stall {
  seconds: number;
  /** Of it, what does not depend on the bytes; 0 where the stall is given. */
  fixedSeconds: number;
  /** Where it comes from: the copy to host memory, or storage that has it all. */
  basis: 'given' | 'device-to-host' | 'storage';
}

/** @param writeBytesPerSecond of the shared storage: what a synchronous save waits for */
export function stallOf(inputs: PlanInputs, size: PlannedSize, writers: Writers, writeBytesPerSecond: number): Stall {
  const { fixedStallSeconds: fixedSeconds, stallSeconds: given } = inputs;
  const isWaiting = inputs.saveMode === 'synchronous';
  const writeSeconds = size.checkpointBytes / writeBytesPerSecond;
  // Whoever waits for storage waits for all of it, whatever stall is given.
  if (given !== null)
    return isWaiting && given < writeSeconds
      ? { seconds: writeSeconds, fixedSeconds: 0, basis: 'storage' }
      : { seconds: given, fixedSeconds: 0, basis: 'given' };
  if (isWaiting) return { seconds: fixedSeconds + writeSeconds, fixedSeconds, basis: 'storage' };
  const copySeconds = writers.largestWriterBytes / inputs.deviceToHostBytesPerSecond;
  return { seconds: fixedSeconds + copySeconds, fixedSeconds, basis: 'device-to-host' };
}
