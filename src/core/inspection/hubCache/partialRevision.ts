/** A revision of which only some files were asked for, such as the config: a cache has it so, and nothing is missing that was ever there. */
import type { CheckpointReport } from '../../checkpoints/checkpointReport.js';
import type { Report } from '../report.js';

/** True for a report that has no weights, and no other error. */
export function isPartial(report: Report): report is CheckpointReport {
  const errors = report.findings.filter(({ severity }) => severity === 'error');
  return report.kind === 'checkpoint' && errors.length > 0 && errors.every(({ code }) => code === 'weights-missing');
}

/** Takes back that weights are missing. */
export function forgiveMissingWeights(report: CheckpointReport): void {
  report.findings = report.findings.filter(({ code }) => code !== 'weights-missing');
  report.resume = { ...report.resume, verdict: 'none', missing: [], blockedBy: [] };
  report.bytesPerParameter = null;
}
