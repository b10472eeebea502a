import type { Report } from '../inspection/report.js';
import { renderCheckpointTerminal } from './checkpoint/checkpointTerminal.js';
import { renderDatasetTerminal } from './dataset/datasetTerminal.js';
import type { TerminalOptions } from './render/terminalText.js';

/** The report as a summary for a terminal. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  return report.kind === 'dataset' ? renderDatasetTerminal(report, options) : renderCheckpointTerminal(report, options);
}
