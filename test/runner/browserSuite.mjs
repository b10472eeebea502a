import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { withBrowser } from './browser.mjs';
import { resultOfSpecs } from './results.mjs';

/**
 * The webview's own specs, in a browser without VS Code.
 * @param {{ pictures?: boolean }} [options] pictures: only the specs that take pictures, and their pictures
 * @returns {Promise<import('./results.mjs').SuiteResult>}
 */
export async function runBrowserSuite({ pictures = false } = {}) {
  const bundle = path.join(cacheRoot, 'test-build', 'browserSpecs.mjs');
  await esbuild.build({
    entryPoints: [path.join(projectRoot, 'test', 'webview', 'browser', 'run.ts')],
    outfile: bundle,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const artifactsDir = path.join(projectRoot, '.artifacts', 'webview');
  mkdirSync(artifactsDir, { recursive: true });
  const { runBrowserSpecs } = await import(`${pathToFileURL(bundle).href}?run=${Date.now()}`);
  const specs = await withBrowser((browser) => runBrowserSpecs({ browser, artifactsDir, pictures }));
  return resultOfSpecs('webview', specs);
}
