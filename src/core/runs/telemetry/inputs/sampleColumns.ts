/** Which columns of a table are the time and the bytes. */
import { FormatError } from '../../../bytes/formatError.js';
import { listed } from '../../../text/quantities.js';
import type { SampleForm } from './samples.js';

export const columnNames = ['time', 'writeBytesPerSecond', 'readBytesPerSecond', 'writeBytes', 'readBytes'] as const;
export type ColumnName = (typeof columnNames)[number];
/** Other names of columns, by ours. */
export type NamedColumns = Partial<Record<ColumnName, string>>;

export interface SampleColumns {
  form: SampleForm;
  time: number;
  /** -1 where there is none. */
  write: number;
  read: number;
}

/** @throws FormatError `not-this-format` without the columns that are needed, `corrupt` for rates and counters at once */
export function sampleColumns(header: readonly string[], named: NamedColumns): SampleColumns {
  const at = (name: ColumnName): number => {
    const wanted = named[name] ?? name;
    const index = header.findIndex((label) => label.trim() === wanted);
    if (index === -1 && named[name] !== undefined) throw missing(`column ${wanted}`, header);
    return index;
  };
  const time = at('time');
  const [writeRate, readRate, write, read] = [
    at('writeBytesPerSecond'),
    at('readBytesPerSecond'),
    at('writeBytes'),
    at('readBytes'),
  ];
  if (time === -1) throw missing('column time', header);
  const hasRates = writeRate !== -1 || readRate !== -1;
  const hasCounters = write !== -1 || read !== -1;
  if (hasRates && hasCounters)
    throw new FormatError('corrupt', 'it has rates and counters: name the columns of one of both with --columns');
  if (!hasRates && !hasCounters) throw missing('column writeBytesPerSecond, readBytesPerSecond, writeBytes or readBytes', header);
  return hasRates ? { form: 'rate-from', time, write: writeRate, read: readRate } : { form: 'counter', time, write, read };
}

const mostListed = 12;
const mostLength = 60;

function missing(what: string, header: readonly string[]): FormatError {
  const names = header.slice(0, mostListed).map((name) => name.trim().slice(0, mostLength) || '(no name)');
  const more = header.length > mostListed ? ', …' : '';
  return new FormatError('not-this-format', `no ${what} among ${listed(names)}${more}: --columns time=NAME,… names them`);
}
