import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { byteOrderMark, decodeText } from '../../bytes/text.js';

const LETTER_N = 0x4e;
const LETTER_I = 0x49;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;
/** A shorter text has no room for too many: an object takes three characters with its comma. */
const shortText = Math.min(3 * limits.jsonContainers, 2 * limits.jsonValues);

/**
 * The value of a JSON text out of a file. What it would take in memory follows from its values, not from its length: 63 MB of `{},` take
 * 2 GB.
 * `NaN`, `Infinity` and `-Infinity` are read as Python does.
 * @throws SyntaxError as JSON.parse does, whose message may quote the text: see `jsonErrorInWords`
 * @throws FormatError `limit-exceeded` for more values than `limits` has, before anything is made of them
 */
export function jsonValue(text: string): unknown {
  if (text.length > shortText) checkValues(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const plain = withoutConstants(text);
    if (plain === undefined) throw error;
    return JSON.parse(plain) as unknown;
  }
}

/**
 * The text of JSON bytes in any of the encodings that Python's `json.loads` takes: UTF-8, UTF-16 and UTF-32, of either order of bytes, with a mark or
 * without (Lib/json/__init__.py, detect_encoding).
 */
export function pythonJsonText(bytes: Uint8Array): string {
  const [a = 1, b = 1, c = 1, d = 1] = bytes;
  if (b === 0 && c === 0 && d === 0) return utf32Text(bytes, true);
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return utf32Text(bytes, true);
  if (a === 0 && b === 0) return utf32Text(bytes, false);
  if ((a === 0xfe && b === 0xff) || a === 0) return new TextDecoder('utf-16be').decode(bytes);
  if ((a === 0xff && b === 0xfe) || b === 0) return new TextDecoder('utf-16le').decode(bytes);
  return decodeText(bytes);
}

function utf32Text(bytes: Uint8Array, isLittleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4) {
    const code = view.getUint32(at, isLittleEndian);
    if (code !== 0xfeff || at > 0) parts.push(code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code));
  }
  return parts.join('');
}

/** The text with Python's own constants as JSON has them, outside of strings; undefined without any. NaN becomes null. */
function withoutConstants(text: string): string | undefined {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at);
    else if (character === LETTER_N || character === LETTER_I) {
      const constant = text.startsWith('NaN', at) ? 'NaN' : text.startsWith('Infinity', at) ? 'Infinity' : undefined;
      if (constant === undefined) continue;
      parts.push(text.slice(from, at), constant === 'NaN' ? 'null' : '1e999');
      from = at + constant.length;
      at = from - 1;
    }
  }
  return parts.length === 0 ? undefined : parts.join('') + text.slice(from);
}

/**
 * The value of a JSON file, with or without a byte-order mark of UTF-8.
 * @throws FormatError `corrupt` for UTF-16, which loaders do not read, and as `jsonValue` does
 */
export function jsonFileValue(bytes: Uint8Array): unknown {
  const mark = byteOrderMark(bytes);
  if (mark !== undefined && mark !== 'utf-8') throw new FormatError('corrupt', 'the text is UTF-16, not UTF-8', { offset: 0 });
  return jsonValue(decodeText(bytes));
}

function checkValues(text: string): void {
  let containers = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) containers += 1;
    else if (code === COMMA || code === COLON) values += 1;
  }
  if (containers > limits.jsonContainers)
    throw new FormatError(
      'limit-exceeded',
      `${containers} objects and lists in JSON, more than the ${limits.jsonContainers} that are read`,
    );
  if (values > limits.jsonValues)
    throw new FormatError('limit-exceeded', `${values} values in JSON, more than the ${limits.jsonValues} that are read`);
}

/** The place of the quote that ends the string which begins at `at`; the end of the text without one. */
function endOfString(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
