/** Lines of a file as a corpus: each belongs to the window in which it begins, wherever it ends. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { limits } from '../../bytes/limits.js';
import { USUAL_WINDOW_BYTES, type TextCorpus, type TextDraw } from './textCorpus.js';

const NEWLINE = 0x0a;
/** How much is read at once to find the end of a line. */
const MORE_BYTES = 64 * 1024;

/** What a line holds: texts, or tokens as numbers. */
export interface LineContent {
  texts: string[];
  tokens?: number;
}

export interface LineCorpusOptions {
  path: string;
  /** What a line holds, given without its line break. Each line that is not empty is a document. */
  read: (line: Uint8Array, offset: number) => LineContent;
  /** Where records begin: after a header line. */
  firstOffset?: number;
}

/** Positions are bytes. */
export function lineCorpus(source: ByteSource, options: LineCorpusOptions): TextCorpus {
  const { sizeBytes } = source;
  return {
    path: options.path,
    span: sizeBytes,
    reachable: sizeBytes,
    weightBytes: sizeBytes,
    textBytes: null,
    documents: null,
    isCounted: false,
    window: USUAL_WINDOW_BYTES,
    draw: (from, length, signal) => drawLines(source, options, from, length, signal),
  };
}

async function drawLines(
  source: ByteSource,
  options: LineCorpusOptions,
  from: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<TextDraw> {
  const draw: TextDraw = { texts: [], textBytes: 0, documents: 0, covered: 0 };
  // The byte before tells whether a line begins at `from`.
  const first = Math.max(0, from - 1);
  const end = Math.min(source.sizeBytes, from + length);
  let bytes = await source.read(first, end - first, signal);
  let at = from === 0 ? 0 : afterNewline(bytes, 0);
  while (at !== -1 && first + at < end) {
    let lineEnd = bytes.indexOf(NEWLINE, at);
    if (lineEnd === -1) {
      bytes = await readLineEnd(source, bytes, first, at, signal);
      lineEnd = bytes.indexOf(NEWLINE, at);
    }
    const stop = lineEnd === -1 ? bytes.byteLength : lineEnd;
    addLine(draw, options, bytes.subarray(at, stop), first + at);
    draw.covered += (lineEnd === -1 ? stop : stop + 1) - at;
    at = lineEnd === -1 ? -1 : lineEnd + 1;
  }
  return draw;
}

function addLine(draw: TextDraw, { read, firstOffset = 0 }: LineCorpusOptions, raw: Uint8Array, offset: number): void {
  if (offset < firstOffset) return;
  const line = trimmed(raw, offset);
  if (line.byteLength === 0) return;
  const { texts, tokens } = read(line, offset);
  for (const text of texts) {
    draw.texts.push(text);
    draw.textBytes += utf8Length(text);
  }
  if (tokens !== undefined) draw.tokens = (draw.tokens ?? 0) + tokens;
  draw.documents += 1;
}

/** Position after the next line break; -1 where there is none. */
function afterNewline(bytes: Uint8Array, from: number): number {
  const at = bytes.indexOf(NEWLINE, from);
  return at === -1 ? -1 : at + 1;
}

/** More of the file, until the line that begins at `at` ends or is longer than what is looked at of one. */
async function readLineEnd(
  source: ByteSource,
  bytes: Uint8Array,
  first: number,
  at: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const parts = [bytes];
  let total = bytes.byteLength;
  while (first + total < source.sizeBytes && total - at < limits.textLineBytes) {
    const more = await source.read(first + total, Math.min(MORE_BYTES, source.sizeBytes - first - total), signal);
    parts.push(more);
    total += more.byteLength;
    if (more.includes(NEWLINE)) break;
  }
  const joined = new Uint8Array(total);
  let to = 0;
  for (const part of parts) {
    joined.set(part, to);
    to += part.byteLength;
  }
  return joined;
}

/** Without the carriage return of CRLF, and without a byte order mark at the beginning of the file. */
function trimmed(line: Uint8Array, offset: number): Uint8Array {
  const hasMark = offset === 0 && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
  const end = line.at(-1) === 0x0d ? line.byteLength - 1 : line.byteLength;
  return line.subarray(hasMark ? 3 : 0, Math.max(hasMark ? 3 : 0, end));
}

/** Bytes of a text in UTF-8, without making them. */
export function utf8Length(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else if (code >= 0xd800 && code < 0xdc00 && index + 1 < text.length) {
      length += 4;
      index += 1;
    } else length += 3;
  }
  return length;
}
