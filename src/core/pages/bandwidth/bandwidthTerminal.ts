import { tableBlock, wrapped } from '../plan/planTerminal.js';
import { type TerminalOptions, painter, type Paint } from '../render/terminalText.js';
import { visibleText } from '../../text/visibleText.js';
import type { BandwidthReport } from '../../bandwidth/bandwidthReport.js';
import { answersOf } from './bandwidthAnswers.js';
import { bandwidthFacts, bandwidthTables } from './bandwidthTables.js';

/** A check for a terminal: the verdict, the numbers and the caveats. */
export function renderBandwidthTerminal(report: BandwidthReport, options: TerminalOptions): string {
  const paint = painter(options.color);
  const width = Math.max(40, options.width);
  return [
    paint('bold', visibleText(report.path)),
    ...answersOf(report).flatMap((sentence) => wrapped(sentence, width)),
    ...wrapped(report.fileSystem.meaning, width).map((line) => paint('dim', line)),
    ...bandwidthTables(report).flatMap((table) => tableBlock(table, paint)),
    ...caveatLines(report, paint, width),
    '',
    ...bandwidthFacts(report).flatMap(({ label, value }) => wrapped(`${label}: ${value}`, width)),
    '',
  ].join('\n');
}

function caveatLines({ verdict: { caveats } }: BandwidthReport, paint: Paint, width: number): string[] {
  if (caveats.length === 0) return [];
  return ['', paint('bold', 'Caveats'), ...caveats.flatMap(({ text }) => wrapped(text, width, '  '))];
}
