import { placeName } from '../../files/paths.js';
import { markdownCode, markdownText } from '../../text/displayText.js';
import {
  checkpointInWords,
  estimateSentences,
  estimateSubtitle,
  estimateSum,
  parameterSentence,
  takesInWords,
  trainingLines,
  trainingTitle,
} from './estimateLines.js';
import type { EstimateReport } from '../../estimates/estimateReport.js';
import { capped, cappedFindings } from '../render/markdownParts.js';
import {
  adapterTable,
  servingTable,
  tensorTable,
  termTable,
  type EstimateCell,
  type EstimateColumn,
  type EstimateTable,
} from './estimateTables.js';

/** An estimate as Markdown: what `stowage estimate --markdown` prints, the panel copies and the assistant's tool answers. Text from files is escaped. */
export function renderEstimateMarkdown(report: EstimateReport): string {
  const size = checkpointInWords(report);
  return [
    `## ${markdownText(placeName(report.path))}`,
    '',
    markdownText(estimateSubtitle(report)),
    '',
    `**${markdownText(parameterSentence(report))}**`,
    '',
    ...(size === null ? [] : [`A checkpoint ${takesInWords(report)} **${size}**: ${markdownText(estimateSum(report))}`, '']),
    ...findingsSection(report),
    ...termSection(report),
    ...sentences(report),
    ...(report.trainsNothing ? servingSection(report) : []),
    ...trainingTable(report),
    ...titledTable(adapterTable(report)),
    ...titledTable(tensorTable(report)),
    ...assumptionList(report),
    ...unresolvedList(report),
  ].join('\n');
}

function termSection(report: EstimateReport): string[] {
  const table = termTable(report);
  if (table.rows.length === 0) return [];
  return [...markdownTable(table), ...(table.notes ?? []).map((line) => `- ${markdownText(line)}`), ''];
}

function sentences(report: EstimateReport): string[] {
  return estimateSentences(report).flatMap((sentence) => [`${markdownText(sentence)}.`, '']);
}

function findingsSection({ findings }: EstimateReport): string[] {
  if (findings.length === 0) return [];
  return [
    '### Findings',
    '',
    ...cappedFindings(
      findings,
      ({ severity, key, message, advice }) =>
        `- **${severity}** ${markdownCode(key)}: ${markdownText(message)} ${markdownText(advice)}`,
    ),
    '',
  ];
}

function servingSection(report: EstimateReport): string[] {
  const table = servingTable(report);
  return table.rows.length === 0
    ? []
    : [...titledTable(table), ...(table.notes ?? []).map((line) => `- ${markdownText(line)}`), ''];
}

function trainingTable(report: EstimateReport): string[] {
  const lines = trainingLines(report);
  if (lines.length === 0) return [];
  return [
    `### ${trainingTitle(report)}`,
    '',
    '| | |',
    '| --- | ---: |',
    ...lines.map(({ label, value }) => `| ${label} | ${markdownText(value)} |`),
    '',
  ];
}

function titledTable(table: EstimateTable): string[] {
  return table.rows.length === 0 ? [] : [`### ${table.caption}`, '', ...markdownTable(table)];
}

function markdownTable({ columns, rows }: EstimateTable): string[] {
  return [
    `| ${columns.map(({ label }) => label).join(' | ')} |`,
    `| ${columns.map(({ kind }) => (kind === 'number' ? '---:' : '---')).join(' | ')} |`,
    ...capped(rows, (row) => `| ${row.map((cell, index) => markdownCell(cell, columns[index]?.kind ?? 'text')).join(' | ')} |`),
    '',
  ];
}

function markdownCell({ value, text }: EstimateCell, kind: EstimateColumn['kind']): string {
  if (kind === 'number' || kind === 'words') return text;
  // What is said of a name is not code.
  return kind === 'name' && typeof value === 'string' ? `${markdownCode(value)}${text.slice(value.length)}` : markdownText(text);
}

function assumptionList({ assumptions }: EstimateReport): string[] {
  if (assumptions.length === 0) return [];
  return ['### Assumed', '', ...assumptions.map(({ about, text }) => `- ${about}: ${markdownText(text)}`), ''];
}

function unresolvedList({ unresolved }: EstimateReport): string[] {
  if (unresolved.length === 0) return [];
  return [
    '### Not resolved',
    '',
    ...capped(unresolved, ({ key, text, why }) => `- ${markdownCode(key)}: ${markdownCode(text)} ${markdownText(why)}`),
    '',
  ];
}
