/** Integers that doubles round, against numpy: see test/fixtures/values/PROVENANCE.md. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sliceOf } from '../../../src/app/values/sliceOf.js';
import { scannedValues as scanPage } from '../../../src/core/pages/values/scannedValues.js';
import { tensorValuesPage } from '../../../src/core/pages/values/tensorValuesPage.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { scannedValues, valuesOf } from '../../builders/scannedValues.js';
import { compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';

const fixtures = path.join(import.meta.dirname, '../../fixtures/values');
interface Truth {
  min: string;
  max: string;
  allEqual: boolean;
  mean: number;
  head: string[];
}
const truths = JSON.parse(readFileSync(path.join(fixtures, 'integers.json'), 'utf8')) as Record<string, Truth>;
const files = { 'integers.npz': new Uint8Array(readFileSync(path.join(fixtures, 'integers.npz'))) };
const report = await scannedValues(memoryTree('m', files));

/** As JSON has it: a number where a double holds it. */
const exact = (digits: string): number | string => (Number.isSafeInteger(Number(digits)) ? Number(digits) : digits);

describe.each(Object.entries(truths))('%s', (name, truth) => {
  const values = valuesOf(report, name);

  it('has the least and the greatest integer with all digits', () => {
    expect([values.min, values.max, values.allEqual]).toEqual([exact(truth.min), exact(truth.max), truth.allEqual]);
    const scale = Math.max(Math.abs(Number(truth.min)), Math.abs(Number(truth.max)));
    expect(Math.abs((values.mean ?? NaN) - truth.mean)).toBeLessThanOrEqual(scale * 1e-12);
    const facts = tensorValuesPage(values).facts.filter(({ label }) => label === 'min' || label === 'max');
    expect(facts.map((fact) => fact.exact)).toEqual([truth.min, truth.max]);
  });

  it('has every digit in a slice', async () => {
    const input = { path: '/m', tensor: name, slice: '0:8' };
    const answer = await sliceOf(memoryPlatform({ '/m/integers.npz': files['integers.npz'] }), input);
    expect(answer.report.values).toEqual(truth.head.map(exact));
    expect(schemaErrors(compileSchemaFile('docs/tensor-slice.schema.json'), answer.report)).toEqual([]);
    for (const digits of truth.head) expect(answer.terminal({ color: false, width: 400 })).toContain(digits.replace('-', '−'));
  });
});

it('is JSON that its schema allows, and reaches the page', () => {
  expect(schemaErrors(compileSchemaFile('docs/values-report.schema.json'), JSON.parse(JSON.stringify(report)))).toEqual([]);
  const row = scanPage(report).tensors.find(({ name }) => name === 'limits.u8.little');
  expect(row).toMatchObject({ min: 0, max: '18446744073709551615' });
});
