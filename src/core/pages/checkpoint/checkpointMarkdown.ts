import type { CheckpointReport } from '../../checkpoints/checkpointReport.js';
import { markdownCode, markdownText } from '../../text/displayText.js';
import { headlineOf } from './headline.js';
import { filesSection, findingsSection, MAX_ROWS } from '../render/markdownParts.js';
import { tableLines } from '../render/markdownTable.js';
import { loadPage } from './loadPage.js';
import { subtitleOf } from './subtitle.js';
import { componentLines, ioSentence, ofWhatIsHere, perParameterSum, pointerLines, shownRunLines } from './reportLines.js';
import { labelOfPart } from '../../checkpoints/segments.js';
import { formatCount } from '../../text/units.js';
import { placeName } from '../../files/paths.js';
import type { ComponentId, TensorPart } from '../../tensors/component.js';

/** A checkpoint's report as Markdown. */
export function renderCheckpointMarkdown(report: CheckpointReport): string {
  const headline = headlineOf(report);
  const sum = perParameterSum(report, (term) => labelOfPart(term.component as ComponentId, term.part as TensorPart));
  const lines = [
    `## ${markdownText(placeName(report.path))}`,
    '',
    `${markdownText(subtitleOf(report))}`,
    '',
    `**${headline.size}** (${headline.binarySize}): ${markdownText(headline.why)} ${markdownText(headline.resume)}`,
    '',
    ...(report.parameters.unique > 0
      ? [`${formatCount(report.parameters.unique)} parameters${ofWhatIsHere(report)}. ${markdownText(sum)}`, '']
      : []),
    ...findingsSection(report),
    '| component | bytes | size | share | B / parameter |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...componentLines(report).map(
      (line) => `| ${line.label} | ${formatCount(line.bytes)} | ${line.size} | ${line.shareText} | ${line.perParameter} |`,
    ),
    `| **all** | **${formatCount(report.totalBytes)}** | **${headline.size}** | 100.0 % | |`,
    '',
    ...runTable(report),
    ...loadSection(report),
    ...filesSection(report.files),
    `${ioSentence(report)}.`,
    '',
  ];
  return lines.join('\n');
}

function loadSection({ load }: CheckpointReport): string[] {
  if (load === undefined) return [];
  const { decision, why, tables } = loadPage(load, MAX_ROWS);
  return ['### Loading', '', `${markdownText(decision)} ${markdownText(why)}`, '', ...tables.flatMap(tableLines)];
}

function runTable(report: CheckpointReport): string[] {
  const { lines, rest } = shownRunLines(report, MAX_ROWS);
  if (lines.length === 0) return [];
  return [
    '### Checkpoints',
    '',
    '| step | size | state | written (UTC) | checkpoint |',
    '| ---: | ---: | --- | --- | --- |',
    ...lines.map(
      ({ step, size, state, path, modified }) => `| ${step} | ${size} | ${state} | ${modified} | ${markdownCode(path)} |`,
    ),
    ...(rest === '' ? [] : ['', `${rest}.`]),
    '',
    ...pointerLines(report).map((line) => `- ${markdownText(line)}`),
    '',
  ];
}
