import type { DatasetLayout } from '../datasetLayout.js';

/** Bare tokens: NumPy arrays, nanoGPT, llm.c, OLMo. */
export const tokenArray: DatasetLayout = {
  id: 'token-array',
  framework: 'token arrays',
  sampleUnit: 'document',
  claim: () => [],
  read: () => Promise.resolve(),
};
