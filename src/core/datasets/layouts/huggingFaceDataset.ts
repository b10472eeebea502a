import type { DatasetLayout } from '../datasetLayout.js';

/** Arrow files of Hugging Face Datasets. */
export const huggingFaceDataset: DatasetLayout = {
  id: 'huggingface-dataset',
  framework: 'Hugging Face Datasets',
  sampleUnit: 'row',
  claim: () => [],
  read: () => Promise.resolve(),
};
