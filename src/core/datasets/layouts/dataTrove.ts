import type { DatasetLayout } from '../datasetLayout.js';

/** DataTrove: token files with an index of documents. */
export const dataTrove: DatasetLayout = {
  id: 'datatrove',
  framework: 'DataTrove',
  sampleUnit: 'document',
  claim: () => [],
  read: () => Promise.resolve(),
};
