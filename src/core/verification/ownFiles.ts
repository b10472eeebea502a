/** Files of Stowage itself, which are neither verified nor taken for lists of digests: those in folders `.stowage`, and a manifest in the directory. */
import { baseName } from '../files/paths.js';
import { manifestName, partialName } from './manifest/manifestFile.js';

export const ownFolder = '.stowage';

/** True for what is below a folder `.stowage`. */
export function isInOwnFolder(path: string): boolean {
  return path.startsWith(`${ownFolder}/`) || path.includes(`/${ownFolder}/`);
}

export function isOwnFile(path: string): boolean {
  return isInOwnFolder(path) || path === manifestName || path === partialName;
}

const nested = /^(?:(.*)\/)?\.stowage\/([^/]+)\/([^/]+)$/s;

/** What a manifest in a folder `.stowage` of the listing is of; null for any other path. */
export function manifestedPath(path: string): string | null {
  const [, folder, name, file] = nested.exec(path) ?? [];
  if (name === undefined || file !== manifestName || baseName(path) !== manifestName) return null;
  return folder === undefined ? name : `${folder}/${name}`;
}
