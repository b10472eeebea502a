import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm, runRequired } from './runCommand.mjs';

export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Everything that is fetched or made on the way, and may be deleted at any time. */
export const cacheRoot = path.join(projectRoot, '.cache');

/** Installs the pinned packages when there are none or the lock file is newer. Uses nothing but Node itself. */
export async function ensureDependencies(say = console.log) {
  const installed = path.join(projectRoot, 'node_modules', '.package-lock.json');
  const lock = path.join(projectRoot, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  say('Installing the pinned packages …');
  // No package's install script is needed here, so none is run.
  await runNpm(['ci', '--ignore-scripts'], { cwd: projectRoot });
}

/**
 * Builds and packs the extension.
 * @param {string} vsix where to write it
 */
export async function packExtension(vsix) {
  await runRequired(process.execPath, [path.join(projectRoot, 'scripts', 'package.mjs'), vsix], { cwd: projectRoot });
}
