/** docs/report.schema.json is the contract: every report of every fixture has just these fields. */
import { expect, it } from 'vitest';
import { listTensors, reportToJson } from '../../../src/core/inspection/reportJson.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { frameworkCases } from '../golden/frameworkCases.js';
import { checkpointOf } from '../../builders/inspectCheckpoint.js';
import { inspectCase } from '../golden/inspectCase.js';

const validate = compileSchemaFile('docs/report.schema.json', { strictTypes: true });

it.each(frameworkCases('checkpoint'))('$name', async ({ path }) => {
  const { report, tensors } = await inspectCase(path);
  const whole = { ...report, tensors: listTensors(tensors, checkpointOf(report).files) };
  expect(schemaErrors(validate, JSON.parse(reportToJson(whole)))).toEqual([]);
});
