import { placeName } from '../../files/paths.js';
import { markdownCode, markdownText } from '../../text/displayText.js';
import {
  checkpointInWords,
  estimateSentences,
  estimateSubtitle,
  estimateSum,
  parameterSentence,
  termSourceLines,
  trainingLines,
} from './estimateLines.js';
import type { EstimateReport } from '../../estimates/estimateReport.js';
import { termInWords } from '../../estimates/estimateWords.js';
import { capped } from '../render/markdownParts.js';
import { formatBytes, formatCount, formatPerParameter } from '../../text/units.js';

/** An estimate as Markdown: what `stowage estimate --markdown` prints and the editor shows as a page. Text from files is escaped. */
export function renderEstimateMarkdown(report: EstimateReport): string {
  const size = checkpointInWords(report);
  return [
    `## ${markdownText(placeName(report.path))}`,
    '',
    markdownText(estimateSubtitle(report)),
    '',
    `**${markdownText(parameterSentence(report))}**`,
    '',
    ...(size === null ? [] : [`A checkpoint takes **${size}**: ${markdownText(estimateSum(report))}`, '']),
    ...termTable(report),
    ...sentences(report),
    ...findingsSection(report),
    ...trainingTable(report),
    ...adapterTable(report),
    ...tensorTable(report),
    ...assumptionList(report),
    ...unresolvedList(report),
  ].join('\n');
}

function termTable({ checkpoint }: EstimateReport): string[] {
  if (checkpoint.terms.length === 0) return [];
  return [
    '| part | dtype | bytes per parameter | bytes | size |',
    '| --- | --- | ---: | ---: | ---: |',
    ...checkpoint.terms.map(({ name, dtype, bytesPerParameter, bytes }) => {
      const sizes = bytes === null ? '| |' : `${formatCount(bytes)} | ${formatBytes(bytes)} |`;
      return `| ${termInWords(name)} | ${markdownText(dtype)} | ${formatPerParameter(bytesPerParameter)} | ${sizes}`;
    }),
    '',
    ...termSourceLines(checkpoint).map((line) => `- ${markdownText(line)}`),
    '',
  ];
}

function sentences(report: EstimateReport): string[] {
  return estimateSentences(report).flatMap((sentence) => [`${markdownText(sentence)}.`, '']);
}

function findingsSection({ findings }: EstimateReport): string[] {
  if (findings.length === 0) return [];
  return [
    '### Findings',
    '',
    ...capped(
      findings,
      ({ severity, key, message, advice }) =>
        `- **${severity}** ${markdownCode(key)}: ${markdownText(message)} ${markdownText(advice)}`,
    ),
    '',
  ];
}

function trainingTable(report: EstimateReport): string[] {
  const lines = trainingLines(report);
  if (lines.length === 0) return [];
  return [
    '### Training',
    '',
    '| | |',
    '| --- | ---: |',
    ...lines.map(({ label, value }) => `| ${label} | ${markdownText(value)} |`),
    '',
  ];
}

/** What is saved where the base model is not. */
function adapterTable({ checkpoint: { adapter } }: EstimateReport): string[] {
  if (adapter === null || adapter.length === 0) return [];
  return [
    '### Saved by the adapter',
    '',
    '| module | saved as | parameters |',
    '| --- | --- | ---: |',
    ...capped(
      adapter,
      ({ module, whole, parameters }) => `| ${markdownCode(module)} | ${savedAs(whole)} | ${formatCount(parameters)} |`,
    ),
    '',
  ];
}

function savedAs(isWhole: boolean): string {
  return isWhole ? 'whole' : 'low-rank matrices';
}

function tensorTable({ model, checkpoint }: EstimateReport): string[] {
  if (model === null || model.tensors.length === 0) return [];
  return [
    checkpoint.adapter === null ? '### Tensors' : '### Tensors of the base model, which is not saved',
    '',
    '| tensor | shape | copies | parameters |',
    '| --- | --- | ---: | ---: |',
    ...capped(
      model.tensors,
      ({ name, shape, copies, parameters, tied }) =>
        `| ${markdownCode(name)}${tied ? ' (tied)' : ''} | ${shape.join(' × ')} | ${formatCount(copies)} | ${formatCount(parameters)} |`,
    ),
    '',
  ];
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
