import { archiveFindings } from './archiveFindings.js';
import { arrayFindings } from './arrayFindings.js';
import { datasetFindings } from './datasetFindings.js';
import { fileFindings } from './fileFindings.js';
import { saveFindings } from './saveFindings.js';
import { shardFindings } from './shardFindings.js';
import { stateFindings } from './stateFindings.js';
import { tensorFindings } from './tensorFindings.js';
import { tokenFindings } from './tokenFindings.js';

/** Every finding there is, by its code. */
export const findingTable = {
  ...fileFindings,
  ...tensorFindings,
  ...archiveFindings,
  ...shardFindings,
  ...arrayFindings,
  ...saveFindings,
  ...stateFindings,
  ...datasetFindings,
  ...tokenFindings,
};
