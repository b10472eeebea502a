/** docs/dataset-report.schema.json is the contract: every report of every dataset has just these fields. */
import { expect, it } from 'vitest';
import { defaultReadPlan, readDemandOf } from '../../../src/core/datasets/readDemand.js';
import { reportToJson } from '../../../src/core/inspection/reportJson.js';
import type { DatasetReport } from '../../../src/core/datasets/datasetReport.js';
import {
  datasetReport,
  emptyDatasetReport,
  hostileDatasetReport,
  hugeDatasetReport,
  textDatasetReport,
} from '../../builders/datasetReports.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { frameworkCases } from '../golden/frameworkCases.js';
import { inspectCase } from '../golden/inspectCase.js';

const validate = compileSchemaFile('docs/dataset-report.schema.json');

function expectValid(report: DatasetReport): void {
  const whole = { ...report, demand: readDemandOf(report, defaultReadPlan(report)) };
  expect(schemaErrors(validate, JSON.parse(reportToJson(whole)))).toEqual([]);
}

it.each(frameworkCases('dataset'))('$name', async ({ path }) => {
  const { report } = await inspectCase(path);
  if (report.kind !== 'dataset') throw new Error(`this is a ${report.kind}`);
  expectValid(report);
});

it.each([datasetReport, textDatasetReport, hugeDatasetReport, emptyDatasetReport, hostileDatasetReport])('$name', (build) => {
  expectValid(build());
});
