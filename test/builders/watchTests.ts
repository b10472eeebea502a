/**
 * Lets a test file that hangs be ended and named, wherever it does: while it is loaded, in a hook or in a test. In the exhaustive run
 * tests have no limit, and sweeps watch over their places.
 */
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { watchdog } from '../runner/watchdog.mjs';
import { isExhaustive } from './seed.js';

if (!isExhaustive) {
  const file = path.relative(process.cwd(), expect.getState().testPath ?? 'a test file');
  watchdog().begin(file);
  beforeEach(({ task }) => watchdog().begin(`${file} > ${task.name}`));
  afterEach(() => watchdog().begin(file));
  afterAll(() => watchdog().end());
}
