/** Samples of a Parquet table, by the names of its columns as in CSV. */
import type { ByteSource } from '../../../bytes/byteSource.js';
import { FormatError } from '../../../bytes/formatError.js';
import { readParquet } from '../../../formats/parquet/parquetFooter.js';
import { readNumbers } from '../../../formats/parquet/parquetNumbers.js';
import { readPageTexts } from '../../../formats/parquet/parquetText.js';
import { hasPageTexts } from '../../../formats/parquet/columnCodec.js';
import { sampleColumns, type NamedColumns } from './sampleColumns.js';
import { refuseMore, type Samples } from './samples.js';
import { msOfNumber, sampleTime } from './sampleTime.js';

/** Rows of texts that are read at once. */
const rowsAtOnce = 10_000;

/** @throws FormatError as `readParquet` and `readNumbers` do, and for columns that are not there */
export async function parquetSamples(source: ByteSource, named: NamedColumns, signal: AbortSignal | undefined): Promise<Samples> {
  const contents = await readParquet(source, signal);
  if (contents.problem !== null) throw contents.problem;
  refuseMore(contents.rows);
  const columns = sampleColumns(
    contents.columns.map(({ name }) => name),
    named,
  );
  const numbersOf = async (index: number): Promise<number[]> => {
    const numbers: number[] = [];
    await readNumbers(source, contents, index, (value) => numbers.push(value), signal);
    return numbers;
  };
  const timesMs: number[] = [];
  if (hasPageTexts(contents, columns.time))
    for (let row = 0; row < contents.rows; row += rowsAtOnce)
      for (const text of await readPageTexts(source, contents, columns.time, row, rowsAtOnce, signal)) {
        const time = sampleTime(text);
        if (time === null) throw new FormatError('corrupt', `row ${timesMs.length + 1} has no time that is ISO 8601`);
        timesMs.push(time.ms);
      }
  else for (const value of await numbersOf(columns.time)) timesMs.push(msOfNumber(value));
  if (timesMs.some((timeMs) => Number.isNaN(timeMs))) throw new FormatError('corrupt', 'a row has no time');
  return {
    source: 'Parquet',
    form: columns.form,
    timesMs,
    write: columns.write === -1 ? null : await numbersOf(columns.write),
    read: columns.read === -1 ? null : await numbersOf(columns.read),
    notes: [],
  };
}
