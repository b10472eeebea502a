import { expect, it } from 'vitest';
import { FormatError } from '../../../src/core/bytes/formatError.js';

it('has no trace, as each damaged file makes some, and leaves those of other errors', () => {
  const { stackTraceLimit } = Error;
  expect(new FormatError('corrupt', 'a detail', { offset: 1 }).stack).not.toContain('\n');
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  expect(new Error('other').stack).toContain('\n');
});
