import { workerData } from 'node:worker_threads';

export const passThreadData = { kind: 'stowage-verification' } as const;

/** True in a thread that a verification has started: a bundle that starts itself again as such a thread asks this first. */
export function isPassThread(data: unknown = workerData): boolean {
  return typeof data === 'object' && data !== null && (data as { kind?: unknown }).kind === passThreadData.kind;
}
