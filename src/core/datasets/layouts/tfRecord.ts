import type { DatasetLayout } from '../datasetLayout.js';

/** TFRecord files, also those of TensorFlow Datasets. */
export const tfRecord: DatasetLayout = {
  id: 'tfrecord',
  framework: 'TensorFlow',
  sampleUnit: 'record',
  claim: () => [],
  read: () => Promise.resolve(),
};
