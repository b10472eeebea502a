import type { DatasetLayout } from '../datasetLayout.js';

/** LitData: chunks with an index.json. */
export const litData: DatasetLayout = {
  id: 'litdata',
  framework: 'LitData',
  sampleUnit: 'sample',
  claim: () => [],
  read: () => Promise.resolve(),
};
