/** Sites by name, and which systems are at one alone: all that choosing a site needs. */
import type { SystemId } from './systemNames.js';

/** Where a system can be had. */
export const sites = ['on-premises', 'aws', 'google', 'azure'] as const;
export type Site = (typeof sites)[number];

/** What a cloud runs is in that cloud; the NFS of a cloud has a name and a row of its own. What one installs oneself is anywhere. */
const soleSites: Partial<Record<SystemId, Site>> = {
  nfs: 'on-premises',
  'fsx-lustre': 'aws',
  efs: 'aws',
  'ebs-gp3': 'aws',
  's3-standard': 'aws',
  's3-express': 'aws',
  'gcp-managed-lustre': 'google',
  filestore: 'google',
  'gcs-standard': 'google',
  'gcs-rapid': 'google',
  'azure-managed-lustre': 'azure',
  'azure-blob': 'azure',
};

/** The only site where a system can be had; null where it can be had at any. */
export function soleSiteOf(id: SystemId): Site | null {
  return soleSites[id] ?? null;
}

export const siteNames: Readonly<Record<Site, string>> = {
  'on-premises': 'on premises',
  aws: 'AWS',
  google: 'Google Cloud',
  azure: 'Azure',
};

export const siteChoices = [
  { value: 'any', label: 'any' },
  { value: 'on-premises', label: siteNames['on-premises'] },
  { value: 'aws', label: siteNames.aws },
  { value: 'google', label: siteNames.google },
  { value: 'azure', label: siteNames.azure },
] as const satisfies readonly { value: Site | 'any'; label: string }[];
