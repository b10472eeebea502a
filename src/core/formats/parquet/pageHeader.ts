/** Pages of a column chunk (PageHeader of parquet.thrift): a header, then as many bytes as it says. */
import { FormatError } from '../../bytes/formatError.js';
import type { ReadWindow } from '../../bytes/readWindow.js';
import { ThriftCursor, ThriftType } from './thrift.js';

export interface Page {
  kind: 'data' | 'dictionary' | 'other';
  offset: number;
  headerBytes: number;
  bodyBytes: number;
  /** Of the body when it is decompressed. */
  plainBytes: number;
  /** Values of the page, nulls included: rows, as long as there are no lists. */
  values: number;
  /** `enum Encoding` of the values. */
  encoding: number;
  /** Bytes of the levels before the values, which are not compressed: of pages of version 2; null for those of version 1. */
  levelBytes: number | null;
  isCompressed: boolean;
  /** CRC-32 of the body as it is stored; null for a page without one. */
  crc32: number | null;
}

/** Headers take 20 to 60 bytes, and more where they repeat the lowest and highest text. */
const FIRST_GUESS_BYTES = 4096;
const MOST_BYTES = 1024 * 1024;
const DICTIONARY_PAGE = 2;
/** Field of the header of a data page of version 2. */
const V2_HEADER = 8;
/** `enum PageType`: data pages of both versions. */
const dataPages = new Set([0, 3]);

/**
 * Reads the header of the page at `offset`.
 * @throws FormatError `truncated`, `corrupt`
 */
export async function readPageHeader(window: ReadWindow, offset: number, endOffset: number): Promise<Page> {
  for (let guess = FIRST_GUESS_BYTES; ; guess *= 16) {
    const length = Math.min(guess, endOffset - offset);
    const bytes = await window.take(offset, length, length);
    try {
      const page = decodePageHeader(bytes, offset);
      if (offset + page.headerBytes + page.bodyBytes > endOffset)
        throw new FormatError('corrupt', `a page of ${page.bodyBytes} bytes reaches out of its chunk`, { offset });
      return page;
    } catch (error) {
      if (!FormatError.is(error, 'corrupt') || length < guess || guess >= MOST_BYTES) throw error;
    }
  }
}

function decodePageHeader(bytes: Uint8Array, offset: number): Page {
  const cursor = new ThriftCursor(bytes, 0, offset);
  const page: Page = {
    kind: 'other',
    offset,
    headerBytes: 0,
    bodyBytes: -1,
    plainBytes: -1,
    values: 0,
    encoding: -1,
    levelBytes: null,
    isCompressed: true,
    crc32: null,
  };
  cursor.struct((id, type) => {
    if (type === ThriftType.i32 && id <= 4) {
      const value = cursor.zigzag();
      if (id === 1) page.kind = value === DICTIONARY_PAGE ? 'dictionary' : dataPages.has(value) ? 'data' : 'other';
      else if (id === 2) page.plainBytes = value;
      else if (id === 3) page.bodyBytes = value;
      else page.crc32 = value >>> 0;
      return true;
    }
    // DataPageHeader, DictionaryPageHeader and DataPageHeaderV2 all begin with their number of values.
    if (type !== ThriftType.struct || (id !== 5 && id !== 7 && id !== 8)) return false;
    readValues(cursor, page, id === V2_HEADER);
    return true;
  });
  page.headerBytes = cursor.at;
  if (page.bodyBytes < 0 || page.plainBytes < 0 || page.values < 0) throw cursor.corrupt('a page of a negative size');
  return page;
}

/** 1 `num_values`, 2 the encoding; of version 2 the encoding is 4, then 5 and 6 the bytes of its levels, 7 whether it is compressed. */
function readValues(cursor: ThriftCursor, page: Page, isV2: boolean): void {
  if (isV2) page.levelBytes = 0;
  cursor.struct((id, type) => {
    if (isV2 && id === 7) page.isCompressed = type === ThriftType.true;
    if (type !== ThriftType.i32) return false;
    const value = cursor.zigzag();
    if (id === 1) page.values = value;
    else if (id === (isV2 ? 4 : 2)) page.encoding = value;
    else if (isV2 && (id === 5 || id === 6)) {
      if (value < 0) throw cursor.corrupt('levels of a negative size');
      page.levelBytes = (page.levelBytes ?? 0) + value;
    }
    return true;
  });
}
