/** What the numbers of a dataset say against it: dtypes, columns that repeat, shards that are odd. */
import type { Finding } from '../findings/finding.js';
import { median } from '../bytes/median.js';
import type { CountReport, DatasetReport } from './datasetReport.js';
import { dtypeInWords } from '../tensors/dtypeInWords.js';
import { formatShare } from '../text/units.js';
import { bytesOfElements } from '../tensors/dtype.js';

/** Findings about the dataset as a whole. */
export function assessDataset(report: DatasetReport): Finding[] {
  return [...dtypeFindings(report), ...columnFindings(report), ...shardFindings(report)];
}

/** Highest id that an unsigned, or a non-negative signed, integer of this dtype holds. */
const highestIds: Record<string, number> = {
  u8: 2 ** 8 - 1,
  i8: 2 ** 7 - 1,
  u16: 2 ** 16 - 1,
  i16: 2 ** 15 - 1,
  i32: 2 ** 31 - 1,
  u32: 2 ** 32 - 1,
};

function dtypeFindings(report: DatasetReport): Finding[] {
  const { tokenDtype, vocabulary, columns } = report;
  const tokenColumns = columns.filter(({ role }) => role === 'tokens');
  if (tokenDtype === 'mixed') {
    const dtypes = [...new Set(tokenColumns.map(({ dtype }) => (dtype === null ? '?' : dtypeInWords(dtype))))].join(', ');
    return [{ code: 'token-dtypes-mixed', facts: { dtypes } }];
  }
  if (tokenDtype === null) return [];
  const highest = highestIds[tokenDtype];
  if (vocabulary !== null && highest !== undefined && vocabulary.size > highest + 1) {
    const facts = { dtype: dtypeInWords(tokenDtype), vocabulary: vocabulary.size, source: vocabulary.source, highest };
    return [{ code: 'token-dtype-too-small', facts }];
  }
  return wideFinding(report, tokenDtype);
}

/** 64-bit ids are waste in any case; 32-bit ones where the vocabulary is known to fit into 16. */
function wideFinding({ tokens, vocabulary, totalBytes }: DatasetReport, dtype: string): Finding[] {
  const enough = vocabulary !== null && vocabulary.size <= 65_536 ? 'u16' : 'i32';
  const own = bytesOfElements(dtype, 1) ?? 0;
  const needed = bytesOfElements(enough, 1) ?? 0;
  if (tokens === null || totalBytes === 0 || own <= needed || isWidthOpen(tokens)) return [];
  const savedBytes = tokens.count * (own - needed);
  const share = formatShare((own - needed) / own);
  return [{ code: 'token-dtype-wide', facts: { dtype: dtypeInWords(dtype), enough: dtypeInWords(enough), savedBytes, share } }];
}

/** Where samples leave two widths, that of the dtype may be the wrong one. */
function isWidthOpen({ basis, interval: [low, high] }: CountReport): boolean {
  return (basis === 'sampled' || basis === 'assumed') && low !== high;
}

function columnFindings({ columns, totalBytes }: DatasetReport): Finding[] {
  const tokens = columns.find(({ role }) => role === 'tokens');
  if (tokens?.values == null || tokens.values === 0) return [];
  const repeated = columns.filter(
    ({ role, values }) => role !== 'tokens' && role !== 'text' && role !== 'value' && values === tokens.values,
  );
  const repeatedBytes = repeated.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  if (repeatedBytes === 0) return [];
  const facts = {
    columns: repeated.map(({ name }) => name).join(', '),
    repeatedBytes,
    share: formatShare(repeatedBytes / totalBytes),
  };
  return [{ code: 'columns-repeat-tokens', facts }];
}

/** Fewer say nothing about how shards are meant to be. */
const MIN_SHARDS = 4;
/** From here on opening files is a load on a metadata server. */
const MANY_SHARDS = 1000;
const SMALL_SHARD_BYTES = 4_000_000;

function shardFindings({ shards }: DatasetReport): Finding[] {
  if (shards.length < MIN_SHARDS) return [];
  const sorted = [...shards].sort((a, b) => a.bytes - b.bytes);
  const medianBytes = Math.round(median(sorted.map(({ bytes }) => bytes)));
  const findings: Finding[] = [];
  if (shards.length >= MANY_SHARDS && medianBytes < SMALL_SHARD_BYTES)
    findings.push({ code: 'many-small-shards', facts: { files: shards.length, medianBytes } });
  // The last shard of a split is what was left over.
  const splits = new Set(shards.map(({ split }) => split)).size;
  const smallest = sorted[Math.min(splits, sorted.length - 1)];
  const largest = sorted.at(-1);
  if (smallest === undefined || largest === undefined) return findings;
  if (largest.bytes > 2 * medianBytes || smallest.bytes < medianBytes / 2) {
    const sizes = { smallestBytes: smallest.bytes, medianBytes, largestBytes: largest.bytes };
    findings.push({ code: 'shards-unequal', facts: { smallest: smallest.path, largest: largest.path, ...sizes } });
  }
  return findings;
}
