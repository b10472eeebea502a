import type { DatasetLayout } from '../datasetLayout.js';

/** JSON Lines, plain or compressed. */
export const jsonLines: DatasetLayout = {
  id: 'jsonl',
  framework: 'JSON Lines',
  sampleUnit: 'line',
  claim: () => [],
  read: () => Promise.resolve(),
};
