import { existsSync } from 'node:fs';
import path from 'node:path';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { runCommand } from '../../scripts/host/runCommand.mjs';
import { findProgram, installCommand, installPackages } from './ensureDebianPackages.mjs';
import { MissingError } from './results.mjs';

/** A download that makes no end of itself, e.g. behind a proxy that never answers, is ended. */
const downloadSeconds = 600;

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const macApplications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** @type {Promise<string> | undefined} */
let found;

/**
 * A Chromium or Chrome that starts: the machine's own, else the distribution's package, else Playwright's download.
 * @returns {Promise<string>} the path of its binary
 * @throws MissingError
 */
export function ensureBrowser() {
  found ??= findOrInstall();
  return found;
}

async function findOrInstall() {
  const own = findInstalled();
  if (own !== undefined) return starting(own);
  await installPackages(['chromium']);
  return starting(findInstalled() ?? (await download()));
}

function findInstalled() {
  return names.map(findProgram).find((file) => file !== undefined) ?? macApplications.find((file) => existsSync(file));
}

/**
 * Playwright's own build, which comes from its server rather than from a package registry.
 * @returns {Promise<string>}
 * @throws MissingError
 */
async function download() {
  process.env['PLAYWRIGHT_BROWSERS_PATH'] = path.join(cacheRoot, 'browsers');
  const playwright = path.join(projectRoot, 'node_modules', 'playwright-core', 'cli.js');
  const { chromium } = await import('playwright-core');
  const browser = chromium.executablePath();
  if (existsSync(browser)) return browser;
  console.log('Fetching Chromium …');
  const { output } = await runCommand(process.execPath, [playwright, 'install', 'chromium'], { timeout: downloadSeconds * 1000 });
  if (existsSync(browser)) return browser;
  const why = /^.*(?:Error|error|timed out).*$/m.exec(output)?.[0].trim() ?? `it did not come within ${downloadSeconds} s`;
  throw new MissingError(
    `No Chromium or Chrome was found, and Playwright's cannot be fetched (${why}). Install one: ${installCommand(['chromium'])}`,
  );
}

/**
 * The browser, if it can be started at all: a missing library is reported here, and not by every spec.
 * @param {string} browser
 */
async function starting(browser) {
  const { code, output } = await runCommand(browser, ['--version', '--no-sandbox']);
  if (code === 0) return browser;
  const library = /error while loading shared libraries: ([^:\s]+)/.exec(output)?.[1];
  const why = library === undefined ? `it ends with code ${code}` : `the library ${library} is missing`;
  throw new MissingError(
    `${browser} does not start: ${why}. Install the packaged one with all that it needs: ${installCommand(['--reinstall', 'chromium'])}`,
  );
}
