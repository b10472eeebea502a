import path from 'node:path';
import { cacheRoot, packExtension } from '../../scripts/host/project.mjs';

/** @type {Promise<string> | undefined} */
let packed;

/**
 * Builds and packs what is shipped, once in a run. dist/ and .cache/metafiles.json belong to the same build.
 * @returns {Promise<string>} the VSIX
 */
export function ensureBuild() {
  packed ??= pack();
  return packed;
}

async function pack() {
  const vsix = path.join(cacheRoot, 'test-build', 'stowage.vsix');
  await packExtension(vsix);
  return vsix;
}
