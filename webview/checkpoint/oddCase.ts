import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { counted } from '../../src/core/text/quantities.js';

/** Words for a report that is no ordinary one: nothing here, nothing recognised, nothing but files. Null for all others. */
export function oddCaseOf(report: CheckpointReport): string | null {
  if (report.files.length === 0) {
    return 'This folder is empty: there are no files to account for. If a checkpoint is still being written here, inspect it again when it is done.';
  }
  if (report.resume.verdict === 'none')
    return 'Nothing here is in a format of models, or saved as a training framework saves it. The tab Files says what each file is for, as far as its name tells.';
  if (report.layout === 'unknown')
    return 'The files lie as no training framework is known to save them. What could be read of each is below.';
  if (report.totalBytes === 0)
    return `There ${report.files.length === 1 ? 'is' : 'are'} ${counted(report.files.length, 'file')} here, and all are empty.`;
  if (report.tensorCount === 0) return 'No tensors were found in what could be read. The files are accounted for below.';
  return null;
}
