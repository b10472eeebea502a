import type { CountReport, DatasetReport } from './datasetReport.js';
import { formatBinaryBytes, formatBytes, formatCount } from './units.js';

export interface DatasetHeadline {
  /** `1.2 GB`. */
  size: string;
  binarySize: string;
  /** `15,000 tokens in 120 documents`. */
  what: string;
  /** How a token is stored, or what tokenizing would give. */
  how: string;
}

/** The answer that stands at the top of a dataset's report. */
export function datasetHeadlineOf(report: DatasetReport): DatasetHeadline {
  return {
    size: formatBytes(report.totalBytes),
    binarySize: formatBinaryBytes(report.totalBytes),
    what: `${tokensInWords(report.tokens)}${samplesInWords(report)}.`,
    how: report.tokenDtype === null ? tokenizedInWords(report) : storedInWords(report),
  };
}

function tokensInWords(tokens: CountReport | null): string {
  if (tokens === null) return 'The number of tokens is not known';
  if (tokens.exact) return `${formatCount(tokens.count)} tokens`;
  const [low, high] = tokens.interval;
  return `About ${formatCount(tokens.count)} tokens (${formatCount(low)} to ${formatCount(high)})`;
}

function samplesInWords({ samples, sampleCount, sampleUnit, tokens }: DatasetReport): string {
  if (samples === null) return '';
  const about = sampleCount?.exact === false ? 'about ' : '';
  const unit = `${formatCount(samples)} ${sampleUnit}${samples === 1 ? '' : 's'}`;
  return tokens === null ? `; ${about}${unit}` : ` in ${about}${unit}`;
}

function storedInWords({ tokenDtype, bytesPerToken, bytes, totalBytes }: DatasetReport): string {
  const width = bytesPerToken === null ? '' : `, ${bytesPerToken.toFixed(bytesPerToken % 1 === 0 ? 0 : 2)} bytes each`;
  const rest = totalBytes - (bytes.tokens ?? 0);
  const share = totalBytes === 0 ? 0 : rest / totalBytes;
  const other = share < 0.005 ? '' : ` ${(share * 100).toFixed(0)} % of the bytes are not tokens.`;
  return `Tokens are stored as ${tokenDtype}${width}.${other}`;
}

function tokenizedInWords({ text }: DatasetReport): string {
  if (text === null) return '';
  const sizes = text.tokenized.map(({ bytes, dtype }) => `${formatBytes(bytes)} (${dtype})`);
  return sizes.length === 0 ? '' : `Tokenized it will take about ${sizes.join(' or ')}.`;
}
