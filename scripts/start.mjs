/**
 * `npm start`: a real VS Code with the extension, on the sample workspace. Uses nothing but Node itself until the packages are
 * installed. The extension is packed and installed rather than run from the sources, so that what is seen is what is shipped.
 */
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import net from 'node:net';
import { pathToFileURL } from 'node:url';
import { ensureHost } from './host/ensureHost.mjs';
import { installVsix, startHostServer } from './host/hostServer.mjs';
import { openBrowser } from './host/openBrowser.mjs';
import { currentHost } from './host/pins.mjs';
import { cacheRoot, ensureDependencies, packExtension, projectRoot } from './host/project.mjs';

const preferredPort = 4877;
const minuteMs = 60_000;

async function start() {
  const folder = path.join(cacheRoot, 'start');
  const dataFolder = path.join(folder, 'data');
  const extensionsFolder = path.join(folder, 'extensions');
  await ensureDependencies();
  const host = await ensureHost(currentHost);
  console.log('Building and packing the extension …');
  const vsix = path.join(folder, 'stowage.vsix');
  await packExtension(vsix);
  await installVsix({ host, vsix, dataFolder, extensionsFolder });
  const port = (await isFree(preferredPort)) ? preferredPort : 0;
  const server = await startHostServer({ host, dataFolder, extensionsFolder, port });
  const workspace = path.join(folder, 'samples');
  await writeWorkspace(workspace);
  const url = server.url({ folder: pathToFileURL(workspace).pathname });
  console.log(`\nVS Code ${currentHost.vscode} with Stowage is at\n\n  ${url}\n`);
  console.log(
    'Open Stowage in the activity bar > Look for Checkpoints > llama-8b, or right-click a folder in the Explorer. Ctrl-C ends it.',
  );
  openBrowser(url);
}

/**
 * The samples, and a run of an 8B model with holes in place of its tensors.
 * @param {string} workspace
 */
async function writeWorkspace(workspace) {
  rmSync(workspace, { recursive: true, force: true });
  cpSync(path.join(projectRoot, 'samples'), workspace, { recursive: true });
  const { writeSampleRun } = await bundledSampleRun();
  await writeSampleRun(path.join(workspace, 'llama-8b'), Date.now() - 40 * minuteMs);
}

/** @returns {Promise<typeof import('./samples/writeSampleRun.js')>} */
async function bundledSampleRun() {
  const { build } = await import('esbuild');
  const outfile = path.join(cacheRoot, 'start', 'writeSampleRun.mjs');
  const entry = path.join(projectRoot, 'scripts', 'samples', 'writeSampleRun.ts');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20' });
  return import(pathToFileURL(outfile).href);
}

/** @param {number} port */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

start().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
