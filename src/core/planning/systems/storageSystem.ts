/** What is known of a storage system. The data are in the files beside this one, each number with its source and date. */
import { sites, soleSiteOf, type Site } from './siteNames.js';
import { systemNames, type SystemId } from './systemNames.js';

/** The month of a price: a twelfth of a year. */
export const monthSeconds = (365.25 / 12) * 86_400;

/** `shared`: a file system that all nodes mount. */
export type SystemKind = 'memory' | 'node' | 'shared' | 'object' | 'archive';

/** What ends: one process, a node, a rack, the site (a data centre, an availability zone) with the storage in it. */
export const failureClasses = ['process', 'node', 'rack', 'site'] as const;
export type FailureClass = (typeof failureClasses)[number];

export type SystemRole = 'burst buffer' | 'recent checkpoints' | 'milestones' | 'golden copies' | 'datasets' | 'offload';

export interface SystemSource {
  /** Which numbers it is for. */
  of: string;
  text: string;
  /** Year or year and month. */
  date: string;
  /** `primary`: documentation, paper or code; `secondary`: a copy of it; `recalled`: not looked up, to be checked before it is relied on. */
  evidence: 'primary' | 'secondary' | 'recalled';
}

type SourceMaker = (of: string, text: string, date: string) => SystemSource;

const sourceOf =
  (evidence: SystemSource['evidence']): SourceMaker =>
  (of, text, date) => ({ of, text, date, evidence });
export const primary = sourceOf('primary');
export const secondary = sourceOf('secondary');
export const recalled = sourceOf('recalled');
/** Of a latency that no source was looked up for. */
export const usualLatency = recalled('latency', 'order of magnitude', '2025');

/** What was published of `per`; for `system` of the largest one. Null where nothing is published; it is then bought by size. */
export interface SystemBandwidth {
  writeBytesPerSecond: number | null;
  readBytesPerSecond: number | null;
  /** What the numbers are of. */
  per: 'GPU' | 'node' | 'volume' | 'TiB' | 'appliance' | 'account' | 'file system' | 'system';
}

/** What was published of `per`, writing and reading. */
export function bandwidthOf(
  per: SystemBandwidth['per'],
  writeBytesPerSecond: number | null,
  readBytesPerSecond: number | null,
): SystemBandwidth {
  return { writeBytesPerSecond, readBytesPerSecond, per };
}

/** Bytes a second that one account or file system takes or gives, whatever is bought; Infinity where no such limit is published. */
export function bandwidthLimit({ sustained }: Pick<StorageSystem, 'sustained'>, direction: 'write' | 'read'): number {
  if (sustained === null || (sustained.per !== 'account' && sustained.per !== 'file system')) return Infinity;
  return (direction === 'write' ? sustained.writeBytesPerSecond : sustained.readBytesPerSecond) ?? Infinity;
}

/** A level of a managed file system at which bandwidth comes with capacity. */
export interface BandwidthLevel {
  bytesPerSecondPerTiB: number;
  /** Sizes that can be had: at least, and in steps of. */
  leastBytes: number;
  stepBytes: number;
  /** Null where none is published. */
  largestBytes: number | null;
  /** US dollars for a GiB a month; null where no price is known. */
  perGiBMonth: number | null;
  /** How well the price is known. */
  evidence: SystemSource['evidence'];
}

export interface ObjectLimits {
  largestObjectBytes: number;
  mostParts: number;
  smallestPartBytes: number;
  largestPartBytes: number;
  /** Each second, of the unit that `rateOf` names. */
  writesPerSecond: number | null;
  readsPerSecond: number | null;
  rateOf: string;
}

export interface SystemPrice {
  perGBMonth: number;
  /** Which GB the bill counts. */
  unit: 'GB' | 'GiB';
  per1000Writes: number | null;
  per1000Reads: number | null;
  egressPerGB: number | null;
  /** Of each GB that is written, besides its requests; absent where nothing is charged. */
  perGBWritten?: number;
  /** Of each GB that is read back, besides its requests; absent where nothing is charged. */
  perGBRead?: number;
  /** Throughput of a volume above what comes with it, US dollars for a GB/s a month; absent where it is not sold. */
  throughput?: { includedBytesPerSecond: number; perGBps: number };
  /** Throughput that is provisioned in place of what is charged by the GB, US dollars for a GB/s a month; absent where it is not sold. */
  provisionedPerGBps?: number;
  /** True for what the sites file says in place of a list. */
  isOwn?: true;
  /** Least time that is billed. */
  leastStoredSeconds: number | null;
  date: string;
}

export interface StorageSystem {
  id: SystemId;
  name: string;
  kind: SystemKind;
  /** For a while: into a cache, with credits. */
  burst: SystemBandwidth | null;
  sustained: SystemBandwidth | null;
  /** Of one client, where a limit is published below what its network carries; null where none is. */
  clientBytesPerSecond: number | null;
  /** Where it can be had: what is installed by oneself everywhere, what a cloud runs in that cloud alone. */
  sites: readonly Site[];
  /** Whether more of it (servers, nodes, prefixes) makes it faster. */
  scalesOut: boolean;
  /** Levels that can be chosen; empty where bandwidth is not sold by capacity. The slowest first. */
  levels: BandwidthLevel[];
  /** Of one small operation, from and to. */
  latencySeconds: [number, number];
  /** Failures after which what was written is still there. */
  survives: FailureClass[];
  durability: string;
  consistency: string;
  /** What bites first. */
  limits: string[];
  objects: ObjectLimits | null;
  /** What it is good for, the best first. */
  roles: SystemRole[];
  price: SystemPrice | null;
  /** For and against, for checkpoints. */
  strengths: string[];
  weaknesses: string[];
  sources: SystemSource[];
}

/** What holds for a system unless its row says otherwise: no published bandwidth, it grows with what is bought, no list price. */
const unlessGiven = {
  burst: null,
  sustained: null,
  clientBytesPerSecond: null,
  scalesOut: true,
  levels: [],
  objects: null,
  price: null,
} satisfies Partial<StorageSystem>;

type GivenByKind = 'id' | 'name' | 'kind' | 'sites' | keyof typeof unlessGiven;

/** A row of the tables of systems. */
export function systemOfKind(
  kind: SystemKind,
  id: SystemId,
  row: Omit<StorageSystem, GivenByKind> & Partial<Pick<StorageSystem, keyof typeof unlessGiven>>,
): StorageSystem {
  const site = soleSiteOf(id);
  return { ...unlessGiven, id, name: systemNames[id], kind, sites: site === null ? sites : [site], ...row };
}

export const coherentPosix = 'POSIX, coherent between clients';

/** A list price of GiB, as clouds bill them. */
export function priceOf(perGBMonth: number, rest: Partial<SystemPrice>): SystemPrice {
  return {
    perGBMonth,
    unit: 'GiB',
    per1000Writes: null,
    per1000Reads: null,
    egressPerGB: null,
    leastStoredSeconds: null,
    date: '2026-11',
    ...rest,
  };
}
