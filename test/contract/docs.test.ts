/** Pages that list what the code has. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { layoutIds } from '../../src/core/report/checkpointReport.js';
import { datasetLayoutIds, byteKinds } from '../../src/core/report/datasetReport.js';
import { findingSeverities } from '../../src/core/report/finding.js';
import { planInputRows } from '../builders/planInputRows.js';

const docs = path.resolve('docs');
const page = (name: string): string => readFileSync(path.join(docs, name), 'utf8');

it('docs/findings.md has every code with its severity', () => {
  const listed = [...page('findings.md').matchAll(/^\| `([a-z-]+)` \| (error|warning|note) \|$/gm)].map(([, code, severity]) => [
    code,
    severity,
  ]);
  expect(listed).toEqual(Object.entries(findingSeverities));
});

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

it('docs/plan.md has every input of a plan with its unit and what it is unless told', () => {
  const listed = page('plan.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(listed).toEqual(planInputRows());
});
