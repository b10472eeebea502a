import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ensureHost } from '../../scripts/host/ensureHost.mjs';
import { installVsix, startHostServer } from '../../scripts/host/hostServer.mjs';
import { projectRoot } from '../../scripts/host/project.mjs';
import { withBrowser } from './browser.mjs';
import { ensureBuild } from './build.mjs';
import { bundleHostTests } from './bundleHostTests.mjs';
import { workbenchPayload } from './payload.mjs';
import { startResultServer } from './resultServer.mjs';
import { withTempFolder } from './withTempFolder.mjs';
import { writeHostWorkspace } from './writeHostWorkspace.mjs';

/** Ends a hang. No result depends on it: a busy machine may take many times as long as an idle one. */
const timeoutMs = 900_000;

/**
 * Runs the tests of test/host inside a real extension host, in a real window.
 * @param {{ name: string, pin: import('../../scripts/host/ensureHost.mjs').HostPin, variant: import('./hostTestFiles.mjs').HostVariant }} options
 * @returns {Promise<import('./results.mjs').SuiteResult>}
 */
export async function runHostSuite({ name, pin, variant }) {
  const vsix = await ensureBuild();
  const host = await ensureHost(pin);
  const receiver = await startResultServer();
  try {
    return await withTempFolder(async (folder) => {
      const workspace = path.join(folder, 'workspace');
      const dataFolder = path.join(folder, 'data');
      const extensionsFolder = path.join(folder, 'extensions');
      writeHostWorkspace(workspace);
      receiver.serve(workspace);
      if (variant === 'installed') await installVsix({ host, vsix, dataFolder, extensionsFolder });
      const extension = stageExtension(variant, path.join(folder, 'extension'));
      const tests = await bundleHostTests(path.join(extension, '.cache', 'test-build', name, 'tests.js'), variant, receiver.url);
      const server = await startHostServer({
        host,
        dataFolder,
        extensionsFolder,
        workspaceTrust: variant === 'restricted',
        testDriver: true,
        // No marketplace: nothing is fetched from elsewhere.
        env: { CI: 'true', EXTENSIONS_GALLERY: '{}' },
      });
      try {
        const payload = workbenchPayload({ authority: server.authority, extension, tests, web: variant === 'web' });
        const results = await runInWindow(server.url({ folder: workspace, payload }), receiver.results, server.log);
        const { passed, failures, notes, timings } = results;
        return { name, passed: passed.length, failures, notes, timings };
      } finally {
        await server.stop();
      }
    });
  } finally {
    receiver.close();
  }
}

/**
 * Opens the window and waits for the tests' results.
 * @param {string} url
 * @param {Promise<import('./resultServer.mjs').HostResults>} results
 * @param {() => string} serverLog
 */
function runInWindow(url, results, serverLog) {
  return withBrowser(async (browser) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    /** @type {string[]} */
    const messages = [];
    page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
    const failed = new Promise((/** @type {(error: Error) => void} */ _resolve, reject) => {
      const giveUp = (/** @type {string} */ why) =>
        reject(
          new Error(`${why}\n--- window ---\n${messages.slice(-40).join('\n')}\n--- server ---\n${serverLog().slice(-4_000)}`),
        );
      const timer = setTimeout(() => giveUp(`no results within ${timeoutMs / 1000} s`), timeoutMs);
      void results.finally(() => clearTimeout(timer));
      void page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => {
        // The results were posted before the host's exit, if they were posted at all.
        setTimeout(() => giveUp(`the extension host ended with code ${code} and gave no results`), 60_000).unref();
      });
    });
    failed.catch(() => undefined);
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.goto(url);
    return /** @type {Promise<import('./resultServer.mjs').HostResults>} */ (Promise.race([results, failed]));
  });
}

/**
 * The folder that the window develops and whose tests it runs.
 * - Usually this is the project itself, with what was built.
 * - The web host gets a copy that asks for it: our manifest asks to run where the files are, and here that is a remote machine.
 * - Beside the installed VSIX it is an extension that holds nothing but tests.
 * @param {import('./hostTestFiles.mjs').HostVariant} variant
 * @param {string} folder
 */
function stageExtension(variant, folder) {
  if (variant !== 'web' && variant !== 'installed') return projectRoot;
  const manifest = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
  mkdirSync(folder);
  if (variant === 'web') {
    for (const part of ['dist/web', 'dist/webview', 'media', 'l10n', 'package.nls.json']) {
      cpSync(path.join(projectRoot, part), path.join(folder, part), { recursive: true });
    }
    writeManifest(folder, { ...manifest, main: undefined, extensionKind: ['web'] });
  } else writeManifest(folder, { name: 'tests', publisher: 'tests', version: '1.0.0', engines: manifest.engines });
  return folder;
}

/**
 * @param {string} folder
 * @param {object} manifest
 */
function writeManifest(folder, manifest) {
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
}
