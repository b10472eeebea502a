import path from 'node:path';
import { defineConfig } from 'vitest/config';

// Workers inherit the environment: all of them have the same seed, also of a run that goes on over midnight.
process.env.STOWAGE_SEED ??= String(Math.floor(Date.now() / 86_400_000));
const isExhaustive = process.env.STOWAGE_EXHAUSTIVE === '1';
const onStores = ['test/system/platform/bandwidth/objectStore/*.test.ts', 'test/system/remote/stores.test.ts'];

export default defineConfig({
  test: {
    // A file that has no test is a mistake.
    passWithNoTests: false,
    // Only to end what hangs: a loaded machine is not a failure. The exhaustive run ends by its number of places.
    testTimeout: isExhaustive ? 0 : 600_000,
    hookTimeout: 600_000,
    globalSetup: ['test/builders/announceSeed.ts'],
    setupFiles: ['test/builders/watchTests.ts'],
    projects: [
      // Pure modules: each worker imports them once, not once a file. Forks, because threads have a larger stack, and some tests are of it.
      // Tests of src/host get a stand-in for the editor.
      {
        extends: true,
        resolve: { alias: { vscode: path.resolve('test/builders/vscodeStandIn.ts') } },
        test: {
          name: 'core',
          include: ['test/core/**/*.test.ts', 'test/webview/**/*.test.ts'],
          isolate: false,
          pool: 'forks',
        },
      },
      { extends: true, test: { name: 'hostile', include: ['test/hostile/**/*.test.ts'], isolate: false, pool: 'forks' } },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          exclude: onStores,
          globalSetup: ['test/runner/freshBuild.mjs'],
        },
      },
      // Apart, as the servers that they need are long in the making on a fresh machine.
      { extends: true, test: { name: 'store', include: onStores } },
      {
        extends: true,
        test: { name: 'contract', include: ['test/contract/**/*.test.ts'], globalSetup: ['test/runner/freshBuild.mjs'] },
      },
    ],
  },
});
