/** Every fixture is intact: nothing may fail, and formats with sums are covered as docs/verify.md says. */
import { describe, expect, it } from 'vitest';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { verifyDirectory } from '../../builders/verification.js';
import { isFailure } from '../../../src/core/verification/verification.js';

const report = await verifyDirectory('test/fixtures/frameworks');

describe('the fixtures', () => {
  it('have no file that fails', () => {
    expect(report.files.filter(({ status }) => isFailure(status))).toEqual([]);
    expect(report.failed).toBe(0);
    expect(report.files.length).toBeGreaterThan(900);
  });

  it('give a report by its schema', () => {
    expect(schemaErrors(compileSchemaFile('docs/verification-report.schema.json'), report)).toEqual([]);
  });

  it('are same only where a sum covers bytes of them', () => {
    for (const { path, status, by, coverage } of report.files) {
      expect(coverage.bytes, path).toBeLessThanOrEqual(coverage.of);
      expect(status === 'same', path).toBe(by.length > 0 && coverage.bytes > 0);
    }
  });
});
