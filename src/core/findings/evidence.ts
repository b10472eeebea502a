/** What a claim of a report rests on: a total, a verdict, "no problems". */
import { formatCount } from '../text/units.js';

/**
 * The strongest first. `content`: all of the data were read. `header`: headers of the files themselves state it. `index`: a file
 * beside them does. `sampled`: some of the data were read. `names`: names, dtypes or shapes alone. `assumed`: experience.
 */
export const bases = ['content', 'header', 'index', 'sampled', 'names', 'assumed'] as const;

export type Basis = (typeof bases)[number];

/** How many of what the claim is about it rests on: 12 of 14 shards. */
export interface Coverage {
  counted: number;
  of: number;
  /** What is counted, in the plural: `shards`. */
  unit: string;
}

export interface Evidence {
  basis: Basis;
  /** Null where there is nothing to count. */
  coverage: Coverage | null;
}

/** `headers`: what a number or a verdict comes from, after "from". */
export const basisLabels: Readonly<Record<Basis, string>> = {
  content: 'all of the data',
  header: 'headers',
  index: 'an index',
  sampled: 'a sample',
  names: 'names alone',
  assumed: 'an assumption',
};

/** `from headers, 12 of 14 shards`; the coverage is left out where it is whole. */
export function evidenceInWords({ basis, coverage }: Evidence): string {
  return isPartial(coverage) ? `from ${basisLabels[basis]}, ${coverageInWords(coverage)}` : `from ${basisLabels[basis]}`;
}

/** `12 of 14 shards`. */
export function coverageInWords({ counted, of, unit }: Coverage): string {
  return `${formatCount(counted)} of ${formatCount(of)} ${unit}`;
}

/** True where something was left out. */
export function isPartial(coverage: Coverage | null): coverage is Coverage {
  return coverage !== null && coverage.counted < coverage.of;
}
