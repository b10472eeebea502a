import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { ensureBrowser } from './ensureBrowser.mjs';

/**
 * The webview's own specs, in a browser without VS Code.
 * @returns {Promise<import('./results.mjs').SuiteResult>}
 */
export async function runBrowserSuite() {
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
  /** @type {{ name: string, ok: boolean, error?: string }[]} */
  const specs = await runBrowserSpecs({ browserPath: await ensureBrowser(), artifactsDir });
  const failures = specs.filter(({ ok }) => !ok).map(({ name, error = 'failed' }) => ({ name, error }));
  return { name: 'webview', passed: specs.length - failures.length, failures };
}
