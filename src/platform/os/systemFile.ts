import { readFileSync } from 'node:fs';

/** A text of the system's own, of `/proc` or `/etc`; null where there is none. Never a path out of a file. */
export function readSystemFile(file: `/proc/${string}` | `/etc/${string}`): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
