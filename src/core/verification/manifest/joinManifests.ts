import { joinPath, parentPath } from '../../files/paths.js';
import type { Manifest, ManifestFile } from '../expected.js';

export interface PlacedManifest {
  /** The directory or the file that it is of, in the listing. */
  path: string;
  /** Whether that is a file, beside whose own name it has those that belong to it. */
  isFile: boolean;
  manifest: Manifest;
}

/** One manifest of several directories; the blocks of those whose blocks have another length than the first are left out. */
export function joinManifests(parts: readonly PlacedManifest[]): Manifest | null {
  const blockBytes = parts[0]?.manifest.blockBytes;
  if (blockBytes === undefined) return null;
  const files = new Map<string, ManifestFile>();
  for (const { path, isFile, manifest } of parts) {
    const folder = isFile ? parentPath(path) : path;
    for (const file of manifest.files.values()) {
      const placed = joinPath(folder, file.path);
      files.set(placed, { ...file, path: placed, ...(manifest.blockBytes !== blockBytes && { crc32c: [] }) });
    }
  }
  return { blockBytes, files, within: parts.map(({ path }) => path) };
}
