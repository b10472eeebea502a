/** A corpus whose positions are rows: columns of text in Arrow and Parquet files. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { encodeText } from '../../bytes/text.js';
import type { DatasetAccess } from '../datasetLayout.js';
import { USUAL_WINDOW_BYTES, type TextCorpus } from './textCorpus.js';

export interface RowTexts {
  path: string;
  rows: number;
  /** Bytes of text where they are known, else null. */
  textBytes: number | null;
  /** About as many bytes of text, where they are not known: more than 0. */
  guessBytes: number;
  read: (source: ByteSource, from: number, count: number, signal: AbortSignal | undefined) => Promise<string[]>;
}

export function rowCorpus({ path, rows, textBytes, guessBytes, read }: RowTexts, access: DatasetAccess): TextCorpus {
  const source = access.open(path);
  const weightBytes = Math.max(1, textBytes ?? guessBytes);
  return {
    path,
    span: rows,
    reachable: rows,
    weightBytes,
    textBytes,
    documents: rows,
    isCounted: true,
    window: Math.max(1, Math.min(rows, Math.round((USUAL_WINDOW_BYTES * rows) / weightBytes))),
    async draw(from, length, signal) {
      const first = Math.max(0, Math.floor(from));
      const count = Math.max(0, Math.min(length, rows - first));
      const texts = await read(source, first, count, signal);
      return {
        texts,
        textBytes: texts.reduce((sum, text) => sum + encodeText(text).byteLength, 0),
        documents: texts.length,
        covered: count,
      };
    },
  };
}
