import {
  checkpointInWords,
  estimateSentences,
  estimateSubtitle,
  estimateSum,
  parameterSentence,
  takesInWords,
  termSourceLines,
  trainingLines,
  termPerParameter,
} from './estimateLines.js';
import type { EstimateReport } from '../../estimates/estimateReport.js';
import { termInWords } from '../../estimates/estimateWords.js';
import { type TerminalOptions, painter, type Paint } from '../render/terminalText.js';
import { drawBar, swatchOf } from '../render/terminalBar.js';
import { formatBytes } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

const LABEL_WIDTH = 24;

/** An estimate for a terminal: parameters, the checkpoint as a sum, the run, what was assumed and what was found. */
export function renderEstimateTerminal(report: EstimateReport, options: TerminalOptions): string {
  const paint = painter(options.color);
  const size = checkpointInWords(report);
  return [
    paint('bold', visibleText(report.path)),
    visibleText(estimateSubtitle(report)),
    '',
    visibleText(parameterSentence(report)),
    ...(size === null ? [] : [`A checkpoint ${takesInWords(report)} ${paint('bold', size)}`]),
    ...(report.trainsNothing ? [] : [estimateSum(report)]),
    '',
    ...termBlock(report, options),
    ...sentences(report),
    ...trainingBlock(report),
    ...listBlock('Where this comes from', assumptionLines(report)),
    ...listBlock('Not resolved', unresolvedLines(report)),
    ...findingsBlock(report, paint),
    '',
  ].join('\n');
}

function termBlock({ checkpoint }: EstimateReport, options: TerminalOptions): string[] {
  const { terms, bytesPerParameter } = checkpoint;
  if (terms.length === 0) return [];
  const bar = drawBar(
    terms.map((term) => (bytesPerParameter === 0 ? 0 : term.bytesPerParameter / bytesPerParameter)),
    options,
  );
  const rows = terms.map((term, index) => {
    const bytes = term.bytes === null ? '' : formatBytes(term.bytes).padStart(10);
    const name = `${termInWords(term.name)} (${term.dtype})`.padEnd(LABEL_WIDTH + 4);
    return `  ${swatchOf(index, options.color)} ${name}${termPerParameter(term.bytesPerParameter).padStart(6)} B${bytes}`;
  });
  return [bar, '', ...rows, ''];
}

function sentences(report: EstimateReport): string[] {
  const lines = estimateSentences(report);
  return lines.length === 0 ? [] : [...lines, ''];
}

function trainingBlock(report: EstimateReport): string[] {
  const lines = trainingLines(report);
  return lines.length === 0 ? [] : [...lines.map(({ label, value }) => `  ${label.padEnd(LABEL_WIDTH)}${value}`), ''];
}

function assumptionLines({ checkpoint, assumptions }: EstimateReport): string[] {
  return [...termSourceLines(checkpoint), ...assumptions.map(({ about, text }) => `${about}: ${text}`)];
}

function unresolvedLines({ unresolved }: EstimateReport): string[] {
  return unresolved.map(({ key, text, why }) => `${key}: ${text} ${why}`);
}

function listBlock(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${visibleText(line)}`), ''];
}

function findingsBlock({ findings }: EstimateReport, paint: Paint): string[] {
  return findings.flatMap(({ severity, key, message, advice }) => [
    `${paint(severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim', severity)} ${visibleText(key)}: ${visibleText(message)}`,
    `    ${visibleText(advice)}`,
  ]);
}
