/**
 * `npm run test:desktop`: the host tests in a desktop VS Code, which @vscode/test-electron downloads. For machines with a display
 * and a network; `npm test` runs the same tests in the VS Code that it gets from npm.
 */
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { cacheRoot, projectRoot } from '../../scripts/host/project.mjs';
import { ensureBuild } from './build.mjs';
import { bundleHostTests } from './bundleHostTests.mjs';
import { brokenSuite, printSuite, summarize } from './results.mjs';
import { startResultServer } from './resultServer.mjs';
import { withTempFolder } from './withTempFolder.mjs';
import { writeHostWorkspace } from './writeHostWorkspace.mjs';

const receiver = await startResultServer();
const startedMs = performance.now();
const result = await withTempFolder(async (folder) => {
  await ensureBuild();
  writeHostWorkspace(path.join(folder, 'workspace'));
  receiver.serve(path.join(folder, 'workspace'));
  const tests = await bundleHostTests(path.join(cacheRoot, 'test-build', 'desktop', 'tests.js'), 'current', receiver.url);
  const over = runTests({
    extensionDevelopmentPath: projectRoot,
    extensionTestsPath: tests,
    launchArgs: [
      path.join(folder, 'workspace'),
      '--disable-extensions',
      '--disable-workspace-trust',
      `--user-data-dir=${folder}/data`,
    ],
  });
  const results = await Promise.race([receiver.results, over.then(() => receiver.results)]);
  await over;
  return { name: 'host-desktop', passed: results.passed.length, failures: results.failures, notes: results.notes };
}).catch((error) => brokenSuite('host-desktop', error));
receiver.close();
printSuite(result, (performance.now() - startedMs) / 1000);
const { line, isSuccess } = summarize([result]);
console.log(`\n${line}`);
process.exit(isSuccess ? 0 : 1);
