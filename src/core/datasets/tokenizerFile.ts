import { FormatError } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { jsonFileValue } from '../formats/text/jsonValue.js';
import { jsonErrorInWords } from '../formats/text/jsonError.js';
import type { Vocabulary } from './datasetReport.js';
import { vocabularySizeOf } from './text/vocabularySize.js';

/** A tokenizer.json, parsed. */
export interface TokenizerFile {
  path: string;
  root: unknown;
}

/**
 * A tokenizer.json that the user chose, from its bytes.
 * @param path what to call it in the report
 * @throws FormatError `limit-exceeded` when it is too large, `not-this-format` when it is no tokenizer.json
 */
export function parseTokenizerFile(path: string, bytes: Uint8Array): TokenizerFile {
  if (bytes.byteLength > limits.jsonBytes) throw new FormatError('limit-exceeded', `it has ${bytes.byteLength} bytes`);
  let root: unknown;
  try {
    root = jsonFileValue(bytes);
  } catch (error) {
    if (FormatError.is(error)) throw error;
    throw new FormatError('not-this-format', `it is no JSON: ${jsonErrorInWords(error)}`);
  }
  if (vocabularySizeOf(root) === 0) throw new FormatError('not-this-format', 'it has no vocabulary, as a tokenizer.json has');
  return { path, root };
}

/** Takes the size of the vocabulary from a tokenizer.json. */
export function describeTokenizer({ path, root }: TokenizerFile, access: { vocabulary(vocabulary: Vocabulary): void }): void {
  const size = vocabularySizeOf(root);
  if (size > 0) access.vocabulary({ size, source: path });
}
