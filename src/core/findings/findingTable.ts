import { archiveFindings } from './archiveFindings.js';
import { arrayFindings } from './arrayFindings.js';
import { cacheFindings } from './cacheFindings.js';
import { codeFindings } from './codeFindings.js';
import { comparisonFindings } from './comparisonFindings.js';
import { datasetFindings } from './datasetFindings.js';
import { fileFindings } from './fileFindings.js';
import { loadFindings } from './loadFindings.js';
import { modelFindings } from './modelFindings.js';
import { pickleFindings } from './pickleFindings.js';
import { saveFindings } from './saveFindings.js';
import { shardFindings } from './shardFindings.js';
import { stateFindings } from './stateFindings.js';
import { tensorFindings } from './tensorFindings.js';
import { tokenFindings } from './tokenFindings.js';
import { valueFindings } from './valueFindings.js';

/** The tables by what they are about, in the order of docs/findings.md. */
export const findingSubjects = {
  'Files of any kind': fileFindings,
  Tensors: tensorFindings,
  'Values of tensors': valueFindings,
  'Values of two checkpoints': comparisonFindings,
  'Archives and pickles': archiveFindings,
  'Imports and calls of pickles': pickleFindings,
  'Code that loaders run': codeFindings,
  'Shards and their index': shardFindings,
  'Arrays in chunks, and their metadata': arrayFindings,
  Saves: saveFindings,
  'Caches of the Hugging Face Hub': cacheFindings,
  'Parts of training state': stateFindings,
  'A model against its config': modelFindings,
  'What loading compares': loadFindings,
  Datasets: datasetFindings,
  Tokens: tokenFindings,
};

/** Every finding there is, by its code. */
export const findingTable = {
  ...fileFindings,
  ...tensorFindings,
  ...valueFindings,
  ...comparisonFindings,
  ...archiveFindings,
  ...pickleFindings,
  ...codeFindings,
  ...shardFindings,
  ...arrayFindings,
  ...saveFindings,
  ...cacheFindings,
  ...stateFindings,
  ...modelFindings,
  ...loadFindings,
  ...datasetFindings,
  ...tokenFindings,
};
