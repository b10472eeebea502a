import type { ReportedRun } from '../../src/core/runs/runsReport.js';
import { eventChannel } from '../shared/eventChannel.js';

/** What the parts of the panel ask of the panel, besides what all panels have. */
export interface RunEvents {
  /** Opens one run of several. */
  'run-open': ReportedRun;
  /** Back to all runs of the directory. */
  'run-leave': null;
  'run-follow': boolean;
}

export const { emit: emitRunEvent, on: onRunEvent } = eventChannel<RunEvents>();
