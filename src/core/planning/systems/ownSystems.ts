/** What the systems of a sites file give a plan: inputs that are not given, and rows of their own beside the known systems. */
import type { Supplied } from '../inputs/planDocument.js';
import { standardInputs, type PlanInputs, type PlanKey } from '../inputs/planInputs.js';
import type { OwnAmounts, OwnSystem, SitesFile, SuppliedSystems } from '../inputs/sitesFile.js';
import { capitalPerMonth, energyPerMonth } from '../money/capital.js';
import { siteInputs } from './siteDefaults.js';
import { monthSeconds, priceOf, type StorageSystem, type SystemPrice } from './storageSystem.js';
import { systemOf } from './storageSystems.js';
import { objectSystemIds, storeSystemIds, type ObjectSystemId, type StoreSystemId } from './systemNames.js';

/** @param given what the plan sets itself: a storage that it names is not the file's */
export function suppliedBy(supplied: SuppliedSystems, given: Partial<PlanInputs>): Supplied {
  const { sites } = supplied;
  const ofStore = given.store === undefined ? namedSystem(sites, supplied.store ?? sites.store) : null;
  const ofObjects = given.objectStore === undefined ? namedSystem(sites, supplied.objectStore ?? sites.objectStore) : null;
  const own = { ...given, ...(sites.site === null || given.site !== undefined ? {} : { site: sites.site }) };
  const perSource = [
    ...(own.site === given.site ? [] : [{ text: 'sites file', inputs: { site: own.site } }]),
    ...(ofStore === null ? [] : [{ text: ofStore.name, inputs: storeInputs(ofStore, sites) }]),
    ...(ofObjects === null ? [] : [{ text: ofObjects.name, inputs: objectInputs(ofObjects, sites) }]),
  ];
  const inputs: Partial<PlanInputs> = {};
  const origins: Supplied['origins'] = {};
  for (const source of perSource)
    for (const [key, value] of Object.entries(source.inputs) as [PlanKey, never][]) {
      if (value === undefined || given[key] !== undefined) continue;
      inputs[key] = value;
      origins[key] = { kind: 'site', text: source.text };
    }
  const rows = sites.systems.map((system) => ({ name: system.name, system: rowOf(system, sites), amounts: system.amounts }));
  const rowNamed = (system: OwnSystem | null, id: string | undefined) =>
    rows.find(({ name }) => name === (system?.name ?? id))?.system ?? null;
  const all = { ...siteInputs({ ...own, ...inputs }), ...inputs };
  const { store, objectStore } = { ...standardInputs, ...all, ...given };
  return {
    // What a site decides gives way to what the file names.
    inputs: all,
    origins,
    store: rowNamed(ofStore, store),
    objectStore: rowNamed(ofObjects, objectStore),
    rows,
  };
}

/** A system of the file, or a known one that it names. */
function namedSystem({ systems }: SitesFile, name: string | null): OwnSystem | null {
  if (name === null || name === 'none') return null;
  const own = systems.find((system) => system.name === name);
  if (own !== undefined) return own;
  const base = [...storeSystemIds, ...objectSystemIds].find((id) => id === name);
  return base === undefined ? null : { name, base, amounts: {} };
}

function storeInputs(system: OwnSystem, sites: SitesFile): Partial<PlanInputs> {
  const { amounts, base } = system;
  const store = storeSystemIds.find((id) => id === base) satisfies StoreSystemId | undefined;
  if (store === undefined) return {};
  const { pricePerGBMonth, pricePerGBps } = pricesOf(amounts, sites);
  const room = Math.min(amounts.capacityBytes ?? Infinity, amounts.quotaBytes ?? Infinity);
  return defined({
    store,
    writeBytesPerSecond: amounts.writeBytesPerSecond,
    readBytesPerSecond: amounts.readBytesPerSecond,
    clientBytesPerSecond: amounts.clientBytesPerSecond,
    fileBytesPerSecond: amounts.fileBytesPerSecond,
    storeCapacityBytes: Number.isFinite(room) ? Math.floor(room) : undefined,
    storePricePerGBMonth: pricePerGBMonth,
    storePricePerGBps: amounts.pricePerGBps ?? (isPaid(amounts) ? undefined : pricePerGBps),
    ...(isPaid(amounts) && amounts.pricePerGBps === undefined ? paidOnce(amounts, sites) : {}),
  });
}

function objectInputs({ amounts, base }: OwnSystem, sites: SitesFile): Partial<PlanInputs> {
  const objectStore = objectSystemIds.find((id) => id === base) satisfies ObjectSystemId | undefined;
  if (objectStore === undefined) return {};
  return defined({
    objectStore,
    objectBytesPerSecond: amounts.writeBytesPerSecond,
    objectPricePerGBMonth: pricesOf(amounts, sites).pricePerGBMonth,
    egressPricePerGB: amounts.egressPricePerGB,
  });
}

