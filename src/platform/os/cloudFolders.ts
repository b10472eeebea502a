import type { FileStats } from './system.js';

/** Why a file is not opened whose contents OneDrive, iCloud Drive or another service keeps elsewhere. */
export const notOnThisMachine =
  'it takes no space on this disk, as files do that are only in the cloud: it is not opened, so that nothing is downloaded; make it available offline first';

/** NTFS and APFS keep smaller files in their own tables, where they take no blocks either. */
const smallestBytes = 4096;

/**
 * Whether a file in one of the folders has a size and no blocks. The attributes that tell it for sure (RECALL_ON_DATA_ACCESS on
 * Windows, SF_DATALESS on macOS) are not among what Node's stat gives; a file that is one hole looks the same.
 */
export function isPlaceholderIn(
  folders: readonly string[],
  separator: string,
  file: string,
  { size, blocks }: FileStats,
): boolean {
  if (blocks !== 0 || size < smallestBytes) return false;
  return folders.some((folder) => folder !== '' && startsWith(file, folder.endsWith(separator) ? folder : folder + separator));
}

/** Neither system tells upper from lower case in names, as a rule. */
function startsWith(file: string, folder: string): boolean {
  return file.slice(0, folder.length).toLowerCase() === folder.toLowerCase();
}
