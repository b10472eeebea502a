/**
 * Whether a path is of a file that macOS or Windows put beside others for their own use: `._NAME` (AppleDouble: attributes of NAME where a
 * file system keeps none, RFC 1740), `.DS_Store`, what a zip of macOS holds below `__MACOSX`, the indexes and logs of a volume of macOS, `Thumbs.db`
 * and `desktop.ini`. Only names are looked at.
 */
export function isSideFile(path: string): boolean {
  return sideFile.test(path);
}

// One pattern, as each path of a listing is asked several times.
const sideFile =
  /(?:^|\/)(?:\._[^/]+$|\.DS_Store$|(?:__MACOSX|\.AppleDouble|\.Spotlight-V100|\.fseventsd)\/|(?:eh)?thumbs\.db$|desktop\.ini$)/i;
