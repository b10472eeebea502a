/** Bundles the code that is fuzzed, with counters for coverage. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { instrument } from './instrument.mjs';
import { projectRoot } from '../scripts/host/project.mjs';

const folder = path.join(projectRoot, '.cache', 'fuzz', 'bundle');

/** @returns {Promise<{ job: string, places: number }>} the program of a job, and how many places are counted */
export async function bundleFuzzer() {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: projectRoot,
    entryPoints: ['fuzz/job.ts', 'fuzz/executor.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    alias: { fflate: 'fflate/browser' },
    // Packages that are CommonJS require modules of Node.
    banner: {
      js: "import { createRequire as _createRequire } from 'node:module'; const require = _createRequire(import.meta.url);",
    },
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  let places = 0;
  mkdirSync(folder, { recursive: true });
  for (const file of outputFiles) {
    const isExecutor = file.path.endsWith('executor.mjs');
    const made = isExecutor ? instrument(file.text) : { code: file.text, places: 0 };
    places += made.places;
    writeFileSync(file.path, made.code);
  }
  return { job: path.join(folder, 'job.mjs'), places };
}
