import type { ComponentId, TensorPart } from '../../tensors/component.js';
import type { CheckpointReport } from '../../checkpoints/checkpointReport.js';
import { importLines } from '../render/importLines.js';
import { visibleText } from '../../text/visibleText.js';
import { drawBar, swatchOf } from '../render/terminalBar.js';
import { findingsBlock, painter, type TerminalOptions } from '../render/terminalText.js';
import { headlineOf } from './headline.js';
import { loadPage } from './loadPage.js';
import { subtitleOf } from './subtitle.js';
import { componentLines, ioSentence, ofWhatIsHere, perParameterSum, pointerLines, shownRunLines } from './reportLines.js';
import { summarizeRanks } from './rankSummary.js';
import { labelOfPart } from '../../checkpoints/segments.js';
import { formatCount } from '../../text/units.js';

const LABEL_WIDTH = 22;
/** A checkpoint's report as a summary for a terminal: the sentence, a bar, the components, the findings, what was read. */
export function renderCheckpointTerminal(report: CheckpointReport, options: TerminalOptions): string {
  const paint = painter(options.color);
  const headline = headlineOf(report);
  const sum = perParameterSum(report, (term) => labelOfPart(term.component as ComponentId, term.part as TensorPart));
  const lines = [
    `${paint('bold', visibleText(report.path))}`,
    subtitleOf(report),
    '',
    `${paint('bold', headline.size)} (${headline.binarySize}): ${headline.why}`,
    headline.resume,
    '',
    bar(report, options),
    '',
    ...componentTable(report, options),
    '',
    ...runTable(report),
    ...rankLines(report),
    ...(sum === '' ? [] : [`${formatCount(report.parameters.unique)} parameters${ofWhatIsHere(report)}`, sum, '']),
    ...loadLines(report),
    ...findingsBlock(report, paint),
    ...importLines(report.pickleImports),
    '',
    paint('dim', ioSentence(report)),
    '',
  ];
  return lines.join('\n');
}

function bar(report: CheckpointReport, options: TerminalOptions): string {
  return drawBar(
    componentLines(report).map(({ share }) => share),
    options,
  );
}

function componentTable(report: CheckpointReport, { color }: TerminalOptions): string[] {
  return componentLines(report).map((line, index) => {
    const perParameter = line.perParameter === '' ? '' : `${line.perParameter.padStart(9)} B/parameter`;
    return `  ${swatchOf(index, color)} ${line.label.padEnd(LABEL_WIDTH)}${line.size.padStart(10)}${line.shareText.padStart(9)}${perParameter}`;
  });
}

/** One line: what differs is a finding, and the rest is in the other forms. */
function loadLines({ load }: CheckpointReport): string[] {
  if (load === undefined) return [];
  const { decision, why } = loadPage(load, 0);
  return [`Loading: ${decision} ${why}`, ''];
}

function rankLines(report: CheckpointReport): string[] {
  const summary = summarizeRanks(report);
  return summary === null ? [] : [`Ranks: ${summary.count}, ${summary.words}`, ''];
}

/** Checkpoints of a run that are listed before the rest is counted. */
const MAX_CHECKPOINTS = 30;

function runTable(report: CheckpointReport): string[] {
  const { lines: shown, rest } = shownRunLines(report, MAX_CHECKPOINTS);
  if (shown.length === 0) return [];
  const stepWidth = shown.reduce((width, { step }) => Math.max(width, step.length), 4);
  return [
    ...(rest === '' ? [] : [`  ${rest}: see --json`]),
    `  ${'step'.padStart(stepWidth)}${'size'.padStart(10)}  ${'state'.padEnd(17)}  ${'written (UTC)'.padEnd(16)}  checkpoint`,
    ...shown.map(
      ({ step, size, state, path, modified }) =>
        `  ${step.padStart(stepWidth)}${size.padStart(10)}  ${state.padEnd(17)}  ${modified.padEnd(16)}  ${path}`,
    ),
    ...pointerLines(report).map((line) => `  ${line}`),
    '',
  ];
}
