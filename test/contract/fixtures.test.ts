import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot, repositoryFiles } from './projectFiles.js';

/** Every clone carries all versions of every fixture: what a large one shows, the first rows of it or a build in the test shows as well. */
const MOST_FIXTURE_BYTES = 10_000_000;

it('keeps fixtures below 10 MB in all', () => {
  const files = repositoryFiles().filter((file) => file.startsWith('test/fixtures/'));
  expect(files.length).toBeGreaterThan(500);
  const bytes = files.reduce((sum, file) => sum + statSync(path.join(projectRoot, file)).size, 0);
  expect(bytes).toBeLessThan(MOST_FIXTURE_BYTES);
});
