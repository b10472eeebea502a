/** Samples and tokens of a dataset: sums over its shards, and how far they can be trusted. */
import { isTokenName } from './columnRole.js';
import { exactly, plus, withoutMost } from './counts.js';
import type { FindingCode } from '../findings/finding.js';
import type { CountReport } from './datasetReport.js';
import type { TextEstimate } from './text/estimateText.js';
import type { DatasetParts, Shard, TokenRange } from './datasetParts.js';
import { absence } from './consequences.js';
import { UpperBounds } from './upperBounds.js';
import { joinPath, parentPath } from '../files/paths.js';
import type { Basis } from '../findings/evidence.js';

/** What all shards say together. A shard that is damaged, missing or without a number makes the sum a bound. */
export class Totals {
  private readonly own: readonly Shard[];
  private readonly damaged: ReadonlySet<string>;
  /** Shards that should be counted and cannot be: unreadable, in no index, or not here. */
  private readonly uncounted: number;
  /** Those of them that are not here. */
  private readonly missing: number;
  private readonly upper: UpperBounds;

  constructor(private readonly parts: DatasetParts) {
    this.own = parts.shards.filter(({ use }) => use === undefined);
    const damaged = parts.findings.flatMap(({ code, path }) => (path !== undefined && damage.has(code) ? [path] : []));
    this.damaged = new Set([...damaged, ...blankPaths(this.own)]);
    this.missing = missingShards(parts);
    this.uncounted = parts.uncounted.length + this.missing;
    this.upper = new UpperBounds(parts);
  }

  /** False for a shard of which what is counted may not be there. */
  isSure(path: string): boolean {
    return !this.damaged.has(path);
  }

  /** Null where no shard has a number. */
  tokens(): CountReport | null {
    const { tokenCount, tokenMethods } = this.parts;
    if (tokenCount !== null) return this.stated(tokenCount);
    if (this.own.every((shard) => tokensOf(shard) === null)) return null;
    const shards = this.own.filter((shard) => tokensOf(shard) !== null || shard.samples === 0 || mayHoldTokens(shard));
    const rangeOf = (shard: Shard): TokenRange | null => tokensOf(shard) ?? (shard.samples === 0 ? exactRange(0) : null);
    const methods = new Map(tokenMethods);
    const byType = this.columnsByType();
    if (byType !== null) methods.set(`${byType} taken for tokens by its type and shape`, 'names');
    const method = [...methods.keys()].join('; ');
    return this.sum(shards, rangeOf, {
      method,
      basis: weakest([...methods.values()]),
      mostOf: (path) => this.upper.tokens(path),
    });
  }

  /** The columns of tokens whose names are not those of tokens; null without any. */
  private columnsByType(): string | null {
    const names = new Set(
      this.own.flatMap(({ columns }) => columns.filter(({ role }) => role === 'tokens').map(({ name }) => name)),
    );
    const unknown = [...names].filter((name) => name !== '' && !saysTokens(name));
    return unknown.length === 0 ? null : unknown.slice(0, 4).join(', ');
  }

  /** As `tokens`. */
  samples(): CountReport | null {
    const { sampleCount, sampleMethod, sampleBasis } = this.parts;
    if (sampleCount !== null) return this.stated(sampleCount);
    return this.sum(this.own, ({ samples }) => exactRange(samples), {
      method: sampleMethod,
      basis: sampleBasis,
      mostOf: (path) => this.upper.samples(path),
    });
  }

  /** An estimate of text, where shards with more of it could not be read. */
  ofText(estimate: TextEstimate): TextEstimate {
    const { samples, tokens, text } = estimate;
    const bytes = this.bounded(text.bytes);
    return {
      samples: samples === null ? null : this.bounded(samples),
      tokens: this.bounded(tokens),
      text: { ...text, bytes, tokenized: bytes.interval[1] === null ? text.tokenized.map(withoutMost) : text.tokenized },
    };
  }

  /** What a layout knows better than the sum: an estimate, or a selection of rows. */
  private stated(count: CountReport): CountReport {
    return this.uncounted === 0 && this.sureOf(this.own) === this.own.length
      ? count
      : { ...this.bounded(count), exact: false, confidence: null };
  }

  /** How many of some shards are not damaged. */
  private sureOf(shards: readonly Shard[]): number {
    return shards.filter(({ path }) => !this.damaged.has(path)).length;
  }

  /** A number of what could be read, widened for shards that could not. It covers the same shards as the samples. */
  private bounded(count: CountReport): CountReport {
    const of = this.own.length + this.uncounted;
    const damaged = this.own.length - this.sureOf(this.own);
    // Those that are here and could not be read are part of the estimate.
    const extrapolated = count.coverage === null ? 0 : count.coverage.of - count.coverage.counted;
    const readable = of - this.uncounted - Math.max(0, damaged - extrapolated);
    const inside = count.coverage?.unit === 'shards' ? Math.min(readable, count.coverage.of) : readable;
    const coverage = { counted: Math.max(0, inside - extrapolated), of, unit: 'shards' };
    if (coverage.counted === of) return { ...count, coverage };
    const bounded = { ...count, exact: false, confidence: null, coverage };
    return inside < of ? atLeast(bounded) : bounded;
  }

