import type { Report } from '../inspection/report.js';
import { renderCheckpointTerminal } from './checkpoint/checkpointTerminal.js';
import { renderCollectionTerminal } from './collection/collectionTerminal.js';
import { renderDatasetTerminal } from './dataset/datasetTerminal.js';
import type { TerminalOptions } from './render/terminalText.js';

/** The report as a summary for a terminal. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  switch (report.kind) {
    case 'checkpoint':
      return renderCheckpointTerminal(report, options);
    case 'dataset':
      return renderDatasetTerminal(report, options);
    case 'collection':
      return renderCollectionTerminal(report, options);
  }
}
