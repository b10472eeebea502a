/** Reading of a sites file: the storage systems that a user has, with their rates, prices and limits. Nothing in it is taken unchecked. */
import { limits } from '../../bytes/limits.js';
import { sites, type Site } from '../systems/siteNames.js';
import { objectSystemIds, storeSystemIds, type SystemId } from '../systems/systemNames.js';
import type { InputProblem } from './planInputs.js';

export const sitesKind = 'stowage-sites';
export const sitesFileVersion = 1;

/** Amounts of an own system, all in base units, each with the least and the most that it may be. */
export const ownAmounts = {
  writeBytesPerSecond: { minimum: 1e3, maximum: 1e15, what: 'sustained, of the whole system' },
  readBytesPerSecond: { minimum: 1e3, maximum: 1e15, what: 'sustained, of the whole system' },
  clientBytesPerSecond: { minimum: 1e3, maximum: 1e15, what: 'of one node' },
  fileBytesPerSecond: { minimum: 1e3, maximum: 1e15, what: 'of one file' },
  capacityBytes: { minimum: 0, maximum: 1e18, what: 'of the system' },
  quotaBytes: { minimum: 0, maximum: 1e18, what: 'that checkpoints may take of it' },
  pricePerGBMonth: { minimum: 0, maximum: 1e6, what: 'US dollars for a GB a month' },
  pricePerGBps: { minimum: 0, maximum: 1e6, what: 'US dollars a month for a GB/s' },
  pricePer1000Writes: { minimum: 0, maximum: 1e6, what: 'US dollars for 1,000 write requests' },
  pricePer1000Reads: { minimum: 0, maximum: 1e6, what: 'US dollars for 1,000 read requests' },
  pricePerGBWritten: { minimum: 0, maximum: 1e6, what: 'US dollars for each GB that is written' },
  pricePerGBRead: { minimum: 0, maximum: 1e6, what: 'US dollars for each GB that is read back' },
  egressPricePerGB: { minimum: 0, maximum: 1e6, what: 'US dollars for each GB that leaves the region' },
  capitalDollars: { minimum: 0, maximum: 1e12, what: 'US dollars that were paid for it' },
  lifetimeYears: { minimum: 0.1, maximum: 100, what: 'over which the capital is written off' },
  powerWatts: { minimum: 0, maximum: 1e9, what: 'that it draws' },
} as const;

export type OwnAmounts = Partial<Record<keyof typeof ownAmounts, number>>;

/** A system of the file, with what it takes from those that it is based on. */
export interface OwnSystem {
  name: string;
  /** The known system that it is a kind of. */
  base: SystemId;
  amounts: OwnAmounts;
}

export interface SitesFile {
  site: Site | null;
  /** What plans save to that name no storage: a name in the file, or a known system. */
  store: string | null;
  objectStore: string | null;
  /** US dollars. */
  pricePerKilowattHour: number | null;
  systems: OwnSystem[];
}

/** What a plan has of a sites file. It is not written to the plan's file. */
export interface SuppliedSystems {
  sites: SitesFile;
  /** Names of the systems that the plan is for; null takes those that the file names. */
  store: string | null;
  objectStore: string | null;
}

/** Systems that checkpoints can be kept on, which own ones are based on. */
const knownBases: readonly SystemId[] = [...storeSystemIds, ...objectSystemIds];
const bases: ReadonlySet<string> = new Set<string>(knownBases);

/** Reads a sites file's text. Invalid entries are reported by their key and ignored; only what is no sites file at all fails. */
export function readSitesFile(text: string): { sites: SitesFile; problems: InputProblem[] } | { failure: string } {
  if (text.length > limits.sitesCharacters) return { failure: `it has ${text.length} characters, more than any list of systems` };
  const file = parsed(text);
  if (!isRecord(file) || file['kind'] !== sitesKind) return { failure: `its kind is not ${sitesKind}` };
  if (file['schemaVersion'] !== sitesFileVersion) return { failure: `its schemaVersion is not ${sitesFileVersion}` };
  const problems: InputProblem[] = [];
  const entries = entriesOf(file['systems'], problems);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const systems = entries.flatMap((entry) => resolved(entry, byName, problems));
  for (const key of Object.keys(file)) if (!topKeys.has(key)) problems.push({ key, text: 'is no key of a sites file' });
  const names = new Set<string>(systems.map(({ name }) => name));
  const named = (key: 'store' | 'objectStore', known: readonly string[]): string | null => {
    const value = file[key];
    if (value === undefined) return null;
    if (typeof value === 'string' && (names.has(value) || known.includes(value))) return value;
    problems.push({ key, text: 'names no system' });
    return null;
  };
  const site = sites.find((one) => one === file['site']) ?? null;
  if (file['site'] !== undefined && site === null) problems.push({ key: 'site', text: `must be one of ${sites.join(', ')}` });
  return {
    sites: {
      site,
      store: named('store', storeSystemIds),
      objectStore: named('objectStore', [...objectSystemIds, 'none']),
      pricePerKilowattHour: amountOf(
        file['pricePerKilowattHour'],
        { minimum: 0, maximum: 1e3 },
        'pricePerKilowattHour',
        problems,
      ),
      systems,
    },
    problems,
  };
}

