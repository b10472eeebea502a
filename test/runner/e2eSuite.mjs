import { cpSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { ensureHost } from '../../scripts/host/ensureHost.mjs';
import { installVsix, startHostServer } from '../../scripts/host/hostServer.mjs';
import { currentHost } from '../../scripts/host/pins.mjs';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { withBrowser } from './browser.mjs';
import { ensureBuild } from './build.mjs';
import { findFiles } from './findFiles.mjs';
import { resultOfSpecs } from './results.mjs';
import { withTempFolder } from './withTempFolder.mjs';

/**
 * A person's ways through the window, with the packed extension installed and the samples as workspace: what `npm start` shows.
 * @param {{ pictures?: boolean }} [options] pictures: only the specs that take pictures, and their pictures
 * @returns {Promise<import('./results.mjs').SuiteResult>}
 */
export async function runE2eSuite({ pictures = false } = {}) {
  const vsix = await ensureBuild();
  const host = await ensureHost(currentHost);
  const { specs, runSpecs } = await import(`${pathToFileURL(await bundleSpecs()).href}?run=${Date.now()}`);
  return withTempFolder(async (folder) => {
    let workspaces = 0;
    const newWorkspace = () => {
      const workspace = path.join(folder, String(++workspaces), 'samples');
      cpSync(path.join(projectRoot, 'samples'), workspace, { recursive: true });
      return workspace;
    };
    const hubPort = await freePort();
    const dataFolder = path.join(folder, 'data');
    const extensionsFolder = path.join(folder, 'extensions');
    await installVsix({ host, vsix, dataFolder, extensionsFolder });
    const server = await startHostServer({
      host,
      dataFolder,
      extensionsFolder,
      env: { EXTENSIONS_GALLERY: '{}', HF_ENDPOINT: `http://127.0.0.1:${hubPort}`, HF_HOME: folder },
    });
    try {
      const artifactsDir = path.join(projectRoot, '.artifacts', 'e2e');
      const results = await withBrowser((browser) =>
        runSpecs(specs, {
          browser,
          url: (/** @type {string} */ workspace) => server.url({ folder: workspace }),
          newWorkspace,
          hubPort,
          artifactsDir,
          pictures,
        }),
      );
      return resultOfSpecs('e2e', results);
    } finally {
      await server.stop();
    }
  });
}

/** One module with all specs, found by their names. */
async function bundleSpecs() {
  const folder = path.join(projectRoot, 'test', 'e2e');
  const files = findFiles(folder, '.spec.ts');
  const imports = files.map((file, index) => `import { specs as specs${index} } from './${file}';`).join('\n');
  const all = files.map((_file, index) => `...specs${index}`).join(', ');
  const outfile = path.join(cacheRoot, 'test-build', 'e2e.mjs');
  await esbuild.build({
    stdin: {
      contents: `${imports}\nexport { runSpecs } from './runSpecs.ts';\nexport const specs = [${all}];\n`,
      resolveDir: folder,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}

/** A port of this machine that nothing listens on. */
function freePort() {
  return new Promise((/** @type {(port: number) => void} */ resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
