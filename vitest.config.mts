import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // A file that has no test is a mistake, and so is a test that takes this long.
    passWithNoTests: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/webview/**/*.test.ts'] } },
      { extends: true, test: { name: 'contract', include: ['test/contract/**/*.test.ts'] } },
    ],
  },
});
