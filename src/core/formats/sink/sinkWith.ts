import type { FileSink } from './fileSink.js';

/**
 * A sink that hands everything on to another, apart from what is given in its place. A copy by spread would lose the methods of a
 * class. What tensors are is taken as it is now.
 */
export function sinkWith(sink: FileSink, changes: Partial<FileSink>): FileSink {
  return {
    file: sink.file,
    path: sink.path,
    tensors: sink.tensors,
    signal: sink.signal,
    unpackBudget: sink.unpackBudget,
    classify: sink.classify,
    isPadded: sink.isPadded === true,
    turn: () => sink.turn(),
    tensor: (tensor) => sink.tensor(tensor),
    claim: (offset, bytes, component) => sink.claim(offset, bytes, component),
    finding: (finding) => sink.finding(finding),
    unexplained: (offset, bytes) => sink.unexplained(offset, bytes),
    object: (root, name) => sink.object(root, name),
    json: (root, name) => sink.json(root, name),
    pickleImport: (name) => sink.pickleImport(name),
    metadata: (key, value) => sink.metadata(key, value),
    ...changes,
  };
}
