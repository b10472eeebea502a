/**
 * The temporary folder of a run. When the run ends, the folder is removed together with the processes and mounts that outlived the
 * suite which made them (jobs of a batch system leave the process group of what started them): all of them inherited its name.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { endAllGroups, onInterrupt } from '../../scripts/host/processGroups.mjs';
import { cacheRoot } from '../../scripts/host/project.mjs';
import { describeError, MissingError } from './results.mjs';

const variable = 'STOWAGE_TEST_RUN';

/**
 * Runs `main` in a temporary folder, removes all that it left, however it ended, and ends this process with its code.
 * @param {() => Promise<number>} main
 */
export async function runToEnd(main) {
  let folder = '';
  onInterrupt(() => {
    if (folder !== '') closeScratch(folder);
  });
  let code = 1;
  try {
    folder = openScratch();
    code = await main();
  } catch (error) {
    console.error(describeError(error));
    console.log('\n0 passed, 1 failed');
  } finally {
    await endAllGroups();
    if (folder !== '') closeScratch(folder);
  }
  process.exit(code);
}

/**
 * Makes the folder of this run and lets all temporary files of this process and its children go there, and the caches of the
 * programs that they use below .cache.
 * @returns {string} the folder; short, as sockets in it have short names only
 * @throws MissingError
 */
export function openScratch() {
  const folder = makeFolder(os.tmpdir());
  Object.assign(process.env, {
    [variable]: folder,
    TMPDIR: folder,
    TMP: folder,
    TEMP: folder,
    XDG_CACHE_HOME: path.join(cacheRoot, 'xdg'),
    npm_config_cache: path.join(cacheRoot, 'npm'),
  });
  // The sockets of VS Code servers and of browsers.
  const runtime = path.join(folder, 'runtime');
  mkdirSync(runtime, { mode: 0o700 });
  process.env['XDG_RUNTIME_DIR'] = runtime;
  return folder;
}

/** @param {string} parent */
function makeFolder(parent) {
  try {
    return realpathSync(mkdtempSync(path.join(parent, 'stowage-run-')));
  } catch (error) {
    throw new MissingError(
      `No temporary files can be made: ${error instanceof Error ? error.message : String(error)}. Set TMPDIR to a folder of yours.`,
    );
  }
}

/**
 * Ends what still runs of a run, unmounts what it mounted and removes its folder.
 * @param {string} folder
 */
export function closeScratch(folder) {
  endProcessesOf(folder);
  for (const mount of mountsBelow(folder)) {
    try {
      execFileSync('umount', ['--lazy', mount], { stdio: 'ignore' });
    } catch {
      // It is gone already; else the removal below fails and says so.
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/**
 * Processes started by this run, whoever is their parent now. Linux only: elsewhere none of the suites starts daemons.
 * @param {string} folder
 */
function endProcessesOf(folder) {
  if (process.platform !== 'linux') return;
  const mark = `\0${variable}=${folder}\0`;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      if (`\0${readFileSync(`/proc/${id}/environ`, 'latin1')}`.includes(mark)) process.kill(Number(id), 'SIGKILL');
    } catch {
      // It has ended, or is another user's.
    }
  }
}

/**
 * Mounts below a folder, the innermost first.
 * @param {string} folder
 * @returns {string[]}
 */
function mountsBelow(folder) {
  if (process.platform !== 'linux') return [];
  const points = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => (line.split(' ')[1] ?? '').replaceAll(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8))));
  return points.filter((point) => point.startsWith(`${folder}/`)).reverse();
}
