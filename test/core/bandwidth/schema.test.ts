/** docs/bandwidth-report.schema.json is the contract: every report has just these fields. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { caveatCodes } from '../../../src/core/bandwidth/bandwidthReport.js';
import { bandwidthReport, fileSystemFacts, sustainedMeasurement, sweepMeasurement } from '../../builders/bandwidthCheck.js';
import { compileSchema, schemaErrors } from '../../builders/schemaErrors.js';

const schema = JSON.parse(readFileSync('docs/bandwidth-report.schema.json', 'utf8')) as {
  $defs: { caveatCode: { enum: string[] } };
};
const validate = compileSchema(schema);

function errorsOf(report: unknown): string[] {
  return schemaErrors(validate, JSON.parse(JSON.stringify(report)));
}

describe('the schema of bandwidth reports', () => {
  it('describes a report that has every part, and one that lacks what it may lack', () => {
    const quota = { usedBytes: 1e9, limitBytes: 1e12 };
    const full = fileSystemFacts({ type: 'lustre', stripe: { count: -1, sizeBytes: 2 ** 20 }, quota });
    expect(errorsOf(bandwidthReport({ replayOf: '/runs/step-1', intervalSeconds: 60 }, { fileSystem: full }))).toEqual([]);
    const sustained = sustainedMeasurement(Array.from({ length: 60 }, (_, second) => (second < 20 ? 2e9 : 0.6e9)));
    const more = { sweep: sweepMeasurement({ 1: 1e9, 4: 2e9 }), sustained };
    expect(errorsOf(bandwidthReport({ sweepStreams: [1, 4], isSustained: true }, {}, more))).toEqual([]);
    const bare = fileSystemFacts({ mountPoint: null, source: null, totalBytes: null, freeBytes: null, freeFiles: null });
    expect(errorsOf(bandwidthReport({}, { fileSystem: bare }, { metadata: null }))).toEqual([]);
  });

  it('has every caveat', () => {
    expect(schema.$defs.caveatCode.enum.sort()).toEqual([...caveatCodes].sort());
  });

  it('refuses what is no report', () => {
    const report = bandwidthReport();
    expect(errorsOf({ ...report, more: 1 })).not.toEqual([]);
    expect(errorsOf({ ...report, write: { ...report.write, medianBytesPerSecond: -1 } })).not.toEqual([]);
    expect(errorsOf({ ...report, metadata: undefined })).not.toEqual([]);
  });
});
