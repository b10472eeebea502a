/** Side files of datatrove's tokenized data (datatrove/pipeline/tokens/tokenizer.py): `.ds.metadata` and `.ds.index`. */
import type { ByteSource } from '../bytes/byteSource.js';
import { FormatError, throwIfCancelled } from '../bytes/formatError.js';

export interface DataTroveMetadata {
  tokenizer: string;
  /** Bytes of a token. */
  tokenBytes: number;
  tokens: number;
}

/** Widths of a token that any reader takes; the writer knows 2 and 4. */
const widths = new Set([1, 2, 4, 8]);

/**
 * Three lines: `<tokenizer>|<bytes a token>`, tokens, the same for people. Before version 0.3 the width was missing.
 * @throws FormatError `corrupt`
 */
export function parseDataTroveMetadata(text: string): Partial<DataTroveMetadata> {
  const [first = '', second = ''] = text.split('\n');
  const bar = first.lastIndexOf('|');
  const tokenBytes = bar === -1 ? undefined : Number(first.slice(bar + 1));
  const tokens = Number(second);
  if (second.trim() === '' || !Number.isSafeInteger(tokens) || tokens < 0)
    throw new FormatError('corrupt', 'the second line is no number of tokens');
  if (tokenBytes !== undefined && !widths.has(tokenBytes))
    throw new FormatError('corrupt', `a token of ${first.slice(bar + 1)} bytes`);
  return { tokenizer: bar === -1 ? first : first.slice(0, bar), ...(tokenBytes === undefined ? {} : { tokenBytes }), tokens };
}

export interface DocumentEnds {
  documents: number;
  /** Tokens of the file by its index; undefined for an empty one. */
  lastEnd: number | undefined;
}

const END_BYTES = 8;
const ENDS_PER_READ = 256 * 1024;

/**
 * Number of documents and end of the last, in tokens. An index is bare u64 ends; at most the last is read unless lengths are wanted.
 * @param useLength gets the tokens of each document; undefined to leave them out
 * @throws FormatError `corrupt` for ends that do not ascend, `truncated` for a size that is no multiple of 8
 */
export async function readDocumentEnds(
  source: ByteSource,
  useLength: ((tokens: number) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<DocumentEnds> {
  const { sizeBytes } = source;
  if (sizeBytes % END_BYTES !== 0)
    throw new FormatError('truncated', `${sizeBytes} bytes are no whole number of ends`, {
      offset: sizeBytes - (sizeBytes % END_BYTES),
    });
  const documents = sizeBytes / END_BYTES;
  if (documents === 0) return { documents, lastEnd: undefined };
  if (useLength === undefined)
    return { documents, lastEnd: endsIn(await source.read(sizeBytes - END_BYTES, END_BYTES, signal))(0) };
  let last = 0;
  for (let first = 0; first < documents; first += ENDS_PER_READ) {
    throwIfCancelled(signal);
    const count = Math.min(ENDS_PER_READ, documents - first);
    const endAt = endsIn(await source.read(first * END_BYTES, count * END_BYTES, signal));
    for (let index = 0; index < count; index++) {
      const end = endAt(index);
      if (end < last)
        throw new FormatError('corrupt', `document ${first + index} ends before it begins`, {
          offset: (first + index) * END_BYTES,
        });
      useLength(end - last);
      last = end;
    }
  }
  return { documents, lastEnd: last };
}

/** u64 as a number: above 2^53 it is not exact, and above the size of every file. */
function endsIn(bytes: Uint8Array): (index: number) => number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (index) => view.getUint32(index * END_BYTES, true) + view.getUint32(index * END_BYTES + 4, true) * 2 ** 32;
}
