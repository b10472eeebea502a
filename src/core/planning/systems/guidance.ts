/**
 * Which systems suit a plan. Each is judged by rules with points, which the page lists; the job in question is to keep checkpoints
 * safe while the run goes on. A system that cannot do that may still take bursts, or keep what stays.
 */
import type { PlanInputs } from '../inputs/planInputs.js';
import { objectRequests, type ObjectRequests } from '../keeping/objectRequests.js';
import type { Retention } from '../keeping/retention.js';
import type { SavePlan } from '../saving/savePlan.js';
import { writeCharges } from '../keeping/writeCharges.js';
import type { PlannedSize } from '../size/plannedSize.js';
import { boughtCapacity, isBoughtAhead, type BoughtCapacity } from './boughtCapacity.js';
import type { OwnRow } from '../inputs/planDocument.js';
import { siteOf } from './siteDefaults.js';
import type { Site } from './siteNames.js';
import {
  bandwidthLimit,
  failureClasses,
  monthSeconds,
  type FailureClass,
  type StorageSystem,
  type SystemRole,
} from './storageSystem.js';
import { driveRateOf, type Direction } from './nodeDrives.js';
import { comesWithNode, storageSystems, type PlanStores } from './storageSystems.js';

/** What the plan asks of a place for checkpoints. */
export interface StorageNeeds {
  writeBytesPerSecond: number;
  /** One checkpoint within the time for a restore, read once. */
  readBytesPerSecond: number;
  /** What lies there at the end, with one save in flight. */
  residentBytes: number;
  /** Time for one save: the wanted share of the interval. */
  saveSeconds: number;
}

/** `enough`: measured or published to reach it; `by-size`: as much as is bought; `too-little`: a limit is below it. */
export interface Reach {
  verdict: 'enough' | 'by-size' | 'too-little';
  /** Of the plan's nodes, or published; null where none is published. */
  bytesPerSecond: number | null;
}

export const guidanceRules = [
  { id: 'write', most: 30 },
  { id: 'survives', most: 30 },
  { id: 'read', most: 10 },
  { id: 'limits', most: 10 },
  { id: 'interface', most: 10 },
  { id: 'price', most: 10 },
] as const;
export type GuidanceRuleId = (typeof guidanceRules)[number]['id'];

export interface SystemVerdict {
  system: StorageSystem;
  /** Its name in the sites file; null for a system that is known alone. */
  name: string | null;
  /** Sum of the points, 0 to 100. */
  score: number;
  points: Record<GuidanceRuleId, number>;
  /** Whether it keeps checkpoints safe while the run goes on. */
  isFit: boolean;
  /** Whether it can be had where the job runs. */
  isAvailable: boolean;
  /** Whether nothing has to be bought for it: named in the plan, or a part of the node. */
  isAtHand: boolean;
  /** At hand, and what the plan can work with, fit or not: slow storage may still be enough. */
  isEnough: boolean;
  /** What it is best for in this plan. */
  role: SystemRole;
  write: Reach;
  read: Reach;
  /** Failures that it does not survive. */
  lostWith: FailureClass[];
  /** Null for systems without objects. */
  requests: ObjectRequests | null;
  /** Prefixes, buckets or accounts that are needed to get all requests through in time. */
  partitions: number;
  bought: BoughtCapacity | null;
  /** US dollars; null where there is no list price. */
  perMonth: number | null;
  /** True where the node has it anyhow. */
  isInNode: boolean;
}

export interface Guidance {
  /** Null for any. */
  site: Site | null;
  needs: StorageNeeds;
  /** What can be had at the site first; of these what is at hand and enough before what is fit and would be bought; then by points. */
  verdicts: SystemVerdict[];
}

/** Longest wait for a first byte after which one can still speak of resuming. */
const longestWaitSeconds = 60;
const GB = 1e9;
const GiB = 2 ** 30;

