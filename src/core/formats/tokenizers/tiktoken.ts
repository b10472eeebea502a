/**
 * Ranks of tiktoken (tiktoken/load.py: load_tiktoken_bpe): a line for each token, its bytes in Base64, a blank, its rank, which is its id. Special
 * tokens are in the program, and not in the file.
 */
import { FormatError } from '../../bytes/formatError.js';
import type { TokenIds } from './tokenIds.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const ZERO = 0x30;
/** Ranks have six digits. */
const MAX_DIGITS = 15;

/** @throws FormatError `not-this-format` for a line that is no token with a rank */
export function ranksOf(bytes: Uint8Array): TokenIds {
  const ids: TokenIds = { tokens: 0, end: 0 };
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, at);
    const end = found === -1 ? bytes.length : found;
    const rank = rankIn(bytes, at, end);
    if (rank !== undefined) {
      ids.tokens += 1;
      if (rank >= ids.end) ids.end = rank + 1;
    }
    at = end + 1;
  }
  if (ids.tokens === 0) throw new FormatError('not-this-format', 'no ranks of tiktoken', { offset: 0 });
  return ids;
}

/** Undefined for an empty line. */
function rankIn(bytes: Uint8Array, start: number, lineEnd: number): number | undefined {
  const end = bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd;
  if (end <= start) return undefined;
  let rank = 0;
  let scale = 1;
  let at = end - 1;
  for (; at > start && bytes[at] !== BLANK; at--, scale *= 10) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9 || end - at > MAX_DIGITS) throw notRanks(start);
    rank += digit * scale;
  }
  if (at <= start || at === end - 1) throw notRanks(start);
  return rank;
}

function notRanks(offset: number): FormatError {
  return new FormatError('not-this-format', 'no ranks of tiktoken', { offset });
}
