/** The schema by which VS Code checks plan files says what Stowage says when it reads them. */
import Ajv from 'ajv';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planFields } from '../../../../src/core/planning/inputs/planFields.js';
import { writePlanFile } from '../../../../src/core/planning/inputs/writePlanFile.js';
import { planKeys, readInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { documentOfPreset, planPresets } from '../../../../src/core/planning/inputs/presets.js';
import { planFileSchema } from '../../../../scripts/generate/planFileSchema.js';
import { planDocument, randomDocument } from '../../../builders/randomPlan.js';
import { schemaErrors } from '../../../builders/schemaErrors.js';
import { runs } from '../../../builders/seed.js';

const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true });
// Of VS Code: what each choice means.
ajv.addKeyword('enumDescriptions');
const validate = ajv.compile(planFileSchema());

const errorsOf = (file: unknown): string[] => schemaErrors(validate, file);

/** Every value at which some input's limits or choices begin or end. */
const edges = new Set<unknown>(
  planKeys.flatMap((key): unknown[] => {
    const field = planFields[key];
    if (field.kind === 'choice') return field.choices.map(({ value }) => value);
    if (field.kind === 'flag') return [true, false];
    return [field.minimum, field.minimum / 2, field.minimum - 1, field.maximum, field.maximum * 2, field.standard, 0.5, 1.5];
  }),
).add([]);

const fileWith = (inputs: object) => ({ kind: 'stowage-plan', schemaVersion: 1, inputs });

it.each(planPresets)('holds for the file of $id', (preset) => {
  expect(errorsOf(JSON.parse(writePlanFile(documentOfPreset(preset))))).toEqual([]);
});

it('holds for what Stowage writes', () => {
  const measured = [{ label: 'weights', bytes: 16e9, isWeights: true }];
  const checkpoint = { path: 'step-1', step: null, bytes: 1, savedAtSeconds: null, isFinished: true, isLatest: false };
  fc.assert(
    fc.property(randomDocument, (document) => {
      expect(errorsOf(JSON.parse(writePlanFile({ ...document, measured, saved: [checkpoint] })))).toEqual([]);
    }),
    runs(20, 1000),
  );
  expect(errorsOf(JSON.parse(writePlanFile(planDocument({}))))).toEqual([]);
});

it.each([...planKeys, 'gpuz'])('takes the values of %s that Stowage takes, and no others', (key) => {
  for (const value of edges) {
    const isTaken = readInputs({ [key]: value }).problems.length === 0;
    expect(errorsOf(fileWith({ [key]: value })).length === 0, String(value)).toBe(isTaken);
  }
});

it.each([
  ['another kind', { kind: 'plan', schemaVersion: 1 }],
  ['no version', { kind: 'stowage-plan' }],
  ['a preset that there is not', { kind: 'stowage-plan', schemaVersion: 1, preset: '13t' }],
  ['a key that there is not', { kind: 'stowage-plan', schemaVersion: 1, input: {} }],
  ['an origin of nothing', { ...fileWith({}), origins: { gpuz: { kind: 'set', text: '' } } }],
  ['a part without bytes', { ...fileWith({}), measured: [{ label: 'weights' }] }],
  ['a checkpoint of fewer bytes than none', { ...fileWith({}), saved: [{ path: 'step-1', bytes: -1 }] }],
])('marks %s', (_, file) => {
  expect(errorsOf(file)).not.toEqual([]);
});

it('completes a key with its default', () => {
  const { inputs } = planFileSchema()['properties'] as { inputs: { properties: Record<string, { default: unknown }> } };
  for (const key of planKeys) expect(readInputs({ [key]: inputs.properties[key]?.default }).problems, key).toEqual([]);
});