function defined(values: Partial<Record<PlanKey, unknown>>): Partial<PlanInputs> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

const monthsOfYear = 12;

type Paid = OwnAmounts & { capitalDollars: number; lifetimeYears: number; writeBytesPerSecond: number };

/** Whether it is known what was paid for which bandwidth. */
function isPaid(amounts: OwnAmounts): amounts is Paid {
  const { capitalDollars, lifetimeYears, writeBytesPerSecond } = amounts;
  return capitalDollars !== undefined && lifetimeYears !== undefined && !!writeBytesPerSecond;
}

/** What was paid stays paid, however much of the bandwidth is used; power goes with it. */
function paidOnce(amounts: Paid, { pricePerKilowattHour }: SitesFile): Partial<Record<PlanKey, number | undefined>> {
  const { capitalDollars, lifetimeYears, powerWatts, writeBytesPerSecond } = amounts;
  const isPowered = powerWatts !== undefined && pricePerKilowattHour !== null;
  return {
    storeCapitalDollars: capitalDollars,
    storeLifetimeSeconds: lifetimeYears * monthsOfYear * monthSeconds,
    storageWattsPerGBps: isPowered ? powerWatts / (writeBytesPerSecond / GB) : undefined,
    energyPricePerKilowattHour: isPowered ? pricePerKilowattHour : undefined,
  };
}

/** What was paid and the power, a month, of each GB and of each GB/s: two views of the same money. Prices that are given win. */
function pricesOf(amounts: OwnAmounts, { pricePerKilowattHour }: SitesFile): { pricePerGBMonth?: number; pricePerGBps?: number } {
  const { capitalDollars, lifetimeYears, powerWatts, capacityBytes, writeBytesPerSecond } = amounts;
  const ofCapital =
    capitalDollars === undefined || lifetimeYears === undefined
      ? null
      : capitalPerMonth(capitalDollars, lifetimeYears * monthsOfYear * monthSeconds);
  const ofPower =
    powerWatts === undefined || pricePerKilowattHour === null ? null : energyPerMonth(powerWatts, pricePerKilowattHour);
  const perMonth = ofCapital === null && ofPower === null ? null : (ofCapital ?? 0) + (ofPower ?? 0);
  const over = (amount: number | undefined) => (perMonth === null || !amount ? undefined : perMonth / (amount / 1e9));
  const pricePerGBMonth = amounts.pricePerGBMonth ?? over(capacityBytes);
  const pricePerGBps = amounts.pricePerGBps ?? over(writeBytesPerSecond);
  return {
    ...(pricePerGBMonth === undefined ? {} : { pricePerGBMonth }),
    ...(pricePerGBps === undefined ? {} : { pricePerGBps }),
  };
}

const GB = 1e9;
const GiB = 2 ** 30;

/** The known row under the system's own name, with its own prices and limits: it is there already, in whatever size. */
function rowOf({ name, base, amounts }: OwnSystem, sites: SitesFile): StorageSystem {
  const known = systemOf(base);
  return {
    ...known,
    name: name === base ? known.name : name,
    levels: [],
    clientBytesPerSecond: amounts.clientBytesPerSecond ?? known.clientBytesPerSecond,
    price: priceOfOwn(amounts, pricesOf(amounts, sites).pricePerGBMonth, known.price),
  };
}

function priceOfOwn(amounts: OwnAmounts, pricePerGBMonth: number | undefined, known: SystemPrice | null): SystemPrice | null {
  // Own prices are of 10^9 bytes.
  const scale = known?.unit === 'GiB' ? GB / GiB : 1;
  const perGBMonth = pricePerGBMonth ?? (known === null ? undefined : known.perGBMonth * scale);
  if (perGBMonth === undefined) return null;
  const written = amounts.pricePerGBWritten ?? (known?.perGBWritten === undefined ? undefined : known.perGBWritten * scale);
  const read = amounts.pricePerGBRead ?? (known?.perGBRead === undefined ? undefined : known.perGBRead * scale);
  return priceOf(perGBMonth, {
    unit: 'GB',
    per1000Writes: amounts.pricePer1000Writes ?? known?.per1000Writes ?? null,
    per1000Reads: amounts.pricePer1000Reads ?? known?.per1000Reads ?? null,
    egressPerGB: amounts.egressPricePerGB ?? known?.egressPerGB ?? null,
    ...(written === undefined ? {} : { perGBWritten: written }),
    ...(read === undefined ? {} : { perGBRead: read }),
    leastStoredSeconds: known?.leastStoredSeconds ?? null,
    date: known?.date ?? '',
    isOwn: true,
  });
}
