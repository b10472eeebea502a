/** Sites by name: all that choosing one needs. */
import type { Site } from './storageSystem.js';

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
