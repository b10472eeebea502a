import {
  columnCells,
  columnHeads,
  isNotTokenized,
  kindLines,
  lengthSentence,
  shardSentence,
  sourceSentences,
} from './datasetLines.js';
import { datasetHeadlineOf } from './datasetHeadline.js';
import type { DatasetReport } from '../../datasets/datasetReport.js';
import { datasetSubtitle } from './datasetWords.js';
import { demandLines, demandSentence, planInWords } from './demandWords.js';
import { lengthBins } from './lengthBins.js';
import { ioSentence } from '../checkpoint/reportLines.js';
import { importLines } from '../render/importLines.js';
import { drawBar, swatchOf } from '../render/terminalBar.js';
import { findingsBlock, painter, type TerminalOptions } from '../render/terminalText.js';
import { formatBytes, formatCount, formatShare } from '../../text/units.js';
import { visibleText } from '../../text/visibleText.js';

/** Rows of a list that are shown before the rest is counted. */
const MAX_ROWS = 30;
const LABEL_WIDTH = 22;
/** Names and types that are longer are cut: the whole ones are in the JSON. */
const MAX_CELL = 40;

/** A dataset as a summary for a terminal. */
export function renderDatasetTerminal(report: DatasetReport, options: TerminalOptions): string {
  const paint = painter(options.color);
  const headline = datasetHeadlineOf(report);
  return [
    paint('bold', visibleText(report.path)),
    datasetSubtitle(report),
    '',
    `${paint('bold', headline.size)} (${headline.binarySize}): ${headline.what}`,
    ...(headline.how === '' ? [] : [headline.how]),
    '',
    ...kindBlock(report, options),
    ...columnBlock(report),
    ...splitBlock(report),
    ...shapeBlock(report),
    ...demandBlock(report),
    ...findingsBlock(report, paint),
    ...importLines(report.pickleImports),
    ...moreToReadBlock(report),
    '',
    paint('dim', ioSentence(report)),
    '',
  ].join('\n');
}

function kindBlock(report: DatasetReport, options: TerminalOptions): string[] {
  const lines = kindLines(report);
  if (lines.length === 0) return [];
  return [
    drawBar(
      lines.map(({ share }) => share),
      options,
    ),
    '',
    ...lines.map(
      ({ label, bytes, share }, index) =>
        `  ${swatchOf(index, options.color)} ${label.padEnd(LABEL_WIDTH)}${formatBytes(bytes).padStart(10)}${formatShare(share).padStart(9)}`,
    ),
    '',
  ];
}

function columnBlock({ columns, totalBytes }: DatasetReport): string[] {
  if (columns.length === 0) return [];
  const rows = columns.slice(0, MAX_ROWS).map((column) => columnCells(column, totalBytes).map(cut));
  return [...table([...columnHeads], rows, 3), ...moreLine(columns.length), ''];
}

function splitBlock({ splits }: DatasetReport): string[] {
  if (splits.length === 0) return [];
  const rows = splits
    .slice(0, MAX_ROWS)
    .map(({ name, shards, bytes, samples, tokens }) => [
      cut(name),
      formatCount(shards),
      formatBytes(bytes),
      samples === null ? '' : formatCount(samples),
      tokens === null ? '' : formatCount(tokens),
    ]);
  return [...table(['split', 'shards', 'bytes', 'samples', 'tokens'], rows, 1), ...moreLine(splits.length), ''];
}

/** Shards, lengths and where the numbers come from. */
function shapeBlock(report: DatasetReport): string[] {
  const lengths = lengthSentence(report);
  const lines = [
    shardSentence(report),
    lengths === '' ? '' : `Lengths: ${lengths}`,
    lengthCurve(report),
    ...sourceSentences(report),
  ].filter((line) => line !== '');
  return lines.length === 0 ? [] : [...lines, ''];
}

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** The histogram as one line, `4 ▁▃█▅▂ 60`; empty where there is but one length. */
function lengthCurve({ lengths }: DatasetReport): string {
  if (lengths === null || lengths.minTokens === lengths.maxTokens) return '';
  const bins = lengthBins(lengths, 40);
  const most = bins.reduce((top, { count }) => Math.max(top, count), 1);
  const curve = bins.map(({ count }) => (count === 0 ? ' ' : levels[Math.ceil((count / most) * levels.length) - 1])).join('');
  return `  ${formatCount(lengths.minTokens)} ${curve} ${formatCount(lengths.maxTokens)} tokens (logarithmic)`;
}

function demandBlock({ demand }: DatasetReport): string[] {
  if (demand === undefined) return [];
  return [
    `Read load: ${planInWords(demand)}`,
    ...demandLines(demand).map(({ label, value }) => `  ${label.padEnd(LABEL_WIDTH + 2)}${value}`),
    demandSentence(demand),
    '',
  ];
}

/** The flags that would have more of it read. */
function moreToReadBlock(report: DatasetReport): string[] {
  return [
    ...(report.lengthsOnRequest ? ['--all-lengths reads all lengths.'] : []),
    ...(isNotTokenized(report) ? ['--tokenizer FILE tokenizes samples of the text, for a narrow range.'] : []),
  ];
}

function moreLine(count: number): string[] {
  return count > MAX_ROWS ? [`  ${formatCount(count - MAX_ROWS)} more: see --json`] : [];
}

/** Columns as wide as their longest cell; those from `numeric` on are aligned to the right. Columns without a cell are left out. */
function table(heads: readonly string[], rows: readonly string[][], numeric: number): string[] {
  const shown = heads.map((_, column) => column).filter((column) => rows.some((row) => row[column] !== ''));
  const widths = shown.map((column) =>
    rows.reduce((width, row) => Math.max(width, (row[column] ?? '').length), (heads[column] ?? '').length),
  );
  return [heads, ...rows].map((row) =>
    `  ${shown
      .map((column, index) => {
        const cell = row[column] ?? '';
        const width = widths[index] ?? 0;
        return column < numeric ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')}`.trimEnd(),
  );
}

function cut(text: string): string {
  const visible = visibleText(text);
  return visible.length > MAX_CELL ? `${visible.slice(0, MAX_CELL - 1)}…` : visible;
}
