import { fileSystemName, isShared, type FileSystemKind } from './fileSystemKind.js';
import type { FileSystemFacts } from './targetFacts.js';
import type { FileSystemReport } from './bandwidthReport.js';

/** What the system tells of a file system, with what that means for checkpoints. */
export function fileSystemReport(facts: FileSystemFacts): FileSystemReport {
  const { name, kind } = fileSystemName(facts);
  return { ...facts, name, kind, isShared: isShared(kind), meaning: meanings[kind] };
}

const meanings: Readonly<Record<FileSystemKind, string>> = {
  memory: 'This is memory: fast, and gone with the node. It is a first level for emergency copies, and no place for checkpoints.',
  overlay:
    'This is a container’s own layer: it ends with the container, and is slower than the volumes beneath it. Checkpoints belong on a volume.',
  node: 'This is a disk of this node, or one that only this node mounts: fast, and lost with the node. Checkpoints have to be copied away from it.',
  shared: 'This is shared by nodes: what is written here outlives the node, and others share its bandwidth.',
  object: 'This is an object store: durable, with requests of tens of milliseconds, and fast only with many of them at once.',
  unknown: 'The storage behind this file system is unknown.',
};
