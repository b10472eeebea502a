/** Samples of comma-separated values, read in pieces: a file of any size takes as much memory as its samples. */
import type { ByteSource } from '../../../bytes/byteSource.js';
import { FormatError } from '../../../bytes/formatError.js';
import { byteOrderMark } from '../../../bytes/text.js';
import { readCsvRecords, type CsvRecord } from '../../../formats/text/csvRecords.js';
import { formatCount } from '../../../text/units.js';
import { sampleColumns, type NamedColumns, type SampleColumns } from './sampleColumns.js';
import { refuseMore, type Samples } from './samples.js';
import { sampleTime } from './sampleTime.js';

const PIECE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const separators = [',', ';', '\t'] as const;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** @throws FormatError `not-this-format`, `corrupt` with the line that cannot be used, `limit-exceeded` */
export async function csvSamples(source: ByteSource, named: NamedColumns, signal: AbortSignal | undefined): Promise<Samples> {
  const rows = new Rows(named);
  let separator = 0;
  let rest: Uint8Array = new Uint8Array(0);
  for (let offset = 0; offset < source.sizeBytes; offset += PIECE_BYTES) {
    const length = Math.min(PIECE_BYTES, source.sizeBytes - offset);
    const piece = await source.read(offset, length, signal);
    const bytes = joined(rest, offset === 0 && byteOrderMark(piece) === 'utf-8' ? piece.subarray(3) : piece);
    const isLast = offset + length === source.sizeBytes;
    const end = isLast ? bytes.byteLength : bytes.lastIndexOf(NEWLINE) + 1;
    if (end === 0)
      throw new FormatError(
        'not-this-format',
        `its line ${formatCount(rows.line + 1)} has more than ${formatCount(PIECE_BYTES)} bytes`,
      );
    if (separator === 0) separator = separatorOf(bytes);
    const isCut = readCsvRecords(bytes.subarray(0, end), separator, 0, (record) => rows.take(record));
    if (isCut) throw new FormatError('corrupt', `quotes do not end after line ${formatCount(rows.line)}`);
    rest = bytes.slice(end);
  }
  return rows.samples();
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.byteLength === 0) return second;
  const bytes = new Uint8Array(first.byteLength + second.byteLength);
  bytes.set(first);
  bytes.set(second, first.byteLength);
  return bytes;
}

/** The one of which the first line has most. */
function separatorOf(bytes: Uint8Array): number {
  const end = bytes.indexOf(NEWLINE);
  const line = bytes.subarray(0, end === -1 ? bytes.byteLength : end);
  const counts = separators.map((text) => line.reduce((sum, byte) => sum + Number(byte === text.charCodeAt(0)), 0));
  const most = counts.reduce((largest, count) => Math.max(largest, count), 0);
  return (separators[counts.indexOf(most)] ?? ',').charCodeAt(0);
}

class Rows {
  line = 0;
  private columns: SampleColumns | null = null;
  private width = 0;
  private readonly timesMs: number[] = [];
  private readonly write: number[] = [];
  private readonly read: number[] = [];
  private hasZone: boolean | null = null;

  constructor(private readonly named: NamedColumns) {}

  take({ fields }: CsvRecord): true {
    this.line += 1;
    if (this.columns === null) {
      this.columns = sampleColumns(fields, this.named);
      this.width = fields.length;
      return true;
    }
    if (fields.length !== this.width)
      throw this.wrong(`has ${formatCount(fields.length)} fields, and the first line ${formatCount(this.width)}`);
    refuseMore(this.timesMs.length + 1);
    const { time, write, read } = this.columns;
    this.timesMs.push(this.timeOf(fields[time] ?? ''));
    if (write !== -1) this.write.push(this.numberOf(fields[write] ?? ''));
    if (read !== -1) this.read.push(this.numberOf(fields[read] ?? ''));
    return true;
  }

  private timeOf(text: string): number {
    const time = sampleTime(text);
    if (time === null) throw this.wrong('has no time that is ISO 8601, or seconds or milliseconds since 1970');
    this.hasZone ??= time.hasZone;
    if (this.hasZone !== time.hasZone) throw this.wrong('differs from the others in whether its time has a zone');
    return time.ms;
  }

  /** NaN for an empty cell: no sample. */
  private numberOf(text: string): number {
    const plain = text.trim();
    if (plain === '') return NaN;
    if (!number.test(plain)) throw this.wrong('has something that is no number in place of one');
    const value = Number(plain);
    if (value < 0) throw this.wrong('has a negative number of bytes');
    if (!Number.isFinite(value)) throw this.wrong('has a number that is too large');
    return value;
  }

  private wrong(detail: string): FormatError {
    return new FormatError('corrupt', `line ${formatCount(this.line)} ${detail}`);
  }

  samples(): Samples {
    if (this.columns === null) throw new FormatError('not-this-format', 'it is empty');
    const { form, write, read } = this.columns;
    const notes = this.hasZone === false ? ['Times without a zone are taken for UTC.'] : [];
    return {
      source: 'CSV',
      form,
      timesMs: this.timesMs,
      write: write === -1 ? null : this.write,
      read: read === -1 ? null : this.read,
      notes,
    };
  }
}
