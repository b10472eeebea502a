import { existsSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../scripts/host/runCommand.mjs';

/**
 * The distribution's packages behind some programs, installed where they are missing and this machine lets us.
 * @param {string[]} programs
 * @param {string[]} packages
 * @returns {Promise<string | null>} why a program is still missing; null when all are there
 */
export async function ensureDebianPackages(programs, packages) {
  const missing = () => programs.filter((program) => !isOnPath(program));
  if (missing().length === 0) return null;
  if (process.platform !== 'linux') return `${missing().join(', ')}: not on ${process.platform}`;
  console.log(`Installing ${packages.join(', ')} …`);
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  let said = '';
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const [command = 'apt-get', ...rest] = [...prefix, 'apt-get', ...args];
    try {
      const { output } = await runCommand(command, rest, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
      said = output.slice(-2_000);
    } catch (error) {
      said = String(error);
    }
  }
  return missing().length === 0 ? null : `${missing().join(', ')} cannot be installed: ${said}`;
}

/** @param {string} program */
function isOnPath(program) {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
  return folders.some((folder) => existsSync(path.join(folder, program)));
}
