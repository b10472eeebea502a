import type { FileTree } from '../../core/files/fileTree.js';
import { inspect, type InspectOptions } from '../../core/inspection/inspect.js';
import { datasetHover } from '../../core/pages/dataset/datasetHover.js';

/** A hover does not wait for more: raw text in a dataset that has an index is sampled in a few places only. */
const hoverSampling = { windows: 16, wholeBytes: 256 * 1024, milliseconds: 300 };

/** A dataset in a few lines of Markdown, with a link to its report; null for what is no dataset. */
export async function describeDataset(
  tree: FileTree,
  link: string,
  options: Pick<InspectOptions, 'path' | 'signal' | 'pause'>,
): Promise<string | null> {
  const { report } = await inspect(tree, { ...options, sampling: hoverSampling });
  return report.kind === 'dataset' ? datasetHover(report, link) : null;
}
