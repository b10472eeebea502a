import type { FileSink } from './fileSink.js';
import { sinkWith } from './sinkWith.js';

/**
 * The sink for a file that lies inside of another: offsets count from `start`, and names begin with `prefix`.
 * The outer file's turn has to have come.
 */
export function nestedSink(sink: FileSink, start: number, prefix: readonly string[]): FileSink {
  return sinkWith(sink, {
    turn: () => Promise.resolve(),
    tensor(tensor) {
      const pieces = tensor.pieces.map((piece) =>
        piece.file === undefined ? { ...piece, offset: start + piece.offset } : piece,
      );
      sink.tensor({ ...tensor, keyPath: [...prefix, ...tensor.keyPath], pieces });
    },
    claim: (offset, bytes, component) => sink.claim(start + offset, bytes, component),
    unexplained: (offset, bytes) => sink.unexplained(start + offset, bytes),
    finding: (finding) => sink.finding(finding.offset === undefined ? finding : { ...finding, offset: start + finding.offset }),
  });
}
