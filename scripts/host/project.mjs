import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError, runNpm, runRequired } from './runCommand.mjs';

export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Everything that is fetched or made on the way, and may be deleted at any time. */
export const cacheRoot = path.join(projectRoot, '.cache');

/** @throws Error where Node is older than package.json allows */
function ensureNode() {
  const { engines } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
  const [least] = /\d+/.exec(engines.node) ?? [];
  const [found] = process.versions.node.split('.');
  if (Number(found) < Number(least))
    throw new CommandError(`Node ${least} or newer is needed; this is ${process.versions.node}.`, '');
}

/** Installs the pinned packages when there are none or the lock file is newer. Uses nothing but Node itself. */
export async function ensureDependencies(say = console.log) {
  ensureNode();
  const installed = path.join(projectRoot, 'node_modules', '.package-lock.json');
  const lock = path.join(projectRoot, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  say('Installing the pinned packages …');
  // No package's install script is needed here, so none is run.
  try {
    await runNpm(['ci', '--ignore-scripts'], { cwd: projectRoot });
  } catch (error) {
    throw new CommandError(
      `The pinned packages cannot be installed: see that npm reaches its registry (npm ping).`,
      String(error),
    );
  }
}

/**
 * Builds and packs the extension.
 * @param {string} vsix where to write it
 */
export async function packExtension(vsix) {
  await runRequired(process.execPath, [path.join(projectRoot, 'scripts', 'package.mjs'), vsix], { cwd: projectRoot });
}
