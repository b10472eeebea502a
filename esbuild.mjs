/**
 * Bundles everything that is shipped into dist/. `--production` minifies, `--watch` rebuilds.
 * Types are checked by `npm run check-types`, not here.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, watch as watchFolder, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { inputsDigest, removeStamp, stampBuild } from './scripts/buildStamp.mjs';
import { isStarted } from './scripts/isStarted.mjs';
import { thirdPartyNotices } from './scripts/thirdPartyNotices.mjs';
import { buildWebview } from './webview/build.mjs';

const root = path.dirname(fileURLToPath(import.meta.url));
/** @type {{ version: string }} */
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/**
 * @typedef {object} BuildOptions
 * @property {string} [outdir] relative to the project
 * @property {boolean} [minify]
 */

/**
 * One entry for each bundle, by its file below dist/.
 * @param {BuildOptions} options
 * @returns {Record<string, esbuild.BuildOptions>}
 */
export function bundles({ outdir = 'dist', minify = false } = {}) {
  /** @type {esbuild.BuildOptions} */
  const shared = {
    absWorkingDir: root,
    bundle: true,
    format: 'cjs',
    // Without keepNames: it wraps every inner function in a call, which costs a fifth of an inspection's time.
    minify,
    metafile: true,
    legalComments: 'none',
    logLevel: 'warning',
    mainFields: ['module', 'main'],
  };
  // fflate's build for Node asks for worker threads as soon as it is loaded, which nothing here uses.
  const node = { ...shared, platform: /** @type {const} */ ('node'), target: 'node20', alias: { fflate: 'fflate/browser' } };
  const out = (/** @type {string} */ file) => ({ outfile: path.join(outdir, file) });
  return {
    'extension.js': { ...node, entryPoints: ['src/extension.ts'], external: ['vscode'], ...out('extension.js') },
    'estimateWorker.js': { ...node, entryPoints: ['src/platform/estimateWorker.ts'], ...out('estimateWorker.js') },
    'inspectionWorker.js': { ...node, entryPoints: ['src/platform/inspectionWorker.ts'], ...out('inspectionWorker.js') },
    'remoteFiles.js': { ...node, entryPoints: ['src/platform/remote/nodeRemoteFiles.ts'], ...out('remoteFiles.js') },
    'bandwidthWorker.js': {
      ...node,
      entryPoints: ['src/platform/bandwidth/bandwidthWorker.ts'],
      ...out('bandwidthWorker.js'),
    },
    'web/extension.js': {
      ...shared,
      platform: 'browser',
      target: 'es2022',
      entryPoints: ['src/extension.web.ts'],
      external: ['vscode'],
      ...out('web/extension.js'),
    },
    'cli.js': {
      ...node,
      entryPoints: ['src/cli.ts'],
      banner: { js: '#!/usr/bin/env node' },
      define: { STOWAGE_VERSION: JSON.stringify(manifest.version) },
      ...out('cli.js'),
    },
  };
}

/**
 * Builds everything once and answers what went into each bundle.
 * @param {BuildOptions} [options]
 * @returns {Promise<Record<string, esbuild.Metafile>>}
 */
export async function buildAll(options = {}) {
  const { outdir = 'dist', minify = false } = options;
  rmSync(path.join(root, outdir), { recursive: true, force: true });
  mkdirSync(path.join(root, outdir), { recursive: true });
  const built = Object.entries(bundles(options)).map(async ([name, config]) => {
    const { metafile } = await esbuild.build(config);
    return /** @type {const} */ ([name, /** @type {esbuild.Metafile} */ (metafile)]);
  });
  const [webview, ...rest] = await Promise.all([
    buildWebview({ outdir: path.join(root, outdir, 'webview'), minify, metafile: true }),
    ...built,
  ]);
  // A bin that npm links has to be executable.
  chmodSync(path.join(root, outdir, 'cli.js'), 0o755);
  return { ...Object.fromEntries(rest), ...(webview && { webview }) };
}

async function watch() {
  removeStamp();
  const contexts = await Promise.all(Object.values(bundles()).map((config) => esbuild.context({ ...config, logLevel: 'info' })));
  await Promise.all(contexts.map((context) => context.watch()));
  const webview = () => buildWebview({ outdir: path.join(root, 'dist', 'webview'), minify: false }).catch(console.error);
  await webview();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  // Editors save in several steps: one build is enough for all of them.
  for (const folder of ['webview', 'src/core', 'src/protocol']) {
    watchFolder(path.join(root, folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(webview, 100);
    });
  }
}

if (isStarted(import.meta.url)) {
  if (process.argv.includes('--watch')) await watch();
  else {
    const minify = process.argv.includes('--production');
    const digest = inputsDigest();
    removeStamp();
    const metafiles = await buildAll({ minify });
    writeFileSync(path.join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, Object.values(metafiles)));
    // For the contract tests: what went into each bundle. It is not part of the package.
    mkdirSync(path.join(root, '.cache'), { recursive: true });
    writeFileSync(path.join(root, '.cache', 'metafiles.json'), JSON.stringify(metafiles));
    stampBuild(minify ? 'production' : 'development', digest);
  }
}
