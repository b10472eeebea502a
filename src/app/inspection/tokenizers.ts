import { FormatError } from '../../core/bytes/formatError.js';
import { limits } from '../../core/bytes/limits.js';
import { type TokenizerFile, parseTokenizerFile } from '../../core/datasets/tokenizerFile.js';
import type { Platform } from '../platform.js';
import { InputError } from '../useCaseError.js';

/** A tokenizer.json that the user chose, as bytes. */
export interface ChosenTokenizer {
  /** What to call it in the report. */
  path: string;
  bytes: Uint8Array;
}

/** The tokenizer.json at a path. @throws InputError when it cannot be read or is none */
export async function tokenizerAt(platform: Pick<Platform, 'readBytes'>, path: string): Promise<TokenizerFile> {
  try {
    return parseTokenizerFile(path, await platform.readBytes(path, limits.jsonBytes));
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    throw InputError.ofInput('tokenizer', `${path}: ${error.detail}`);
  }
}

/** A tokenizer.json that was read already. One without a vocabulary does not fail: nothing is tokenized, and the report has no count. */
export function tokenizerOf({ path, bytes }: ChosenTokenizer): TokenizerFile {
  try {
    return parseTokenizerFile(path, bytes);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return { path, root: null };
  }
}
