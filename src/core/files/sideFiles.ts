/** Files that operating systems put beside others, for their own use. */
import { baseName } from './paths.js';

const windowNames: ReadonlySet<string> = new Set(['thumbs.db', 'ehthumbs.db', 'desktop.ini']);

/**
 * Whether a name is one that macOS or Windows gives: `._NAME` (AppleDouble: attributes of NAME where a file system keeps none, RFC 1740),
 * `.DS_Store`, what a zip of macOS holds below `__MACOSX`, `Thumbs.db` and `desktop.ini`. Only names are looked at.
 */
export function isSideFile(path: string): boolean {
  const name = baseName(path);
  if (name.startsWith('._')) return name.length > 2;
  return (
    name === '.DS_Store' || windowNames.has(name.toLowerCase()) || path.startsWith('__MACOSX/') || path.includes('/__MACOSX/')
  );
}
