/** Texts in memory as a corpus: small data sets, which are counted in full. */
import { utf8Length } from './lineCorpus.js';
import { USUAL_WINDOW_BYTES, type TextCorpus } from './textCorpus.js';

/**
 * Positions are documents.
 * @param texts those of each document, one or more (a record may have several)
 */
export function memoryCorpus(path: string, texts: readonly (readonly string[])[]): TextCorpus {
  const lengths = texts.map((own) => own.reduce((sum, text) => sum + utf8Length(text), 0));
  const textBytes = lengths.reduce((sum, length) => sum + length, 0);
  return {
    path,
    span: texts.length,
    reachable: texts.length,
    weightBytes: textBytes,
    textBytes,
    documents: texts.length,
    isCounted: true,
    window: Math.max(1, Math.round((USUAL_WINDOW_BYTES * texts.length) / Math.max(1, textBytes))),
    draw(from, length) {
      const end = Math.min(texts.length, from + length);
      let bytes = 0;
      for (let index = from; index < end; index++) bytes += lengths[index] as number;
      return Promise.resolve({
        texts: texts.slice(from, end).flat(),
        textBytes: bytes,
        documents: end - from,
        covered: end - from,
      });
    },
  };
}
