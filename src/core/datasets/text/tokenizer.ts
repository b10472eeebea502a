/** A tokenizer.json (Hugging Face tokenizers) that counts the tokens of a text. */
import { Tokenizer } from '@huggingface/tokenizers';
import { memberOf } from '../../formats/text/jsonMember.js';
import { knownPattern } from './knownPatterns.js';
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
  const normalizer = withKnownPatterns(memberOf(root, 'normalizer'));
  const splitter = withKnownPatterns(memberOf(root, 'pre_tokenizer'));
  if (normalizer === undefined || splitter === undefined) return 'its way to split text is not one of the known ones';
  try {
    // How ids become text again is of no use here, and what surrounds a text is not the text's.
    const split = { normalizer: normalizer.value ?? null, pre_tokenizer: splitter.value ?? null };
    const used = { ...(root as object), ...split, decoder: null, post_processor: null, truncation: null, padding: null };
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

/**
 * A copy in which each expression is the text of this program that means the same: none is ever made from a file's text. Without
 * recursion, as a file says how deep it is.
 * @returns undefined where an expression is not known
 */
function withKnownPatterns(root: unknown): { value: unknown } | undefined {
  const copy = { value: root };
  const stack: Record<string, unknown>[] = [copy];
  for (let parts = stack.pop(); parts !== undefined; parts = stack.pop()) {
    for (const [key, child] of Object.entries(parts)) {
      if (key === 'Regex') {
        const known = typeof child === 'string' ? knownPattern(child) : undefined;
        if (known === undefined) return undefined;
        parts[key] = known;
      } else if (typeof child === 'object' && child !== null) {
        const own = copyOf(child);
        parts[key] = own;
        stack.push(own);
      }
    }
  }
  return copy;
}

/** Where digits are split the library takes Nd, and Hugging Face's all numbers: those among the letters that stand for bytes too. */
function copyOf(value: object): Record<string, unknown> {
  if (Array.isArray(value)) return [...(value as unknown[])] as unknown as Record<string, unknown>;
  const { type, individual_digits: isEach } = value as { type?: unknown; individual_digits?: unknown };
  if (type !== 'Digits') return { ...value };
  return { type: 'Split', pattern: { Regex: isEach === true ? '\\p{N}' : '\\p{N}+' }, behavior: 'Isolated', invert: false };
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
