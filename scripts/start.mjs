/**
 * `npm start`: a real VS Code with the extension, on the sample workspace. Uses nothing but Node itself until the packages are
 * installed. The extension is packed and installed rather than run from the sources, so that what is seen is what is shipped.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import net from 'node:net';
import { pathToFileURL } from 'node:url';
import { ensureHost } from './host/ensureHost.mjs';
import { installVsix, startHostServer } from './host/hostServer.mjs';
import { openBrowser } from './host/openBrowser.mjs';
import { currentHost } from './host/pins.mjs';
import { cacheRoot, ensureDependencies, packExtension, projectRoot } from './host/project.mjs';

const preferredPort = 4877;

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
  const workspace = path.join(projectRoot, 'samples');
  const url = server.url({ folder: pathToFileURL(existsSync(workspace) ? workspace : projectRoot).pathname });
  console.log(`\nVS Code ${currentHost.vscode} with Stowage is at\n\n  ${url}\n`);
  console.log('Right-click a folder in the Explorer > Inspect Checkpoint or Dataset. Ctrl-C ends it.');
  openBrowser(url);
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
