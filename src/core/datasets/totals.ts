/** Samples and tokens of a dataset: sums over its shards, and how far they can be trusted. */
import { exactly } from './counts.js';
import type { FindingCode } from '../findings/finding.js';
import type { CountReport } from './datasetReport.js';
import type { TextEstimate } from './text/estimateText.js';
import type { DatasetParts, Shard } from './datasetParts.js';

/** What all shards say together. A shard that is damaged, missing or without a number makes the sum a bound. */
export class Totals {
  private readonly own: readonly Shard[];
  private readonly damaged: ReadonlySet<string>;
  /** Shards that should be counted and cannot be: unreadable, in no index, or not here. */
  private readonly uncounted: number;

  constructor(private readonly parts: DatasetParts) {
    this.own = parts.shards.filter(({ use }) => use === undefined);
    this.damaged = new Set(parts.findings.flatMap(({ code, path }) => (path !== undefined && damage.has(code) ? [path] : [])));
    this.uncounted = parts.uncounted.length + missingShards(parts);
  }

  /** Null where no shard has a number. */
  tokens(): CountReport | null {
    const { tokenCount, tokenMethod, tokenBasis } = this.parts;
    const shards = this.own.filter((shard) => shard.tokens !== null || mayHoldTokens(shard));
    return this.sum(shards, ({ tokens }) => tokens, tokenCount ?? { method: tokenMethod, basis: tokenBasis });
  }

  /** As `tokens`. */
  samples(): CountReport | null {
    const { sampleCount, sampleMethod, sampleBasis } = this.parts;
    return this.sum(this.own, ({ samples }) => samples, sampleCount ?? { method: sampleMethod, basis: sampleBasis });
  }

  /** An estimate of text, where shards with more of it could not be read. */
  ofText(estimate: TextEstimate): TextEstimate {
    const { samples, tokens, text } = estimate;
    return {
      samples: samples === null ? null : this.bounded(samples),
      tokens: this.bounded(tokens),
      text: { ...text, bytes: this.bounded(text.bytes) },
    };
  }

  /** A number of what could be read, which says nothing of shards that could not. */
  private bounded(count: CountReport): CountReport {
    if (this.uncounted === 0) return count;
    const { counted, of } = count.coverage ?? { counted: this.own.length, of: this.own.length };
    const coverage = { counted, of: of + this.uncounted, unit: 'shards' };
    const [least, most] = count.interval;
    const unread = counted === 0 ? 0 : (coverage.of - counted) * USUAL_SPREAD * (most / counted);
    return { ...count, exact: false, interval: [least, Math.ceil(most + unread)], confidence: null, coverage };
  }

  /** `stated` is what a layout knows better than the sum: an estimate, or a selection of rows. */
  private sum(
    shards: readonly Shard[],
    numberOf: (shard: Shard) => number | null,
    stated: CountReport | Pick<CountReport, 'method' | 'basis'>,
  ): CountReport | null {
    const sure = shards.filter((shard) => numberOf(shard) !== null && !this.damaged.has(shard.path));
    const of = shards.length + this.uncounted;
    const coverage = of === 0 ? null : { counted: sure.length, of, unit: 'shards' };
    const isWhole = sure.length === of;
    if ('count' in stated) return isWhole || !stated.exact ? stated : { ...stated, exact: false, confidence: null, coverage };
    const known = shards.filter((shard) => numberOf(shard) !== null);
    if (known.length === 0) return null;
    const count = total(known, numberOf);
    if (isWhole) return { ...exactly(count, stated.method, stated.basis), coverage };
    const least = total(sure, numberOf);
    const fullest = known.reduce((most, shard) => Math.max(most, numberOf(shard) ?? 0), 0);
    return {
      count,
      exact: false,
      interval: [least, Math.max(count, least + (of - sure.length) * fullest)],
      confidence: null,
      method: `${stated.method}; what the other shards hold is not known, and counted as none up to as much as the fullest`,
      basis: stated.basis,
      coverage,
    };
  }
}

/** What a shard may hold at most, as a multiple of the mean of the others: shards are written in equal sizes. */
const USUAL_SPREAD = 2;

/** By an index, or by the numbers in the names: of both the larger, as they speak of the same shards. */
function missingShards({ findings }: DatasetParts): number {
  let listed = 0;
  let numbered = 0;
  for (const finding of findings) {
    if (finding.code === 'shards-listed-missing') listed += finding.facts.missing;
    if (finding.code === 'shard-count-differs') numbered += finding.facts.expected - finding.facts.found;
  }
  return Math.max(listed, numbered);
}

/** Findings by which a shard does not hold what its number says. */
const damage: ReadonlySet<FindingCode> = new Set([
  'shard-not-its-format',
  'shard-truncated',
  'shard-corrupt',
  'shard-size-differs',
  'line-corrupt',
]);

/** False for shards of images and the like: they have columns, and none of tokens or text. */
function mayHoldTokens({ samples, columns }: Shard): boolean {
  return samples !== 0 && (columns.length === 0 || columns.some(({ role }) => role === 'tokens' || role === 'text'));
}

function total(shards: readonly Shard[], numberOf: (shard: Shard) => number | null): number {
  return shards.reduce((sum, shard) => sum + (numberOf(shard) ?? 0), 0);
}
