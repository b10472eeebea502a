import { distributedFiles } from './distributedFiles.js';
import type { FileSet, FileSetFormat } from './fileSet.js';
import { slicedSafetensors } from './slicedSafetensors.js';
import type { Listing } from '../../files/listing.js';
import { isSideFile } from '../../files/sideFiles.js';
import { nanotronFiles } from './nanotronFiles.js';
import { snapshotFiles } from './snapshotFiles.js';
import { onnxFiles } from './onnxFiles.js';
import { tensorBundle } from './tensorBundleSet.js';
import { ocdbtDatabase } from './ocdbtDatabase.js';
import type { RolesByName } from '../../formats/fileFormat.js';
import { zarrArrays } from './zarrArrays.js';

/** All formats of several files. Where two claim a file the first has it. */
export const fileSetFormats: readonly FileSetFormat[] = [
  distributedFiles,
  slicedSafetensors,
  ocdbtDatabase,
  zarrArrays,
  snapshotFiles,
  nanotronFiles,
  tensorBundle,
  onnxFiles,
];

export interface FoundFileSet {
  format: FileSetFormat;
  set: FileSet;
}

/** Answers by listing: these never change, and several steps of an inspection ask. */
const foundSets = new WeakMap<Listing, { roles: RolesByName; found: readonly FoundFileSet[] }>();

/** Every file set of a listing; no file is in two. `roles` tell what the files are by their names. */
export function findFileSets(listing: Listing, roles: RolesByName): readonly FoundFileSet[] {
  const known = foundSets.get(listing);
  if (known?.roles === roles) return known.found;
  const found = searchFileSets(listing, roles);
  foundSets.set(listing, { roles, found });
  return found;
}

function searchFileSets(listing: Listing, roles: RolesByName): FoundFileSet[] {
  const taken = new Set<string>();
  const found: FoundFileSet[] = [];
  for (const format of fileSetFormats) {
    for (const set of format.find(listing.withoutSideFiles, roles)) {
      const paths = set.paths.filter((path) => !taken.has(path) && !isSideFile(path));
      if (paths.length === 0 || paths[0] !== set.paths[0]) continue;
      for (const path of paths) taken.add(path);
      found.push({ format, set: { ...set, paths } });
    }
  }
  return found;
}
