/** What the words of a script are put together from. */
import { appendAll } from '../../bytes/appendAll.js';
import type { ShellPiece } from './shellWord.js';

/** A part of a word: text, or a variable that may bring several words. */
export interface WordPart {
  words: ShellPiece[][];
  isSplit: boolean;
  isValue: boolean;
}

export function literal(piece: ShellPiece): WordPart {
  return { words: [[piece]], isSplit: false, isValue: false };
}

export function joined(words: readonly ShellPiece[][]): ShellPiece[] {
  return words.flatMap((word, index) => (index === 0 ? word : [{ text: ' ', span: { start: 0, end: 0 } }, ...word]));
}

/** The words that the parts of one come to: the last word of a part grows together with the first of the next. */
export function expandPieces(parts: readonly WordPart[]): ShellPiece[][] {
  const words: ShellPiece[][] = [];
  let isOpen = false;
  for (const part of parts)
    for (const [index, pieces] of part.words.entries()) {
      const last = words[words.length - 1];
      if (index === 0 && isOpen && last !== undefined) appendAll(last, pieces);
      else words.push([...pieces]);
      isOpen = true;
    }
  return words;
}
