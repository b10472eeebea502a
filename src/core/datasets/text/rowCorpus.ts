/** A corpus whose positions are rows: columns of text in Arrow and Parquet files. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { encodeText } from '../../bytes/text.js';
import type { DatasetAccess } from '../datasetLayout.js';
import type { TextCorpus } from './textCorpus.js';

/** Text in a window, about; see `TextCorpus.window`. */
const WINDOW_BYTES = 16 * 1024;

export interface RowTexts {
  path: string;
  rows: number;
  /** Bytes of text where they are known, else null. */
  textBytes: number | null;
  /** About as many bytes of text, where they are not known: more than 0. */
  guessBytes: number;
  read: (source: ByteSource, from: number, count: number, signal: AbortSignal | undefined) => Promise<string[]>;
}

/** The file is opened with the first draw: a dataset may have thousands, and few are drawn from. */
export function rowCorpus({ path, rows, textBytes, guessBytes, read }: RowTexts, access: DatasetAccess): TextCorpus {
  let opened: Promise<ByteSource> | undefined;
  const weightBytes = Math.max(1, textBytes ?? guessBytes);
  return {
    path,
    span: rows,
    reachable: rows,
    weightBytes,
    textBytes,
    documents: rows,
    isCounted: true,
    window: Math.max(1, Math.min(rows, Math.round((WINDOW_BYTES * rows) / weightBytes))),
    async draw(from, length, signal) {
      opened ??= access.open(path);
      const first = Math.max(0, Math.floor(from));
      const count = Math.max(0, Math.min(length, rows - first));
      const texts = await read(await opened, first, count, signal);
      return {
        texts,
        textBytes: texts.reduce((sum, text) => sum + encodeText(text).byteLength, 0),
        documents: texts.length,
        covered: count,
      };
    },
  };
}
