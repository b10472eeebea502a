import type { CheckpointReport } from '../../src/core/checkpoints/checkpointReport.js';
import { counted } from '../../src/core/text/quantities.js';

/** Words for a report that is no ordinary one: nothing here, nothing recognised, nothing but files. Null for all others. */
export function oddCaseOf(report: CheckpointReport): string | null {
  if (report.files.length === 0) {
    return 'This folder is empty: there are no files to account for. If a checkpoint is still being written here, inspect it again when it is done.';
  }
  if (report.layout === 'unknown') {
    return (
      `No checkpoint layout was recognised. Seen: ${formatsSeen(report)}. Expected: model weights (safetensors, PyTorch or NumPy files), ` +
      'or the directory that a training framework saves. Sizes and whatever could be read are listed below.'
    );
  }
  if (report.totalBytes === 0)
    return `There ${report.files.length === 1 ? 'is' : 'are'} ${counted(report.files.length, 'file')} here, and all are empty.`;
  if (report.tensorCount === 0) return 'No tensors were found in what could be read. The files are accounted for below.';
  return null;
}

function formatsSeen(report: CheckpointReport): string {
  const counts = new Map<string, number>();
  for (const { format } of report.files) counts.set(format, (counts.get(format) ?? 0) + 1);
  const seen = [...counts].sort((a, b) => b[1] - a[1]);
  const shown = seen.slice(0, 4).map(([format, count]) => `${counted(count, 'file')} of kind ${format}`);
  return seen.length > 4 ? `${shown.join(', ')} and ${seen.length - 4} kinds more` : shown.join(', ');
}
