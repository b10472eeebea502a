/** What a check calls what it makes. What is removed later is found by these names and by no others. */

/** The directory of one check: 128 random bits, in hexadecimal. */
export const checkDirectoryPattern = /^\.stowage-bandwidth-[0-9a-f]{32}$/;

export function checkDirectoryName(randomHex: string): string {
  return `.stowage-bandwidth-${randomHex}`;
}

/** Tells whose the directory is and what was written into it. Made first, removed last. */
export const markerName = '.stowage-marker.json';
/** Written once, to learn whether the file system can be written past the cache. */
export const probeName = '.stowage-probe';

/** A file of the check of metadata, before and after it is renamed. */
export function smallFileNames(index: number): { made: string; renamed: string } {
  const number = String(index).padStart(6, '0');
  return { made: `.stowage-small-${number}.new`, renamed: `.stowage-small-${number}` };
}

/** Data may have any name that stays in the directory, and none that a check uses itself. */
export function isDataName(name: string): boolean {
  // File systems allow names of 255 bytes, and a UTF-16 unit takes 3 bytes of UTF-8 at most: longer ones fail when they are made.
  if (name === '' || name === '.' || name === '..' || name.length > 255) return false;
  return !/[/\\\0]/.test(name) && !name.startsWith('.stowage-');
}
