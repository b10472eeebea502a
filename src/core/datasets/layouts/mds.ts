import type { DatasetLayout } from '../datasetLayout.js';

/** MosaicML Streaming: shards with an index.json. */
export const mds: DatasetLayout = {
  id: 'mds',
  framework: 'MosaicML Streaming',
  sampleUnit: 'sample',
  claim: () => [],
  read: () => Promise.resolve(),
};
