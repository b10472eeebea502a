import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Files below a directory by their paths with `/`, for trees in memory that differ from those on disk. */
export function filesBelow(root: string): Record<string, Uint8Array<ArrayBuffer>> {
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files[path.relative(root, file).split(path.sep).join('/')] = new Uint8Array(readFileSync(file));
  }
  return files;
}
