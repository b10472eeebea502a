/** Texts of a string column: finds the pages with the rows asked for by their headers, and decodes no others. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { ReadWindow } from '../../bytes/readWindow.js';
import { ChunkReader } from './chunkReader.js';
import type { ParquetContents } from './parquetFooter.js';
import { PlainTexts, textsOfPage } from './textPage.js';

/**
 * Texts of rows `from` to `from + count` (exclusive); a null is an empty text.
 * @throws FormatError `corrupt`, `truncated`, `unsupported`, `limit-exceeded`
 */
export async function readPageTexts(
  source: ByteSource,
  contents: ParquetContents,
  index: number,
  from: number,
  count: number,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const texts: string[] = [];
  const end = Math.min(contents.rows, from + count);
  let length = 0;
  for (let group = contents.groupFirstRows.lastUpTo(from), row = from; row < end && group < contents.groupRows.length; group++) {
    const first = contents.groupFirstRows.at(group);
    const stop = Math.min(end - first, contents.groupRows.at(group));
    const chunk = new ChunkReader(new ReadWindow(source, signal), contents, group, index, signal);
    await chunk.pages(row - first, stop, readDictionary, (page, firstRow) => {
      for (const text of textsOfPage(page, Math.max(0, row - first - firstRow), stop - firstRow)) {
        // Many rows may point at one long text of a dictionary.
        length += text.length;
        if (length > limits.textPageBytes) throw new FormatError('limit-exceeded', 'the texts of a few rows are too long');
        texts.push(text);
      }
    });
    row = first + stop;
  }
  return texts;
}

function readDictionary(bytes: Uint8Array, values: number): PlainTexts {
  return new PlainTexts(bytes, values);
}
