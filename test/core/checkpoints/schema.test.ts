/** docs/report.schema.json is the contract: every report of every fixture has just these fields. */
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { listTensors, reportToJson } from '../../../src/core/inspection/reportJson.js';
import { frameworkCases } from '../golden/frameworkCases.js';
import { inspectCase } from '../golden/inspectCase.js';

const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
  JSON.parse(readFileSync('docs/report.schema.json', 'utf8')) as object,
);

it.each(frameworkCases('checkpoint'))('$name', async ({ path }) => {
  const { report, tensors } = await inspectCase(path);
  const whole = { ...report, tensors: listTensors(tensors, report.files) };
  const isValid = validate(JSON.parse(reportToJson(whole)));
  expect(validate.errors ?? []).toEqual([]);
  expect(isValid).toBe(true);
});
