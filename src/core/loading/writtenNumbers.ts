/** Whole numbers that config.json writes as floating-point ones: Python reads `2.0` as a float, which config classes of transformers refuse for a count. */
import type { ReadResult } from '../checkpoints/readFiles.js';
import { textBeside } from './filesBeside.js';
import type { LoadContext } from './loadContext.js';

/** A key with such a number. Keys of sizes are words of letters, digits and underscores. */
const written = /"(\w{1,64})"\s{0,16}:\s{0,16}(\d{1,15}(?:\.0{1,15}|(?:\.\d{1,15})?[eE]\+?\d{1,3}))(?=[\s,}])/g;

/** What is written, by the key; of a key in several parts the first. @throws FormatError `cancelled` */
export async function writtenAsFloats(read: ReadResult, context: LoadContext): Promise<ReadonlyMap<string, string>> {
  const text = (await textBeside(read, context, 'config.json')) ?? '';
  const found = new Map<string, string>();
  for (const [, key = '', number = ''] of text.matchAll(written)) if (!found.has(key)) found.set(key, number);
  return found;
}
