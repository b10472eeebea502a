import path from 'node:path';
import * as esbuild from 'esbuild';
import { projectRoot } from '../../scripts/host/project.mjs';
import { findFiles } from './findFiles.mjs';
import { hostTestFiles } from './hostTestFiles.mjs';

/**
 * One module with mocha and all tests of a variant. It is bundled for each run, as the address for the results is part of it.
 * @param {string} outfile
 * @param {import('./hostTestFiles.mjs').HostVariant} variant
 * @param {string} resultsUrl
 */
export async function bundleHostTests(outfile, variant, resultsUrl) {
  const files = hostTestFiles(findFiles(path.join(projectRoot, 'test', 'host'), '.test.ts'), variant);
  const load = files.map((file) => `require(${JSON.stringify(`./${file}`)});`).join('\n');
  await esbuild.build({
    stdin: {
      contents: `import { runMocha } from './support/runMocha.ts';\nexport const run = () => runMocha(() => {\n${load}\n});\n`,
      resolveDir: path.join(projectRoot, 'test', 'host'),
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'cjs',
    platform: variant === 'web' ? 'browser' : 'node',
    // The reader of JSON with comments has modules that esbuild can follow, and others that it cannot.
    ...(variant === 'web' ? {} : { mainFields: ['module', 'main'] }),
    target: 'es2022',
    external: ['vscode'],
    define: { RESULTS_URL: JSON.stringify(resultsUrl), PROJECT_ROOT: JSON.stringify(projectRoot) },
    logLevel: 'error',
  });
  return outfile;
}
