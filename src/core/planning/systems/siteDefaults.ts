/** Where the job runs: which systems can be had there, and which a plan takes that names none. */
import type { PlanInputs } from '../inputs/planInputs.js';
import { soleSiteOf, type Site } from './siteNames.js';

type Stores = Pick<PlanInputs, 'store' | 'objectStore'>;

/** A lab has no object store unless it says so. */
const standards: Readonly<Record<Site, Stores>> = {
  'on-premises': { store: 'lustre', objectStore: 'none' },
  aws: { store: 'fsx-lustre', objectStore: 's3-standard' },
  google: { store: 'gcp-managed-lustre', objectStore: 'gcs-standard' },
  azure: { store: 'azure-managed-lustre', objectStore: 'azure-blob' },
};

/** As given, or where the storage that is given can be had alone; null for any. */
export function siteOf({ site = 'any', store }: Partial<Pick<PlanInputs, 'site' | 'store'>>): Site | null {
  if (site !== 'any') return site;
  return store === undefined ? null : soleSiteOf(store);
}

/** What a plan saves to that names a site, or a storage of one site, unless it is given. */
export function siteInputs(given: Partial<PlanInputs>): Partial<Stores> {
  const site = siteOf(given);
  return site === null ? {} : standards[site];
}
