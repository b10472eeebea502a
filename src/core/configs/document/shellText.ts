/** Where lines, words and brackets of a script end. */

/**
 * Behind the bracket that closes the one at `open`; the end of the line where none does within so many characters.
 * @param brackets the opening and the closing one
 */
export function matching(text: string, open: number, brackets: string, mostCharacters: number): number {
  const [opening, closing] = brackets;
  let depth = 0;
  for (let at = open; at < Math.min(text.length, open + mostCharacters); at++) {
    const char = text.charAt(at);
    if (char === opening) depth++;
    else if (char === closing && --depth === 0) return at + 1;
  }
  return Math.min(lineEnd(text, open), text.length);
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

export function isLineEnd(text: string, at: number): boolean {
  return text.charAt(at) === '\n' || text.startsWith('\r\n', at) || at >= text.length;
}

export function nextLine(text: string, at: number): number {
  return Math.min(lineEnd(text, at) + 1, text.length);
}

export function isWordEnd(char: string): boolean {
  return ends.has(char);
}

const ends = new Set([' ', '\t', '\n', '\r', ';', '&', '|', '(', ')', '<', '>']);