/** @param given the inputs that are set: a storage that a plan takes by default is at nobody’s hand @param own systems of the sites file */
export function guidance(
  inputs: PlanInputs,
  size: PlannedSize,
  save: SavePlan,
  kept: Retention,
  { given, own, stores }: { given: Partial<PlanInputs>; own: readonly OwnRow[]; stores: PlanStores },
): Guidance {
  const needs: StorageNeeds = {
    writeBytesPerSecond: save.demand.requiredBytesPerSecond * inputs.jobs,
    readBytesPerSecond: size.checkpointBytes / inputs.restoreTargetSeconds,
    residentBytes: kept.places.find(({ place }) => place === 'store')?.peakBytes ?? 0,
    saveSeconds: inputs.overlapTarget * save.intervalSeconds,
  };
  const site = siteOf(inputs);
  const setting = { inputs, size, save, kept, given, site, stores };
  const known = storageSystems.filter(({ name, id }) => !own.some((row) => row.name === id || row.name === name));
  const judged = [
    ...own.map((row) => judge(row.system, needs, setting, row)),
    ...known.map((system) => judge(system, needs, setting)),
  ];
  const prices = judged.flatMap(({ perMonth, isFit, isAvailable }) =>
    isFit && isAvailable && perMonth !== null && perMonth > 0 ? [perMonth] : [],
  );
  const cheapest = prices.reduce((least, price) => Math.min(least, price), Infinity);
  const verdicts = judged.map((verdict) => withPoints(verdict, needs, cheapest));
  return { site, needs, verdicts: verdicts.sort((a, b) => rankOf(a) - rankOf(b) || b.score - a.score) };
}

function rankOf({ isAvailable, isEnough, isFit }: SystemVerdict): number {
  if (!isAvailable) return 3;
  return isEnough ? 0 : isFit ? 1 : 2;
}

interface Setting {
  inputs: PlanInputs;
  size: PlannedSize;
  save: SavePlan;
  kept: Retention;
  given: Partial<PlanInputs>;
  site: Site | null;
  stores: PlanStores;
}

/** @param own of the sites file; null for a system that is known alone */
function judge(system: StorageSystem, needs: StorageNeeds, setting: Setting, own: OwnRow | null = null): SystemVerdict {
  const { size, save, given, site } = setting;
  const write = reachOf(system, needs.writeBytesPerSecond, 'write', setting, own?.amounts.writeBytesPerSecond);
  const read = reachOf(system, needs.readBytesPerSecond, 'read', setting, own?.amounts.readBytesPerSecond);
  const requests = system.objects === null ? null : objectRequests(size, save.writers, system.objects, needs.saveSeconds);
  const lostWith = failureClasses.filter((failure) => !system.survives.includes(failure));
  const survivesRacks = !lostWith.includes('node') && !lostWith.includes('rack');
  const isFit =
    survivesRacks &&
    write.verdict !== 'too-little' &&
    system.latencySeconds[1] <= longestWaitSeconds &&
    (requests?.problem ?? null) === null;
  const isAtHand = given.store === system.id || given.objectStore === system.id || comesWithNode(system) || own !== null;
  const works = isStoreOf(setting, system) && survivesRacks && save.region !== 'impossible';
  const { writingNodes } = save.writers;
  const bought = isBoughtAhead(system)
    ? boughtCapacity(system, needs.residentBytes, needs.writeBytesPerSecond, null, writingNodes)
    : null;
  return {
    system,
    name: own?.name ?? null,
    score: 0,
    points: { write: 0, survives: 0, read: 0, limits: 0, interface: 0, price: 0 },
    isFit,
    isAvailable: own !== null || site === null || system.sites.includes(site),
    isAtHand,
    isEnough: isAtHand && (isFit || works),
    role: roleOf(system, isFit, write),
    write,
    read,
    lostWith,
    requests,
    partitions: requests === null ? 1 : Math.max(1, Math.ceil(requests.requestSeconds / needs.saveSeconds)),
    bought,
    perMonth: bought === null ? listPrice(system, needs, setting) : bought.perMonth,
    isInNode: comesWithNode(system),
  };
}

/** Of what bills the bytes that are there, with what a month of saves is charged where that is known. */
function listPrice(system: StorageSystem, needs: StorageNeeds, { size, save, kept }: Setting): number | null {
  const { price } = system;
  if (price === null) return null;
  const saves = monthSeconds / kept.storeIntervalSeconds;
  const writes = { full: saves, exports: 0, bytesPerSecond: needs.writeBytesPerSecond, seconds: monthSeconds };
  const stored = (needs.residentBytes / (price.unit === 'GiB' ? GiB : GB)) * price.perGBMonth;
  return stored + (writeCharges(system, size, save.writers, writes) ?? 0);
}

function reachOf(
  system: StorageSystem,
  needed: number,
  direction: Direction,
  setting: Setting,
  ofFile: number | undefined,
): Reach {
  const own = (isStoreOf(setting, system) ? undefined : ofFile) ?? ownBandwidth(system, direction, setting);
  if (own !== null) return { verdict: own >= needed ? 'enough' : 'too-little', bytesPerSecond: own };
  const { sustained } = system;
  const published = direction === 'write' ? sustained?.writeBytesPerSecond : sustained?.readBytesPerSecond;
  if (sustained === null || published === undefined || published === null) return { verdict: 'by-size', bytesPerSecond: null };
  if (sustained.per === 'TiB' || sustained.per === 'appliance') return { verdict: 'by-size', bytesPerSecond: null };
  if (published >= needed) return { verdict: 'enough', bytesPerSecond: published };
  // What was built once is no limit; what an account is given is.
  return { verdict: published === bandwidthLimit(system, direction) ? 'too-little' : 'by-size', bytesPerSecond: published };
}

