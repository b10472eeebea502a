import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';

/** Words for a dataset that has nothing to show; null for all others. */
export function oddDatasetCase({ files, totalBytes, tokens, text, samples }: DatasetReport): string | null {
  if (totalBytes === 0)
    return `There ${files.length === 1 ? 'is 1 file' : `are ${files.length} files`} here without a single byte. If the dataset is still being written, inspect it again when that is done.`;
  if (tokens === null && text === null && samples === null)
    return 'Neither samples nor tokens can be told from what could be read. The bytes are accounted for below, and the findings say what is in the way.';
  return null;
}
