/** Bounds of documents beside OLMo's and dolma's raw tokens (dolma/tokenizer): `.csv.gz` with a row `start,end,id,source,place` for each, in tokens. */
import { FormatError } from '../bytes/formatError.js';

export interface DocumentBounds {
  documents: number;
  /** End of the last, in tokens. */
  lastEnd: number;
}

const NEWLINE = 0x0a;
const COMMA = 0x2c;

/**
 * Counts rows and hands over their lengths. Only the first two fields are read; fields behind them hold no line breaks.
 * @param isWhole false where `csv` is only the beginning: its last line may be cut
 * @throws FormatError `corrupt` for a row that does not begin with two numbers
 */
export function readDocumentBounds(csv: Uint8Array, isWhole: boolean, useLength: (tokens: number) => void): DocumentBounds {
  let documents = 0;
  let lastEnd = 0;
  for (let at = 0; at < csv.byteLength;) {
    const newline = csv.indexOf(NEWLINE, at);
    if (newline === -1 && !isWhole) break;
    const end = newline === -1 ? csv.byteLength : newline;
    if (end > at) {
      const comma = csv.indexOf(COMMA, at);
      const from = numberIn(csv, at, comma === -1 ? end : comma);
      const to = comma === -1 || comma >= end ? undefined : numberIn(csv, comma + 1, fieldEnd(csv, comma + 1, end));
      if (from === undefined || to === undefined || to < from) {
        // A heading.
        if (documents > 0 || at > 0) throw new FormatError('corrupt', `row ${documents + 1} has no bounds`, { offset: at });
      } else {
        documents += 1;
        lastEnd = to;
        useLength(to - from);
      }
    }
    at = end + 1;
  }
  return { documents, lastEnd };
}

function fieldEnd(csv: Uint8Array, at: number, end: number): number {
  const comma = csv.indexOf(COMMA, at);
  return comma === -1 || comma > end ? end : comma;
}

function numberIn(csv: Uint8Array, from: number, to: number): number | undefined {
  let value = 0;
  let digits = 0;
  for (let at = from; at < to; at++) {
    const byte = csv[at] as number;
    if (byte === 0x0d) continue;
    if (byte < 0x30 || byte > 0x39) return undefined;
    value = value * 10 + byte - 0x30;
    digits += 1;
  }
  return digits === 0 || digits > 15 ? undefined : value;
}
