import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { byteOrderMark, decodeText } from '../../bytes/text.js';

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
 * @throws SyntaxError as JSON.parse does, whose message may quote the text: see `jsonErrorInWords`
 * @throws FormatError `limit-exceeded` for more values than `limits` has, before anything is made of them
 */
export function jsonValue(text: string): unknown {
  if (text.length > shortText) checkValues(text);
  return JSON.parse(text) as unknown;
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
