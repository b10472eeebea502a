import { existsSync } from 'node:fs';
import path from 'node:path';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** @type {Promise<string> | undefined} */
let found;

/**
 * A Chromium or Chrome: the machine's own, else the distribution's package, else Playwright's download.
 * @returns {Promise<string>} the path of its binary
 */
export function ensureBrowser() {
  found ??= findOrInstall();
  return found;
}

async function findOrInstall() {
  const own = findOnPath();
  if (own !== undefined) return own;
  console.log('Installing Chromium …');
  const attempts = [];
  if (process.platform === 'linux') {
    const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
      const [command = 'apt-get', ...rest] = [...prefix, 'apt-get', ...args];
      attempts.push(await tryCommand(command, rest, { DEBIAN_FRONTEND: 'noninteractive' }));
    }
    const installed = findOnPath();
    if (installed !== undefined) return installed;
  }
  const browsers = path.join(cacheRoot, 'browsers');
  const playwright = path.join(projectRoot, 'node_modules', 'playwright-core', 'cli.js');
  attempts.push(await tryCommand(process.execPath, [playwright, 'install', 'chromium'], { PLAYWRIGHT_BROWSERS_PATH: browsers }));
  process.env['PLAYWRIGHT_BROWSERS_PATH'] = browsers;
  const { chromium } = await import('playwright-core');
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  throw new Error(`There is no Chromium, and it could not be installed. Install Chromium or Chrome.\n${attempts.join('\n')}`);
}

function findOnPath() {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  candidates.push(
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  );
  return candidates.find((candidate) => existsSync(candidate));
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} env
 */
async function tryCommand(command, args, env) {
  try {
    const { code, output } = await runCommand(command, args, { env: { ...process.env, ...env } });
    return `${command} ${args.join(' ')}: code ${code}\n${output.slice(-2_000)}`;
  } catch (error) {
    return String(error);
  }
}
