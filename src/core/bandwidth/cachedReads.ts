import type { MeasuredReport } from './bandwidthReport.js';

/** Whether reads may have come from this machine's memory in place of the storage: their rate is no answer then. */
export function readsMemory({ read, fileSystem: { kind } }: Pick<MeasuredReport, 'read' | 'fileSystem'>): boolean {
  return read.cache === 'possibly-cached' && kind !== 'object' && kind !== 'memory';
}
