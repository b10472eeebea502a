/** Pages that list what the code has. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { caveatCodes } from '../../src/core/bandwidth/bandwidthReport.js';
import { layoutIds } from '../../src/core/text/frameworkLabels.js';
import { datasetLayoutIds, byteKinds } from '../../src/core/datasets/datasetReport.js';
import { planKeys } from '../../src/core/planning/inputs/planInputs.js';
import { guidanceRules } from '../../src/core/planning/systems/guidance.js';
import { failureClasses } from '../../src/core/planning/systems/storageSystem.js';
import { systemIds } from '../../src/core/planning/systems/systemNames.js';
import { planFileSchema, planInputSchemas } from '../builders/planFileSchema.js';
import { planInputRows } from '../builders/planInputRows.js';
import { readText } from './projectFiles.js';

const docs = path.resolve('docs');
const page = (name: string): string => readFileSync(path.join(docs, name), 'utf8');

it('docs/formats/README.md links every page', () => {
  const linked = [...page('formats/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => name).sort();
  const pages = readdirSync(path.join(docs, 'formats')).filter((name) => name !== 'README.md');
  expect(linked).toEqual(pages.sort());
});

it('docs/report.schema.json has every layout', () => {
  const schema = JSON.parse(page('report.schema.json')) as { properties: { layout: { enum: string[] } } };
  expect(schema.properties.layout.enum).toEqual([...layoutIds]);
});

it('docs/dataset-report.schema.json has every layout and every kind of bytes', () => {
  const schema = JSON.parse(page('dataset-report.schema.json')) as {
    properties: { layout: { enum: string[] } };
    $defs: { kinds: { properties: object } };
  };
  expect(schema.properties.layout.enum).toEqual([...datasetLayoutIds]);
  expect(Object.keys(schema.$defs.kinds.properties)).toEqual([...byteKinds]);
});

it('docs/bandwidth.md has everything that cannot be concluded', () => {
  const listed = [...page('bandwidth.md').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  expect(listed.sort()).toEqual([...caveatCodes].sort());
});

it('docs/plan.md has every input of a plan with its unit and what it is unless told', () => {
  expect(rowsBelow('## Inputs')).toEqual(planInputRows());
});

it('docs/plan.md has every answer of a plan', () => {
  const { answers } = planReportSchema().properties;
  expect(rowsBelow('## Answers').map((row) => row.split('`')[1])).toEqual(Object.keys(answers.properties));
});

it('docs/plan-report.schema.json has every input, system and rule', () => {
  const { properties, $defs } = planReportSchema();
  expect(properties.inputs.properties).toEqual(planInputSchemas());
  expect(properties.inputs.required).toEqual(planKeys);
  expect($defs.inputName.enum).toEqual(planKeys);
  expect($defs.system.enum).toEqual(systemIds);
  expect($defs.failureClass.enum).toEqual(failureClasses);
  const { points } = properties.answers.properties.guidance.properties.verdicts.items.properties;
  expect(Object.entries(points.properties).map(([id, { maximum }]) => ({ id, most: maximum }))).toEqual(guidanceRules);
});

it('media/stowage-plan.schema.json is made from the fields of plans', () => {
  expect(JSON.parse(readText('media/stowage-plan.schema.json'))).toEqual(planFileSchema());
});

interface PlanReportSchema {
  properties: {
    inputs: { properties: object; required: string[] };
    answers: {
      properties: {
        guidance: {
          properties: { verdicts: { items: { properties: { points: { properties: Record<string, { maximum: number }> } } } } };
        };
      };
    };
  };
  $defs: Record<'inputName' | 'system' | 'failureClass', { enum: string[] }>;
}

function planReportSchema(): PlanReportSchema {
  return JSON.parse(page('plan-report.schema.json')) as PlanReportSchema;
}

/** Of the table in a chapter of docs/plan.md. */
function rowsBelow(heading: string): string[] {
  const [, chapter = ''] = page('plan.md').split(`\n${heading}\n`);
  const [table = ''] = chapter.split('\n## ');
  return table.split('\n').filter((line) => line.startsWith('| `'));
}
