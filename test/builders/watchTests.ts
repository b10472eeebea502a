/** Lets a test that hangs be ended and named. In the exhaustive run tests have no limit, and sweeps watch over their places. */
import { afterEach, beforeEach } from 'vitest';
import { watchdog } from '../runner/watchdog.mjs';
import { isExhaustive } from './seed.js';

if (!isExhaustive) {
  beforeEach(({ task }) => watchdog().begin(`${task.file.name} > ${task.name}`));
  afterEach(() => watchdog().end());
}
