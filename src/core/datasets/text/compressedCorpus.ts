/** The beginning of a compressed file as a corpus: nothing behind it can be reached without decompressing all before. */
import type { ByteSource } from '../../bytes/byteSource.js';
import type { Compression } from '../../bytes/compression.js';
import { decompressBeginning, type Decompressed } from '../../bytes/decompressBeginning.js';
import { memorySource } from '../../bytes/memorySource.js';
import { ofBeginning } from '../../bytes/unpackBudget.js';
import type { TextCorpus } from './textCorpus.js';

/**
 * Positions are bytes of the compressed file. The beginning is decompressed when the first window is drawn.
 * @param inner makes the corpus of decompressed bytes; its positions have to be bytes
 */
export function compressedCorpus(
  source: ByteSource,
  compression: Compression,
  maxBytes: number,
  inner: (content: ByteSource) => TextCorpus,
): TextCorpus {
  let beginning: Promise<{ corpus: TextCorpus; ratio: number; consumedBytes: number }> | undefined;
  const open = async (signal: AbortSignal | undefined) => {
    const content: Decompressed = await decompressBeginning(source, compression, maxBytes, ofBeginning(signal));
    const { bytes, consumedBytes } = content;
    const ratio = consumedBytes === 0 ? 1 : bytes.byteLength / consumedBytes;
    return { corpus: inner(memorySource(source.name, bytes)), ratio, consumedBytes };
  };
  const { sizeBytes } = source;
  // What the beginning will take of the file is not known yet: text shrinks to a third or a quarter.
  const reachable = Math.min(sizeBytes, Math.ceil(maxBytes / 4));
  return {
    path: source.name,
    span: sizeBytes,
    reachable,
    weightBytes: sizeBytes,
    textBytes: null,
    documents: null,
    isCounted: false,
    window: 8 * 1024,
    async draw(from, length, signal) {
      const { corpus, ratio, consumedBytes } = await (beginning ??= open(signal));
      const scale = (consumedBytes / reachable) * ratio;
      const start = Math.min(Math.floor(from * scale), Math.max(0, corpus.span - 1));
      const draw = await corpus.draw(start, Math.min(Math.ceil(length * scale), corpus.span - start), signal);
      return { ...draw, covered: ratio === 0 ? 0 : draw.covered / ratio };
    },
  };
}
