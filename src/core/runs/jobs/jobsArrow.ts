import { Float64, Table, tableToIPC, Utf8, vectorFromArray, type Vector } from 'apache-arrow';
import { jobColumns, type Job } from './job.js';

const texts: ReadonlySet<keyof Job> = new Set<keyof Job>(['name', 'framework', 'owner', 'newestAt']);

/** Jobs as an Arrow IPC stream; what is not known is null. */
export function jobsArrow(jobs: readonly Job[]): Uint8Array {
  const columns = jobColumns.map((column): [string, Vector] => {
    const values = jobs.map((job) => job[column]);
    return [column, vectorFromArray(values, texts.has(column) ? new Utf8() : new Float64())];
  });
  return tableToIPC(new Table(Object.fromEntries(columns)), 'stream');
}
