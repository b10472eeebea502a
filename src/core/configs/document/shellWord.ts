import type { Span } from './configNode.js';

/** A stretch of text as the script has it at `start`; what is escaped or computed is not as long as its source. */
export interface ShellPiece {
  text: string;
  span: Span;
  /** What stands for a value that the script does not determine, as `$(nproc --all)`: its blanks divide no words. */
  isUnknown?: true;
}

/** A word after quotes and variables, and where it is written. */
export interface ShellWord {
  text: string;
  span: Span;
}

const blank = /[ \t\n\r]/;

/**
 * `<your path>`, which stands for a value in scripts that are to be edited. A shell would read `your` and write to what follows; redirections have a blank
 * before `>`, or a file right behind it.
 */
export function placeholderAt(text: string, at: number): string | null {
  if (text.charAt(at) !== '<') return null;
  return /^<[A-Za-z](?:[\w ./:'-]{0,200}[\w.'])?>(?=[\s\\/'")]|$)/.exec(text.slice(at, at + 210))?.[0] ?? null;
}

/** `([0]*3+[1]*58)` without the quotes that a shell wants there: which layers have experts. */
export function layerListAt(text: string, at: number): string | null {
  if (!text.startsWith('([', at)) return null;
  return /^\(\[[\d,]{1,20}\]\*\d{1,4}(?:\+\[[\d,]{1,20}\]\*\d{1,4}){0,20}\)/.exec(text.slice(at, at + 600))?.[0] ?? null;
}

/** Joins pieces to one word that stands at `site`. */
export function wordOf(pieces: readonly ShellPiece[], site: Span): ShellWord {
  const [first] = pieces;
  const span = pieces.length === 1 && first !== undefined ? first.span : site;
  return { text: pieces.map(({ text }) => text).join(''), span: isWithin(span, site) ? span : site };
}

function isWithin(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** Splits a variable's value at blanks, as a shell does outside of quotes. Each word stands where the value is written. */
export function splitPieces(pieces: readonly ShellPiece[]): ShellPiece[][] {
  const words: ShellPiece[][] = [];
  let word: ShellPiece[] = [];
  const end = () => {
    if (word.length > 0) words.push(word);
    word = [];
  };
  for (const piece of pieces) {
    if (piece.isUnknown === true) {
      word.push(piece);
      continue;
    }
    let from = 0;
    for (let at = 0; at <= piece.text.length; at++) {
      // `<your path>` stands for one word.
      if (piece.text.charAt(at) === '<') at += placeholderAt(piece.text, at)?.length ?? 0;
      const isBlank = at < piece.text.length && blank.test(piece.text.charAt(at));
      if (at < piece.text.length && !isBlank) continue;
      if (at > from) word.push(part(piece, from, at));
      if (isBlank) end();
      from = at + 1;
    }
  }
  end();
  return words;
}

function part({ text, span }: ShellPiece, from: number, to: number): ShellPiece {
  const isLiteral = text.length === span.end - span.start;
  return { text: text.slice(from, to), span: isLiteral ? { start: span.start + from, end: span.start + to } : span };
}

/** The span from the first to the last of these, which is in order for what is written in one place. */
export function spanOfPieces(pieces: readonly ShellPiece[]): Span {
  const start = pieces[0]?.span.start ?? 0;
  const end = pieces[pieces.length - 1]?.span.end ?? start;
  return { start, end: Math.max(start, end) };
}
