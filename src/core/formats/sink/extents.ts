/** Whether the tensors of a file lie one after the other, within the file, and with nothing between them. */
import type { FileSink } from './fileSink.js';

export interface Extent {
  name: string;
  offset: number;
  bytes: number;
}

export interface ExtentRules {
  sink: FileSink;
  /** Where the first tensor has to begin. */
  start: number;
  fileBytes: number;
  /** Where the next tensor may begin behind one that ends at an offset; bytes up to there are padding. */
  alignUp: (offset: number) => number;
}

/** Findings for holes, overlaps, and for a file that ends too early or too late; what no tensor claims becomes unexplained. */
export function checkExtents(extents: readonly Extent[], { sink, start, fileBytes, alignUp }: ExtentRules): void {
  const order = [...extents].sort((a, b) => a.offset - b.offset || a.bytes - b.bytes);
  let cursor = start;
  let end = start;
  for (const { name, offset, bytes } of order) {
    if (offset > cursor) {
      const holeEnd = Math.min(offset, fileBytes);
      if (cursor < holeEnd) sink.unexplained(cursor, holeEnd - cursor);
      sink.finding({ code: 'tensor-gap', offset: cursor, facts: { tensor: name, bytes: offset - cursor } });
    } else if (offset < end && bytes > 0) {
      const overlap = Math.min(end, offset + bytes) - offset;
      sink.finding({ code: 'tensor-overlap', offset, facts: { tensor: name, bytes: overlap } });
    }
    end = Math.max(end, offset + bytes);
    cursor = Math.max(cursor, alignUp(end));
  }
  if (cursor > fileBytes) {
    // The padding behind the last tensor counts: writers put it there, and ggml reads it.
    sink.finding({
      code: 'file-truncated',
      offset: fileBytes,
      facts: { expectedBytes: cursor, bytes: fileBytes },
    });
  } else if (cursor < fileBytes) {
    sink.unexplained(cursor, fileBytes - cursor);
    sink.finding({ code: 'file-too-long', offset: cursor, facts: { expectedBytes: cursor, bytes: fileBytes } });
  }
}