/** What the plan's own nodes and numbers give; null where the system is not part of the node and has no given bandwidth. */
function ownBandwidth(system: StorageSystem, direction: Direction, setting: Setting): number | null {
  const { id, kind, sustained } = system;
  const { inputs, save, given: set } = setting;
  const { writers, writingNodes } = save.writers;
  if (id === 'host-memory') return inputs.deviceToHostBytesPerSecond * writers;
  if (id === 'neighbour-memory') return inputs.networkBytesPerSecond * writingNodes;
  if (id === 'local-nvme' || id === 'gpu-direct-storage')
    return (direction === 'write' ? inputs.nvmeWriteBytesPerSecond : inputs.nvmeReadBytesPerSecond) * writingNodes;
  if (id === 'neighbour-nvme') return (driveRateOf({ ...inputs, store: id }, direction) ?? 0) * writingNodes;
  const given = direction === 'write' ? inputs.writeBytesPerSecond : inputs.readBytesPerSecond;
  if (isStoreOf(setting, system) && given !== null) return given;
  if (kind === 'object' && (isStoreOf(setting, system) || id === inputs.objectStore) && set.objectBytesPerSecond !== undefined)
    return inputs.objectBytesPerSecond;
  const each = direction === 'write' ? sustained?.writeBytesPerSecond : sustained?.readBytesPerSecond;
  if (sustained?.per === 'GPU') return (each ?? 0) * writers;
  return sustained?.per === 'volume' ? (each ?? 0) * writingNodes : null;
}

/** Whether it is the storage of the plan: of systems of one kind the one that is named. */
function isStoreOf({ stores }: Setting, { name }: StorageSystem): boolean {
  return name === stores.store.name;
}

function roleOf({ roles }: StorageSystem, isFit: boolean, write: Reach): SystemRole {
  const suits = (role: SystemRole) =>
    role === 'recent checkpoints' ? isFit : role === 'burst buffer' ? write.verdict !== 'too-little' : true;
  return roles.find(suits) ?? roles[0] ?? 'datasets';
}

function withPoints(verdict: SystemVerdict, needs: StorageNeeds, cheapest: number): SystemVerdict {
  const points = {
    write: 30 * reachShare(verdict.write, needs.writeBytesPerSecond, verdict.system.scalesOut),
    survives:
      (verdict.lostWith.includes('node') ? 0 : 15) +
      (verdict.lostWith.includes('rack') ? 0 : 10) +
      (verdict.lostWith.includes('site') ? 0 : 5),
    read: 10 * reachShare(verdict.read, needs.readBytesPerSecond, verdict.system.scalesOut),
    limits: limitPoints(verdict),
    interface: interfacePoints(verdict.system),
    price: pricePoints(verdict, cheapest),
  };
  return { ...verdict, points, score: Math.round(Object.values(points).reduce((sum, value) => sum + value, 0)) };
}

/** Two thirds for what more servers would give, as they have to be bought; a third where all meet at one. */
function reachShare({ verdict, bytesPerSecond }: Reach, needed: number, scalesOut: boolean): number {
  if (verdict === 'enough') return 1;
  if (verdict === 'by-size') return scalesOut ? 2 / 3 : 1 / 3;
  return (bytesPerSecond ?? 0) / needed;
}

function limitPoints({ requests, partitions }: SystemVerdict): number {
  if (requests === null) return 10;
  if (requests.problem !== null) return 0;
  return partitions > 1 ? 6 : 10;
}

/** What frameworks write to as to a directory; what needs a library or a gateway; what cannot be resumed from. */
function interfacePoints({ kind }: StorageSystem): number {
  if (kind === 'archive') return 0;
  return kind === 'shared' || kind === 'node' ? 10 : 5;
}

/** A price ten times the cheapest loses half; without a price nothing can be said for it. */
function pricePoints({ perMonth, isInNode }: SystemVerdict, cheapest: number): number {
  if (isInNode) return 10;
  if (perMonth === null) return 3;
  if (perMonth <= cheapest) return 10;
  return Math.max(0, 10 - 5 * Math.log10(perMonth / cheapest));
}
