/** docs/dataset-report.schema.json is the contract: every report of every dataset has just these fields. */
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
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
import { frameworkCases } from '../golden/frameworkCases.js';
import { inspectCase } from '../golden/inspectCase.js';

const validate = new Ajv({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync('docs/dataset-report.schema.json', 'utf8')) as object,
);

function expectValid(report: DatasetReport): void {
  const whole = { ...report, demand: readDemandOf(report, defaultReadPlan(report)) };
  const isValid = validate(JSON.parse(reportToJson(whole)));
  expect(validate.errors ?? []).toEqual([]);
  expect(isValid).toBe(true);
}

it.each(frameworkCases('dataset'))('$name', async ({ path }) => {
  const { report } = await inspectCase(path);
  // Layouts that are not read yet have the report of a checkpoint.
  if (report.kind === 'dataset') expectValid(report);
});

it.each([datasetReport, textDatasetReport, hugeDatasetReport, emptyDatasetReport, hostileDatasetReport])('$name', (build) => {
  expectValid(build());
});