const topKeys: ReadonlySet<string> = new Set([
  '$schema',
  'kind',
  'schemaVersion',
  'site',
  'store',
  'objectStore',
  'pricePerKilowattHour',
  'systems',
]);

/** One system as it stands in the file. */
interface Entry {
  name: string;
  basedOn: string;
  amounts: OwnAmounts;
}

function entriesOf(value: unknown, problems: InputProblem[]): Entry[] {
  if (value === undefined) return [];
  if (!isRecord(value)) {
    problems.push({ key: 'systems', text: 'must be an object' });
    return [];
  }
  const all = Object.entries(value);
  if (all.length > limits.sitesSystems)
    problems.push({ key: 'systems', text: `has ${all.length} entries, of which ${limits.sitesSystems} are read` });
  return all.slice(0, limits.sitesSystems).flatMap(([name, entry]) => entryOf(name, entry, problems));
}

function entryOf(name: string, entry: unknown, problems: InputProblem[]): Entry[] {
  const key = `systems.${name.slice(0, limits.planNameCharacters)}`;
  if (name === '' || name === 'none' || name.length > limits.planNameCharacters || !isRecord(entry)) {
    problems.push({ key, text: isRecord(entry) ? 'is no name of a system' : 'must be an object' });
    return [];
  }
  const amounts: OwnAmounts = {};
  for (const [field, value] of Object.entries(entry)) {
    if (field === 'basedOn') continue;
    if (!isAmount(field)) {
      problems.push({ key: `${key}.${field.slice(0, limits.planNameCharacters)}`, text: 'is no key of a system' });
      continue;
    }
    const amount = amountOf(value, ownAmounts[field], `${key}.${field}`, problems);
    if (amount !== null) amounts[field] = amount;
  }
  // A known name changes what is known of that system.
  const basedOn = entry['basedOn'] ?? (bases.has(name) ? name : undefined);
  if (typeof basedOn === 'string' && (basedOn === name || !bases.has(name))) return [{ name, basedOn, amounts }];
  problems.push({
    key: `${key}.basedOn`,
    text: bases.has(name) ? 'cannot be another one for a known system' : 'must name a system',
  });
  return [];
}

/** Follows `basedOn` to a known system. What comes nearer wins. */
function resolved(entry: Entry, byName: ReadonlyMap<string, Entry>, problems: InputProblem[]): OwnSystem[] {
  const seen = new Set<string>();
  const amounts: OwnAmounts = {};
  let basedOn = entry.name;
  for (let next: Entry | undefined = entry; next !== undefined && !seen.has(next.name); next = byName.get(basedOn)) {
    seen.add(next.name);
    Object.assign(amounts, { ...next.amounts, ...amounts });
    basedOn = next.basedOn;
  }
  const base = knownBases.find((id) => id === basedOn);
  // A known name is its own base, which ends there.
  if (base !== undefined && (!byName.has(basedOn) || byName.get(basedOn)?.basedOn === basedOn))
    return [{ name: entry.name, base, amounts }];
  const isCircle = seen.size > 1 && seen.has(basedOn);
  const text = isCircle ? 'leads back to where it was' : `leads to ${basedOn}, which is no system`;
  problems.push({ key: `systems.${entry.name}.basedOn`, text });
  return [];
}

function amountOf(
  value: unknown,
  { minimum, maximum }: { minimum: number; maximum: number },
  key: string,
  problems: InputProblem[],
): number | null {
  if (value === undefined) return null;
  const problem =
    typeof value !== 'number' || !Number.isFinite(value)
      ? 'must be a number'
      : value < minimum
        ? minimum === 0
          ? 'must not be below 0'
          : `must be at least ${minimum}`
        : value > maximum
          ? `must be at most ${maximum}`
          : null;
  if (problem === null) return value as number;
  problems.push({ key, text: problem });
  return null;
}

function isAmount(key: string): key is keyof typeof ownAmounts {
  return Object.hasOwn(ownAmounts, key);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
