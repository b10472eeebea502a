import type { CheckpointReport } from '../checkpoints/checkpointReport.js';
import type { DatasetReport } from '../datasets/datasetReport.js';
import type { CollectionReport } from './collection/collectionReport.js';

/** What an inspection answers: `kind` tells which. */
export type Report = CheckpointReport | DatasetReport | CollectionReport;
