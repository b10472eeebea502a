import { type DataType, Float64, Int64, Table, tableToIPC, Utf8, vectorFromArray, type Vector } from 'apache-arrow';
import { jobColumns, type Job } from './job.js';

const texts: ReadonlySet<keyof Job> = new Set<keyof Job>(['name', 'framework', 'owner', 'newestAt']);

const wholeNumbers: ReadonlySet<keyof Job> = new Set<keyof Job>([
  'saves',
  'newestStep',
  'bytes',
  'allocatedBytes',
  'couldFreeBytes',
]);

/** Jobs as an Arrow IPC stream; what is not known is null. */
export function jobsArrow(jobs: readonly Job[]): Uint8Array {
  const columns = jobColumns.map((column): [string, Vector] => {
    const isWhole = wholeNumbers.has(column);
    const values = jobs.map((job) => (isWhole && job[column] !== null ? BigInt(job[column]) : job[column]));
    const type: DataType = texts.has(column) ? new Utf8() : isWhole ? new Int64() : new Float64();
    return [column, vectorFromArray(values, type)];
  });
  return tableToIPC(new Table(Object.fromEntries(columns)), 'stream');
}
