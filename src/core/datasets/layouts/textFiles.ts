import type { DatasetLayout } from '../datasetLayout.js';

/** Plain text and CSV. */
export const textFiles: DatasetLayout = {
  id: 'text',
  framework: 'text',
  sampleUnit: 'document',
  claim: () => [],
  read: () => Promise.resolve(),
};
