import path from 'node:path';
import * as esbuild from 'esbuild';
import { projectRoot } from '../host/project.mjs';

/**
 * Imports a module of the sources: Node itself does not resolve TypeScript's `.js` imports.
 * @param {string} file relative to the project
 * @returns {Promise<any>}
 */
export async function importSource(file) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(projectRoot, file)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
  const [built] = outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(built?.contents ?? []).toString('base64')}`);
}