  /** What shards without a sure number hold at most, all together; null where one of them has no bound. */
  private mostBeyond(
    shards: readonly Shard[],
    rangeOf: (shard: Shard) => TokenRange | null,
    mostOf: (path: string) => number | null,
  ): number | null {
    const unsure = shards.filter((shard) => rangeOf(shard) === null || this.damaged.has(shard.path)).map(({ path }) => path);
    const absent = this.upper.absentPaths;
    if (absent.length !== this.missing) return null;
    return [...unsure, ...this.parts.uncounted, ...absent].reduce<number | null>((sum, path) => plus(sum, mostOf(path)), 0);
  }

  private sum(
    shards: readonly Shard[],
    rangeOf: (shard: Shard) => TokenRange | null,
    { method, basis, mostOf }: Pick<CountReport, 'method' | 'basis'> & { mostOf: (path: string) => number | null },
  ): CountReport | null {
    const known = shards.flatMap((shard) => {
      const range = rangeOf(shard);
      return range === null ? [] : [{ ...range, isSure: !this.damaged.has(shard.path) }];
    });
    const of = shards.length + this.uncounted;
    if (known.length === 0) return null;
    const sure = known.filter(({ isSure }) => isSure);
    const coverage = { counted: sure.length, of, unit: 'shards' };
    const count = total(known, 'count');
    const least = total(sure, 'least');
    const most = total(sure, 'most');
    const isWhole = sure.length === of;
    const isStated = basis !== 'sampled' && basis !== 'assumed';
    if (isWhole && least === most && isStated) return { ...exactly(count, method, basis), coverage };
    const beyond = this.mostBeyond(shards, rangeOf, mostOf);
    return {
      // What is not sure is in the interval alone: the number is the one that a report shows.
      count: isWhole || least === 0 ? count : total(sure, 'count'),
      exact: false,
      interval: [least, beyond === null ? null : Math.max(count, most + beyond)],
      confidence: isWhole && isStated && sure.every(({ confidence }) => confidence === 1) ? 1 : null,
      method: isWhole
        ? method
        : beyond === null
          ? `${method}; what the other shards hold is not known`
          : `${method}; the other shards hold at most what an index, their headers or their sizes state`,
      basis,
      coverage,
    };
  }
}

/** A number of which the part that is sure is a lower bound: it is the number that a report shows. An estimate of what could be read stays one. */
function atLeast<T extends CountReport>(count: T): T {
  const [least] = count.interval;
  if (count.basis === 'sampled' || count.basis === 'assumed') return withoutMost(count);
  return withoutMost(least > 0 ? { ...count, count: least } : count);
}

/** Files without any content in formats that do not state it: a copy that was cut, or a writer that got no samples. */
function blankPaths(shards: readonly Shard[]): string[] {
  return shards.filter(({ isBlank }) => isBlank === true).map(({ path }) => path);
}

/** Columns of tokens by their names, and those of numbers for names, which say nothing. */
function saysTokens(name: string): boolean {
  return isTokenName(name.replace(/\.?npy$/, '')) || /token|_ids$/i.test(name) || !/[a-z]/i.test(name);
}

function tokensOf({ tokens, tokensBetween }: Shard): TokenRange | null {
  return tokens === null ? (tokensBetween ?? null) : exactRange(tokens);
}

function exactRange(count: number | null): TokenRange | null {
  return count === null ? null : { count, least: count, most: count, confidence: 1 };
}

/** For a count, values that were sampled are less than names: a width that they show may be another. */
const weakestFirst: readonly Basis[] = ['assumed', 'sampled', 'names', 'index', 'header', 'content'];

/** What the least sure of several methods rests on. */
function weakest(of: readonly Basis[]): Basis {
  return weakestFirst.find((basis) => of.includes(basis)) ?? 'header';
}

function total(ranges: readonly TokenRange[], of: 'count' | 'least' | 'most'): number {
  return ranges.reduce((sum, range) => sum + range[of], 0);
}

/**
 * By an index, or by the numbers in the names: of both the larger, as they speak of the same shards. A file whose partner is missing
 * is one that cannot be read, once however many partners it has lost.
 */
function missingShards({ findings, shards, uncounted }: DatasetParts): number {
  const present = new Set([...shards.map(({ path }) => path), ...uncounted]);
  const unmatched = new Set<string>();
  let listed = 0;
  let numbered = 0;
  for (const finding of findings) {
    if (finding.code === 'shards-listed-missing') listed += finding.facts.missing;
    if (finding.code === 'shard-count-differs') numbered += finding.facts.expected - finding.facts.found;
    if (finding.code === 'shard-numbers-missing') numbered += finding.facts.missing;
    if (finding.code === 'index-unmatched' && !present.has(finding.path ?? ''))
      unmatched.add(joinPath(parentPath(finding.path ?? ''), finding.facts.missing));
  }
  return Math.max(listed, numbered) + unmatched.size;
}

/** Findings by which a shard does not hold what its number says. */
const damage: ReadonlySet<FindingCode> = new Set([
  'shard-not-its-format',
  'shard-truncated',
  'shard-corrupt',
  'shard-size-differs',
  'line-corrupt',
  'index-count-differs',
  'index-unmatched',
  'unsupported-version',
  'header-too-large',
  'internal-error',
  ...absence,
]);

/** False for shards of images and the like: they have columns, and none of tokens or text. */
function mayHoldTokens({ columns }: Shard): boolean {
  return columns.length === 0 || columns.some(({ role }) => role === 'tokens' || role === 'text');
}
