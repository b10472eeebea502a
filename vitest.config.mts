import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // A file that has no test is a mistake, and so is a test that takes this long.
    passWithNoTests: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'core', include: ['test/core/**/*.test.ts', 'test/webview/**/*.test.ts'] } },
      { extends: true, test: { name: 'hostile', include: ['test/hostile/**/*.test.ts'] } },
      { extends: true, test: { name: 'system', include: ['test/system/**/*.test.ts'] } },
      { extends: true, test: { name: 'contract', include: ['test/contract/**/*.test.ts'] } },
    ],
  },
});
