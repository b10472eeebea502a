import { FormatError, throwIfCancelled } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { ReadWindow } from '../../bytes/readWindow.js';
import { readPageHeader } from '../../formats/parquet/pageHeader.js';
import { isParquet, readParquet, type ParquetContents } from '../../formats/parquet/parquetFooter.js';
import { visibleText } from '../../text/visibleText.js';
import { hexOf32 } from '../hashes/hash.js';
import { type ContainerSums, noSums, type SumFormat } from './sumFormat.js';

/** CRC-32 of the body of each page as it is stored, where the writer adds them (parquet.thrift, PageHeader.crc). The footer has none. */
export const parquetSums: SumFormat = {
  recognises: (path, head) => isParquet(head) || /\.(?:parquet|parq|pq)$/i.test(path),
  async read(source, { signal }) {
    const contents = await readParquet(source, signal);
    if (contents.problem !== null) throw contents.problem;
    const sums = noSums();
    if (contents.isExternal) return { ...sums, reason: 'its data are in other files' };
    const window = new ReadWindow(source, signal);
    const chunks = contents.chunkOffsets.length;
    for (let chunk = 0; chunk < chunks; chunk++) {
      throwIfCancelled(signal);
      await addChunk(sums, window, contents, chunk);
      // Writers add all or none: the headers of a file without need not be read.
      if (sums.regions.length === 0) break;
    }
    if (sums.regions.length > 0) sums.by.push('parquet-crc32');
    else if (chunks > 0) sums.reason = 'its pages were written without CRC-32';
    return sums;
  },
};

async function addChunk(sums: ContainerSums, window: ReadWindow, contents: ParquetContents, chunk: number): Promise<void> {
  const start = contents.chunkOffsets.at(chunk);
  const end = start + contents.chunkBytes.at(chunk);
  const column = contents.columns[chunk % contents.columns.length];
  const name = visibleText(column?.name ?? '');
  for (let at = start, page = 0; at < end; page++) {
    try {
      const { headerBytes, bodyBytes, crc32 } = await readPageHeader(window, at, end);
      if (crc32 === null) sums.reason ??= `pages of ${name} were written without CRC-32`;
      else if (sums.regions.length === limits.headerExtents)
        throw new FormatError('limit-exceeded', `more than ${limits.headerExtents} pages`);
      else
        sums.regions.push({
          offset: at + headerBytes,
          length: bodyBytes,
          algorithm: 'crc32',
          expected: [hexOf32(crc32)],
          what: `page ${page} of column ${name}`,
        });
      at += headerBytes + bodyBytes;
    } catch (error) {
      if (!FormatError.is(error, 'corrupt') && !FormatError.is(error, 'truncated')) throw error;
      sums.damage.push({ offset: at, length: end - at, what: `page ${page} of column ${name}: ${error.detail}` });
      return;
    }
  }
}
