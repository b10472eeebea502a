import type { DatasetLayout } from '../datasetLayout.js';

/** ArrayRecord files (Grain, MaxText). */
export const arrayRecord: DatasetLayout = {
  id: 'array-record',
  framework: 'ArrayRecord',
  sampleUnit: 'record',
  claim: () => [],
  read: () => Promise.resolve(),
};
