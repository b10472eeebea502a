import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Panels: each has `<panel>/main.ts` and `<panel>/<panel>.css`. */
const panels = ['report', 'estimate', 'planner', 'bandwidth', 'run', 'compare'];

/**
 * Bundles the panels into `outdir` (`report.js`, `report.css`, ...) and puts the icon font beside them.
 * @param {{ outdir: string, minify?: boolean, metafile?: boolean, watch?: boolean }} options `watch` keeps rebuilding until the process ends
 * @returns {Promise<import('esbuild').Metafile | undefined>} what went into the bundles, where `metafile` is set
 */
export async function buildWebview({ outdir, minify = true, metafile = false, watch = false }) {
  /** @type {import('esbuild').BuildOptions} */
  const options = {
    entryPoints: panels.flatMap((panel) => [
      { in: path.join(here, panel, 'main.ts'), out: panel },
      { in: path.join(here, panel, `${panel}.css`), out: panel },
    ]),
    outdir,
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify,
    metafile,
    legalComments: 'external',
    tsconfig: path.join(here, 'tsconfig.json'),
    logLevel: watch ? 'info' : 'warning',
  };
  const codicons = path.dirname(createRequire(import.meta.url).resolve('@vscode/codicons/dist/codicon.css'));
  await mkdir(outdir, { recursive: true });
  await Promise.all(['codicon.css', 'codicon.ttf'].map((name) => copyFile(path.join(codicons, name), path.join(outdir, name))));
  if (watch) {
    await (await context(options)).watch();
    return undefined;
  }
  return (await build(options)).metafile;
}
