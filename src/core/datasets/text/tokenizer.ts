/** A tokenizer.json (Hugging Face tokenizers) that counts the tokens of a text. */
import { Tokenizer } from '@huggingface/tokenizers';
import { memberOf } from '../../formats/text/jsonMember.js';
import { isKnownPattern } from './knownPatterns.js';
import { vocabularySizeOf } from './vocabularySize.js';

export interface TextTokenizer {
  /** Path of the file it is from. */
  name: string;
  vocabularySize: number;
  /** Tokens of a text, without special tokens. */
  count(text: string): number;
}

/** Longer texts are cut at white space: what a cut changes is one token in thousands. */
const PIECE_LENGTH = 32 * 1024;

/**
 * Makes the tokenizer that a file describes.
 * @returns why it is not run, where it is not
 */
export function createTokenizer(name: string, root: unknown): TextTokenizer | string {
  if (vocabularySizeOf({ model: memberOf(root, 'model') }) === 0) return 'it has no vocabulary';
  const pattern = unknownPattern([memberOf(root, 'normalizer'), memberOf(root, 'pre_tokenizer')]);
  if (pattern !== undefined) return 'its way to split text is not one of the known ones';
  try {
    // How ids become text again is of no use here, and what surrounds a text is not the text's.
    const used = { ...(root as object), decoder: null, post_processor: null, truncation: null, padding: null };
    const tokenizer = new Tokenizer(used, {});
    const count = (text: string): number => tokenizer.encode(text, { add_special_tokens: false }).ids.length;
    count('a');
    return {
      name,
      vocabularySize: vocabularySizeOf(root),
      count: (text) => piecesOf(text).reduce((sum, piece) => sum + count(piece), 0),
    };
  } catch (error) {
    return `it cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The first expression below these values that is not known; without recursion, as a file says how deep it is. */
function unknownPattern(roots: readonly unknown[]): string | undefined {
  const stack = [...roots];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (key === 'Regex' && !(typeof child === 'string' && isKnownPattern(child))) return String(child);
      stack.push(child);
    }
  }
  return undefined;
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + PIECE_LENGTH);
    if (to < text.length) {
      const space = Math.max(text.lastIndexOf(' ', to), text.lastIndexOf('\n', to));
      if (space > from) to = space;
    }
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
