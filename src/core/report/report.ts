import type { CheckpointReport } from './checkpointReport.js';
import type { DatasetReport } from './datasetReport.js';

/** What an inspection answers: `kind` tells which. */
export type Report = CheckpointReport | DatasetReport;
