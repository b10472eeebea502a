/** A dataset in at most twelve lines of Markdown, for a hover. All text from files is escaped. */
import { coverageInWords } from '../../findings/evidence.js';
import { boundInWords, bytesPerTokenInWords, isBound, rangeInWords, tokenizedRange } from './datasetHeadline.js';
import { shardSentence } from './datasetLines.js';
import type { CountReport, DatasetReport } from '../../datasets/datasetReport.js';
import { countInWords, datasetLayoutNames } from './datasetWords.js';
import { dtypeInWords } from '../../tensors/dtypeInWords.js';
import { pluralOf, unitsOf } from '../../text/plural.js';
import { markdownText } from '../../text/displayText.js';
import { findingCounts } from '../findingCounts.js';
import { formatBytes, formatCount, formatShare } from '../../text/units.js';

/** Longest text from a file that a line of a hover holds. */
const longestText = 80;

/** @param link target of the link that opens the report */
export function datasetHover(report: DatasetReport, link: string): string {
  const { layout, totalBytes } = report;
  const lines = [
    `**${datasetLayoutNames[layout]} · ${formatBytes(totalBytes)}**`,
    tokenLine(report),
    sampleLine(report),
    storedLine(report),
    shardLine(report),
    paddingLine(report),
    `Findings: ${findingCounts(report)}`,
    `[Inspect](${link})`,
  ];
  return joinLines(lines);
}

function joinLines(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join('  \n');
}

function tokenLine({ tokens, text }: DatasetReport): string {
  if (tokens === null) return 'Tokens: not known';
  if (tokens.exact) return `${formatCount(tokens.count)} tokens`;
  if (isBound(tokens)) {
    const bound = boundInWords(tokens);
    return `${bound === null ? 'Tokens: not known' : `${bound} tokens`} (${coverageInWords(tokens.coverage)})`;
  }
  const [first] = text?.tokenized ?? [];
  const size = first === undefined ? '' : `; tokenized ${markdownText(tokenizedRange(first))}`;
  return `*~${countInWords(tokens.count, false)} tokens* (${rangeInWords(tokens)})${size}`;
}

function sampleLine({ samples, sampleCount, sampleUnit, splits }: DatasetReport): string {
  if (samples === null) return '';
  const count = sampleWords(samples, sampleCount, short(sampleUnit));
  const names = splits.slice(0, 4).map(({ name }) => short(name));
  const more = splits.length > names.length ? ` and ${splits.length - names.length} more` : '';
  return markdownText(`${count}${names.length === 0 ? '' : ` in ${names.join(', ')}${more}`}`);
}

function sampleWords(samples: number, count: CountReport | null, unit: string): string {
  if (count !== null && isBound(count)) {
    const bound = boundInWords(count);
    return bound === null ? '' : `${bound} ${pluralOf(unit)} (${coverageInWords(count.coverage)})`;
  }
  return count?.exact === false ? `~${countInWords(samples, false)} ${unit}s` : unitsOf(samples, unit);
}

function storedLine({ tokenDtype, bytesPerToken, bytes, totalBytes }: DatasetReport): string {
  if (tokenDtype === null || bytesPerToken === null || totalBytes === 0) return '';
  const dtype = tokenDtype === 'mixed' ? 'several dtypes' : dtypeInWords(short(tokenDtype));
  return markdownText(
    `${bytesPerTokenInWords(bytesPerToken)} a token (${dtype}); ${formatShare((bytes.tokens ?? 0) / totalBytes)} of the bytes are tokens`,
  );
}

function shardLine(report: DatasetReport): string {
  return markdownText(short(shardSentence(report).split('. ')[0] ?? '', 160).replace(/\.$/, ''));
}

function paddingLine({ padding }: DatasetReport): string {
  return padding === null ? '' : `Padding: ${padding.exact ? '' : '~'}${formatShare(padding.share)} of token positions`;
}

function short(text: string, length = longestText): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
