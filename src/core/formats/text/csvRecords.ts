/**
 * Records of comma-separated values (RFC 4180): fields in quotes may hold separators, line breaks and doubled quotes. Bytes in, so that
 * every record has its offset.
 */
import { decodeText } from '../../bytes/text.js';

const QUOTE = 0x22;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface CsvRecord {
  offset: number;
  /** Where the next record begins. */
  end: number;
  fields: string[];
}

/**
 * Hands all records from `start` on over, until `use` answers false. The last one may lack its line break.
 * @param separator as a byte: a comma or a tab
 * @returns true where the bytes end within quotes: damaged, or begun in the wrong place
 */
export function readCsvRecords(
  bytes: Uint8Array,
  separator: number,
  start: number,
  use: (record: CsvRecord) => boolean,
): boolean {
  let at = start;
  while (at < bytes.byteLength) {
    const offset = at;
    const fields: string[] = [];
    let isEnded = false;
    while (!isEnded) {
      const field = readField(bytes, at, separator);
      if (field === undefined) return true;
      fields.push(field.text);
      at = field.end;
      isEnded = at >= bytes.byteLength || bytes[at] !== separator;
      if (!isEnded) at += 1;
    }
    if (bytes[at] === RETURN) at += 1;
    if (bytes[at] === NEWLINE) at += 1;
    const isBlank = fields.length === 1 && fields[0] === '';
    if (!isBlank && !use({ offset, end: at, fields })) return false;
    if (at === offset) at += 1;
  }
  return false;
}

/** One field from `at`; `end` is at the separator or line break behind it. Undefined where its quotes do not end. */
function readField(bytes: Uint8Array, at: number, separator: number): { text: string; end: number } | undefined {
  if (bytes[at] !== QUOTE) {
    let end = at;
    while (end < bytes.byteLength && bytes[end] !== separator && bytes[end] !== NEWLINE && bytes[end] !== RETURN) end += 1;
    return { text: decodeText(bytes, at, end), end };
  }
  let end = at + 1;
  let isDoubled = false;
  for (;;) {
    end = bytes.indexOf(QUOTE, end);
    if (end === -1) return undefined;
    if (bytes[end + 1] !== QUOTE) break;
    isDoubled = true;
    end += 2;
  }
  const text = decodeText(bytes, at + 1, end);
  let next = end + 1;
  // What stands between the quote and the separator belongs to no field.
  while (next < bytes.byteLength && bytes[next] !== separator && bytes[next] !== NEWLINE && bytes[next] !== RETURN) next += 1;
  return { text: isDoubled ? text.replaceAll('""', '"') : text, end: next };
}
