/** The beginnings of files under the paths that they have in a part. */
import type { Probe } from '../../datasets/datasetLayout.js';
import { joinPath } from '../../files/paths.js';

/** The beginnings of files by their paths below a directory. */
export function placedProbe(probe: Probe, root: string): Probe {
  if (root === '') return probe;
  return {
    head: (path) => probe.head(joinPath(root, path)),
    beginning: (path, bytes) => probe.beginning(joinPath(root, path), bytes),
    failure: (path) => probe.failure(joinPath(root, path)),
    isSampled: (path) => probe.isSampled(joinPath(root, path)),
  };
}

/** The beginning of one file, whatever it is called in its part. */
export function fileProbe(probe: Probe, path: string): Probe {
  return {
    head: () => probe.head(path),
    beginning: (_, bytes) => probe.beginning(path, bytes),
    failure: () => probe.failure(path),
    isSampled: () => probe.isSampled(path),
  };
}
