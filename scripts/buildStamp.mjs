/**
 * Which sources dist/ was built from, and how: what runs a build checks that it is neither old nor of another kind. Uses nothing
 * but Node itself.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheRoot, projectRoot } from './host/project.mjs';

/** @typedef {'development' | 'production'} BuildMode */

const stampFile = path.join(cacheRoot, 'build.json');

/** Files and folders that decide what is in dist/ and in the package. */
const inputs = [
  '.vscodeignore',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'esbuild.mjs',
  'l10n',
  'media',
  'package-lock.json',
  'package.json',
  'package.nls.json',
  'scripts',
  'src',
  'webview',
];

/** SHA-256 over the names and contents of all inputs, in hexadecimal digits. */
export function inputsDigest() {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(filesOf))
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(projectRoot, file)))
      .update('\0');
  return hash.digest('hex');
}

/**
 * Notes that dist/ was built from the sources with this digest.
 * @param {BuildMode} mode
 * @param {string} digest of the inputs, taken before the build read them
 */
export function stampBuild(mode, digest) {
  mkdirSync(cacheRoot, { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ mode, digest }));
}

/** Notes that dist/ is being changed. */
export function removeStamp() {
  rmSync(stampFile, { force: true });
}

/**
 * Whether dist/ was built so, from the sources as they are now.
 * @param {BuildMode} mode
 */
export function isBuilt(mode) {
  if (!existsSync(stampFile) || !existsSync(path.join(projectRoot, 'dist', 'cli.js'))) return false;
  const stamp = JSON.parse(readFileSync(stampFile, 'utf8'));
  return stamp.mode === mode && stamp.digest === inputsDigest();
}

/**
 * All files of an input, relative to the project, in order.
 * @param {string} input
 * @returns {string[]}
 */
function filesOf(input) {
  const root = path.join(projectRoot, input);
  const stat = statSync(root, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [input];
  return readdirSync(root)
    .sort()
    .flatMap((name) => filesOf(path.join(input, name)));
}
