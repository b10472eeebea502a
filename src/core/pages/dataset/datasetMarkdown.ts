import { placeName } from '../../files/paths.js';
import { columnCells, columnHeads, kindLines, lengthSentence, shardSentence, sourceSentences } from './datasetLines.js';
import { datasetHeadlineOf } from './datasetHeadline.js';
import type { DatasetReport } from '../../datasets/datasetReport.js';
import { datasetSubtitle } from './datasetWords.js';
import { demandLines, demandSentence, planInWords } from './demandWords.js';
import { markdownCode, markdownText } from '../../text/displayText.js';
import { capped, filesSection, findingsSection } from '../render/markdownParts.js';
import { ioSentence } from '../checkpoint/reportLines.js';
import { formatBytes, formatCount, formatShare } from '../../text/units.js';

/** A dataset as Markdown. Text from files is escaped, so that it stays text wherever it is pasted. */
export function renderDatasetMarkdown(report: DatasetReport): string {
  const { size, binarySize, what, how } = datasetHeadlineOf(report);
  return [
    `## ${markdownText(placeName(report.path))}`,
    '',
    markdownText(datasetSubtitle(report)),
    '',
    `**${size}** (${binarySize}): ${markdownText(`${what} ${how}`.trim())}`,
    '',
    ...findingsSection(report),
    ...kindTable(report),
    ...columnTable(report),
    ...splitTable(report),
    ...sentences(report),
    ...demandSection(report),
    ...factsSection(report),
    ...filesSection(report.files),
    `${ioSentence(report)}.`,
    '',
  ].join('\n');
}

function kindTable(report: DatasetReport): string[] {
  return [
    '| kind | bytes | size | share |',
    '| --- | ---: | ---: | ---: |',
    ...kindLines(report).map(
      ({ label, bytes, share }) => `| ${label} | ${formatCount(bytes)} | ${formatBytes(bytes)} | ${formatShare(share)} |`,
    ),
    `| **all** | **${formatCount(report.totalBytes)}** | **${formatBytes(report.totalBytes)}** | 100.0 % |`,
    '',
  ];
}

function columnTable({ columns, totalBytes }: DatasetReport): string[] {
  if (columns.length === 0) return [];
  return [
    '### Columns',
    '',
    `| ${columnHeads.join(' | ')} |`,
    '| --- | --- | --- | ---: | ---: | ---: | ---: |',
    ...capped(columns, (column) => {
      const [name = '', type = '', ...rest] = columnCells(column, totalBytes);
      return `| ${markdownCode(name)} | ${markdownCode(type)} | ${rest.join(' | ')} |`;
    }),
    '',
  ];
}

function splitTable({ splits }: DatasetReport): string[] {
  if (splits.length === 0) return [];
  return [
    '### Splits',
    '',
    '| split | shards | bytes | samples | tokens |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...capped(
      splits,
      ({ name, shards, bytes, samples, tokens }) =>
        `| ${markdownCode(name)} | ${formatCount(shards)} | ${formatCount(bytes)} | ${countOrNothing(samples)} | ${countOrNothing(tokens)} |`,
    ),
    '',
  ];
}

function countOrNothing(count: number | null): string {
  return count === null ? '' : formatCount(count);
}

function sentences(report: DatasetReport): string[] {
  const lengths = lengthSentence(report);
  const all = [shardSentence(report), lengths === '' ? '' : `Lengths: ${lengths}`, ...sourceSentences(report)];
  const shown = all.filter((sentence) => sentence !== '');
  return shown.length === 0 ? [] : [...shown.map((sentence) => `- ${markdownText(sentence)}`), ''];
}

function demandSection({ demand }: DatasetReport): string[] {
  if (demand === undefined) return [];
  return [
    '### Read load',
    '',
    `${markdownText(planInWords(demand))}:`,
    '',
    ...demandLines(demand).map(({ label, value }) => `- ${label}: ${markdownText(value)}`),
    '',
    markdownText(demandSentence(demand)),
    '',
  ];
}

function factsSection({ facts }: DatasetReport): string[] {
  if (facts.length === 0) return [];
  return [
    '### Facts',
    '',
    ...capped(
      facts,
      ({ label, value, path, files = 1 }) =>
        `- ${markdownText(label)}: ${markdownText(value)} (${markdownCode(path)}${files === 1 ? '' : ` and ${formatCount(files - 1)} more`})`,
    ),
    '',
  ];
}
