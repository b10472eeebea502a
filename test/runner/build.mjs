import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inputsDigest, isBuilt } from '../../scripts/buildStamp.mjs';
import { cacheRoot, packExtension } from '../../scripts/host/project.mjs';
import { alone } from './alone.mjs';

const vsix = path.join(cacheRoot, 'test-build', 'stowage.vsix');
/** The sources that the VSIX was packed from. */
const digestFile = `${vsix}.digest`;

/** @type {Promise<string> | undefined} */
let packed;

/**
 * Builds and packs what is shipped, unless dist/, .cache/metafiles.json and the VSIX are already those of the sources as they are:
 * no test ever runs an older build, or one for development.
 * @returns {Promise<string>} the VSIX
 */
export function ensureBuild() {
  mkdirSync(cacheRoot, { recursive: true });
  packed ??= alone(path.join(cacheRoot, 'build.lock'), pack);
  return packed;
}

async function pack() {
  const digest = inputsDigest();
  const isPacked = existsSync(vsix) && existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest;
  if (isPacked && isBuilt('production')) return vsix;
  await packExtension(vsix);
  writeFileSync(digestFile, digest);
  return vsix;
}
