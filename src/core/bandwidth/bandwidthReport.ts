/** What `stowage bandwidth --json` prints and the panel shows. Documented in docs/bandwidth.md. */
import type { FileSystemKind } from './fileSystemKind.js';
import type { FileSystemFacts } from './targetFacts.js';
import type { CacheState, CheckEffort, Latencies, MetadataMeasurement, PhaseSample } from './measurement.js';
import type { SustainedReport } from './sustained/sustainedReport.js';
import type { SweepReport } from './sweep/sweepReport.js';

/** A rate over all repeats. */
export interface RateSummary {
  medianBytesPerSecond: number;
  minimumBytesPerSecond: number;
  maximumBytesPerSecond: number;
  /** (maximum − minimum) ÷ median. */
  spread: number;
  samples: (PhaseSample & { bytesPerSecond: number })[];
  blocks: Latencies;
}

export interface BandwidthReport {
  schemaVersion: 3;
  kind: 'bandwidth';
  path: string;
  /** ISO 8601. */
  measuredAt: string;
  elapsedSeconds: number;
  machine: { name: string; memoryBytes: number; cpus: number };
  fileSystem: FileSystemReport;
  shape: {
    replayOf: string | null;
    realBytes: number;
    realFiles: number;
    scale: number;
    files: number;
    totalBytes: number;
    largestFileBytes: number;
    streams: number;
    blockBytes: number;
    repeats: number;
  };
  write: RateSummary & { isDirect: boolean; syncs: Latencies };
  read: RateSummary & { cache: CacheState; comparedBlocks: number };
  metadata: (MetadataMeasurement & { filesPerSecond: number }) | null;
  /** Null for a check on one node. */
  nodes: NodesReport | null;
  /** Null where no other numbers of streams were tried. */
  sweep: SweepReport | null;
  /** Null where the sustained rate was not measured. */
  sustained: SustainedReport | null;
  io: CheckEffort;
  verdict: BandwidthVerdict;
}

export interface FileSystemReport extends FileSystemFacts {
  /** `ext4`, `Lustre`, `Google Cloud Storage by gcsfuse`. */
  name: string;
  kind: FileSystemKind;
  /** True where other nodes and other people use it as well. */
  isShared: boolean;
  /** What it is as a place for checkpoints, in a sentence. */
  meaning: string;
}

/** `may-be-enough`: the expected rate is, the lower bound is not. */
export const sufficiencies = ['enough', 'may-be-enough', 'not-enough'] as const;
export type Sufficiency = (typeof sufficiencies)[number];

/** Where a rate is from. */
export const rateSources = ['repeats', 'sustained'] as const;
export type RateSource = (typeof rateSources)[number];

export interface RateBound {
  of: RateSource;
  bytesPerSecond: number;
}

/** `expected`: median or sustained rate; `slowest`: repeat or quarter of the sustained time; `caveat`: what one leaves of the slowest. */
export const decidingBounds = ['expected', 'slowest', 'caveat'] as const;
export type DecidingBound = (typeof decidingBounds)[number];

export interface BandwidthVerdict {
  /** The answer, with its numbers, in at most five sentences; the decision first. */
  sentences: string[];
  sufficiency: Sufficiency;
  /** True only where the lower bound is enough: the slowest measurement, and what caveats leave of it. */
  isEnough: boolean;
  /** The bound that decided. */
  decidedBy: { bound: DecidingBound; of: RateSource; caveat: CaveatCode | null };
  /** Time to save the whole checkpoint, its files included: at the expected rate, and at the highest and the slowest. */
  saveSeconds: number;
  saveSecondsRange: [number, number];
  expectedRate: RateBound;
  slowestRate: RateBound;
  /** What the caveat that leaves the least leaves of the slowest rate. */
  lowerBound: { bytesPerSecond: number; caveat: CaveatCode | null; saveSeconds: number };
  /** What the files of the save take of its time; null where small files were not measured. */
  files: { files: number; seconds: number; secondsPerFile: number; saveShare: number } | null;
  /** Time to read it back at the median rate; null where what was read may be the speed of this machine's memory. */
  restoreSeconds: number | null;
  interval: { seconds: number; isAssumed: boolean };
  /** Share of the interval that a save takes. */
  intervalShare: number;
  /** What keeps a save below a tenth of the interval; null where its files alone take more. */
  neededBytesPerSecond: number | null;
  caveats: { code: CaveatCode; text: string }[];
}

export const caveatCodes = [
  'one-node',
  'burst',
  'reused-room',
  'other-users',
  'scaled',
  'few-files',
  'short',
  'cut',
  'memory',
  'container-layer',
  'not-encrypted',
  'through-proxy',
  'cached-reads',
  'through-cache',
  'object-cache',
  'spread',
  'own-pace',
  'other-check',
] as const;
export type CaveatCode = (typeof caveatCodes)[number];

/** What several nodes measured at the same time. A repeat takes as long as its slowest node. */
export interface NodesReport {
  count: number;
  /** Bytes of all nodes over the time of the slowest, median of the repeats: the same as the report's own median. */
  write: NodesRate;
  read: NodesRate;
  perNode: { name: string; writeBytesPerSecond: number; readBytesPerSecond: number; writeSeconds: number; readSeconds: number }[];
  /** Between the first and the last node that began a phase, the largest of all phases. */
  startSpreadSeconds: number;
}

export interface NodesRate {
  /** Of the slowest node, the worst repeat. */
  maximumSeconds: number;
  /** Of the slowest node, the worst repeat. */
  minimumNodeBytesPerSecond: number;
  medianBytesPerSecond: number;
  /** (fastest − slowest node) ÷ their median. */
  spread: number;
}

/** A report before anything is concluded from it. */
export type MeasuredReport = Omit<BandwidthReport, 'verdict'>;
