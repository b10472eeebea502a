import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    passWithNoTests: false,
    // These only end what hangs: a machine that is merely busy reaches neither.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      { extends: true, test: { name: 'core', include: ['test/core/**/*.test.ts', 'test/webview/**/*.test.ts'] } },
      { extends: true, test: { name: 'hostile', include: ['test/hostile/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'system', include: ['test/system/**/*.test.ts'], globalSetup: ['test/runner/freshBuild.mjs'] },
      },
      {
        extends: true,
        test: { name: 'contract', include: ['test/contract/**/*.test.ts'], globalSetup: ['test/runner/freshBuild.mjs'] },
      },
    ],
  },
});
