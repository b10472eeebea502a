import { existsSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../scripts/host/runCommand.mjs';

/** Programs that tests run beside a browser and what this project pins, by the Debian package that has them. */
export const systemPackages = {
  'btrfs-progs': ['mkfs.btrfs', 'btrfs'],
  fio: ['fio'],
  munge: ['munged'],
  'slurm-wlm': ['sbatch', 'slurmctld', 'slurmd'],
};

/** @type {Promise<string | null> | undefined} */
let ensured;

/**
 * Installs the packages above where programs are missing and this process may install packages.
 * @returns {Promise<string | null>} what is missing and how it gets there; null when all are there
 */
export function ensureDebianPackages() {
  ensured ??= installMissing(Object.keys(systemPackages));
  return ensured;
}

/**
 * What a test that needs some of the packages says where they are missing.
 * @param {(keyof typeof systemPackages)[]} packages
 * @returns {string | null} null when all of their programs are there
 */
export function missingPackages(packages) {
  const missing = packages.filter((name) => systemPackages[name].some((program) => findProgram(program) === undefined));
  return missing.length === 0 ? null : `install ${missing.join(', ')} (${installCommand(missing)})`;
}

/** @param {string[]} packages */
async function installMissing(packages) {
  const names = /** @type {(keyof typeof systemPackages)[]} */ (packages);
  const missing = names.filter((name) => missingPackages([name]) !== null);
  if (missing.length > 0) await installPackages(missing);
  return missingPackages(names);
}

/**
 * Installs packages as root. As another user it does nothing: no password is requested, and no right is used without a request.
 * @param {string[]} packages
 * @returns {Promise<string>} what was tried, for a message
 */
export function installPackages(packages) {
  const done = installing.then(() => install(packages));
  // Two installations at once would wait for each other's lock and give up.
  installing = done.then(() => undefined);
  return done;
}

/** @type {Promise<void>} */
let installing = Promise.resolve();

/** @param {string[]} packages */
async function install(packages) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || findProgram('apt-get') === undefined)
    return `not installed unasked: ${installCommand(packages)}`;
  console.log(`Installing ${packages.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  let output = '';
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]])
    output = (await runCommand('apt-get', args, { env })).output;
  return `apt-get: ${output.slice(-2_000)}`;
}

/** @param {readonly string[]} packages */
export function installCommand(packages) {
  return `sudo apt-get install ${packages.join(' ')}`;
}

/**
 * The path of a program, also of those that only root has on the PATH.
 * @param {string} program
 */
export function findProgram(program) {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
  return folders.map((folder) => path.join(folder, program)).find((file) => existsSync(file));
}
