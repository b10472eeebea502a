import type { DatasetReport } from '../../src/core/datasets/datasetReport.js';

/** Words for a dataset that has nothing to show; null for all others. */
export function oddDatasetCase({ files, totalBytes, tokens, text, samples }: DatasetReport): string | null {
  if (totalBytes === 0)
    return `${files.length === 1 ? 'The 1 file here is' : `All ${files.length} files here are`} empty. If the dataset is still being written, inspect it again when that is done.`;
  if (tokens === null && text === null && samples === null)
    return 'Samples and tokens could not be counted. The bytes are accounted for below, and the findings list why.';
  return null;
}
