import type { DatasetLayout } from '../datasetLayout.js';

/** WebDataset: tar archives of samples. */
export const webDataset: DatasetLayout = {
  id: 'webdataset',
  framework: 'WebDataset',
  sampleUnit: 'sample',
  claim: () => [],
  read: () => Promise.resolve(),
};
