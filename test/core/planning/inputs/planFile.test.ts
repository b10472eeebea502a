import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/core/bytes/limits.js';
import { meaningOfNull, type PlanField } from '../../../../src/core/planning/inputs/planField.js';
import { planFields } from '../../../../src/core/planning/inputs/planFields.js';
import { readPlanFile, type ReadPlan } from '../../../../src/core/planning/inputs/planFile.js';
import { writePlanFile } from '../../../../src/core/planning/inputs/writePlanFile.js';
import { planKeys, problemOf, readInputs, standardInputs } from '../../../../src/core/planning/inputs/planInputs.js';
import { documentOfPreset, planPresets } from '../../../../src/core/planning/inputs/presets.js';
import { presetNames } from '../../../../src/core/planning/inputs/presetNames.js';
import { runs } from '../../../builders/seed.js';

const plan = { kind: 'stowage-plan', schemaVersion: 1, name: 'a plan' };

function read(file: unknown): ReadPlan {
  const result = readPlanFile(typeof file === 'string' ? file : JSON.stringify(file));
  if ('failure' in result) throw new Error(result.failure);
  return result;
}

describe('the table of inputs', () => {
  it('has a standard for each that its own limits allow', () => {
    for (const key of planKeys) expect([key, problemOf(planFields[key], standardInputs[key])]).toEqual([key, null]);
  });

  it('says what stands in for each that may be left open', () => {
    for (const key of planKeys) {
      const field: PlanField = planFields[key];
      if (field.kind === 'number') expect([key, meaningOfNull(field) !== null]).toEqual([key, field.standard === null]);
    }
  });

  it('takes the presets, each of which has a name', () => {
    expect(planPresets.map(({ id }) => id)).toEqual(presetNames.map(({ id }) => id));
    for (const { id, inputs } of planPresets) expect([id, readInputs(inputs).problems]).toEqual([id, []]);
  });
});

describe('plan files', () => {
  it.each(planPresets)('read back as they were written: $id', (preset) => {
    const document = documentOfPreset(preset);
    expect(read(writePlanFile(document))).toEqual({ document, problems: [] });
  });

  it('may name a preset and say only what differs', () => {
    const { document, problems } = read({ ...plan, preset: '405b', inputs: { gpus: 8192 } });
    expect(problems).toEqual([]);
    expect(document.inputs).toMatchObject({ parameters: 405_853_388_800, gpus: 8192 });
    expect(read({ ...plan, preset: 'huge' }).problems).toEqual([{ key: 'preset', text: 'is none that there is' }]);
  });

  it('keep what measured them', () => {
    const measured = [{ label: 'weights', bytes: 8, isWeights: true }];
    const saved = [{ path: 'step-1', step: 1, bytes: 8, savedAtSeconds: 12.5, isFinished: true, isLatest: true }];
    const { document, problems } = read(writePlanFile({ ...documentOfPreset(planPresets[0]!), measured, saved }));
    expect(problems).toEqual([]);
    expect(document).toMatchObject({ measured, saved });
  });

  it.each([
    ['', 'it is no JSON object'],
    ['{', 'it is no JSON object'],
    ['[]', 'it is no JSON object'],
    ['null', 'it is no JSON object'],
    ['{"kind":"checkpoint"}', 'its kind is not stowage-plan'],
    ['{"kind":"stowage-plan"}', 'it has no schemaVersion'],
    ['{"kind":"stowage-plan","schemaVersion":"1"}', 'it has no schemaVersion'],
    ['{"kind":"stowage-plan","schemaVersion":0}', 'it has no schemaVersion'],
    ['{"kind":"stowage-plan","schemaVersion":1.5}', 'it has no schemaVersion'],
    [`{"kind":"stowage-plan","x":"${'y'.repeat(limits.planCharacters)}"}`, 'more than any plan'],
  ])('fail in words for what is no plan: %.40s', (text, failure) => {
    expect(readPlanFile(text)).toMatchObject({ failure: expect.stringContaining(failure) as string });
  });

  it('may be reports of both versions, and of no newer one', () => {
    // A report lists all inputs: those that are given are the ones with an origin, and what would be assumed otherwise today.
    const inputs = { gpus: 128, keepLast: 3, sequenceLength: 8192 };
    const origins = { keepLast: { kind: 'set', text: '' } };
    for (const schemaVersion of [1, 2])
      expect(read({ kind: 'plan', schemaVersion, name: 'a plan', inputs, origins }).document.inputs).toEqual({
        gpus: 128,
        keepLast: 3,
      });
    expect(readPlanFile(JSON.stringify({ kind: 'plan', schemaVersion: 3, inputs }))).toHaveProperty('failure');
  });

  it('of a newer version say so, and are not guessed at', () => {
    expect(readPlanFile(JSON.stringify({ ...plan, schemaVersion: 2 }))).toMatchObject({
      failure: expect.stringContaining('version 2') as string,
    });
  });

  it.each([
    ['gpus', 0, 'must be at least 1'],
    ['gpus', -8, 'must be at least 1'],
    ['gpus', 2.5, 'must be a whole number'],
    ['gpus', '64', 'must be a number'],
    ['gpus', null, 'must be a number'],
    ['gpus', 1e300, 'must be at most 10000000'],
    ['overlapTarget', 1.5, 'must be at most 1'],
    ['stallSeconds', -1, 'must not be below 0'],
    ['saveMode', 'never', 'must be one of synchronous, asynchronous, multi-level'],
    ['secondRegion', 1, 'must be true or false'],
    ['nonsense', 1, 'is no input of a plan'],
    ['__proto__x', 1, 'is no input of a plan'],
    ['constructor', 1, 'is no input of a plan'],
  ])('leave out a wrong value and tell it: %s %s', (key, value, text) => {
    const { document, problems } = read({ ...plan, inputs: { [key]: value, tensorParallel: 4 } });
    expect(problems).toEqual([{ key, text }]);
    expect(document.inputs).toEqual({ tensorParallel: 4 });
  });

  it('tell lists whose entries cannot be used, and shorten long texts', () => {
    const { document, problems } = read({
      ...plan,
      name: 'n'.repeat(10_000),
      inputs: [],
      origins: {
        gpus: { kind: 'read', text: 't'.repeat(10_000) },
        wrong: { kind: 'read', text: '' },
        tokens: { kind: 'x', text: '' },
      },
      measured: [{ label: 'weights', bytes: -1 }, { label: 'weights', bytes: 1 }, 7],
      saved: 'none',
    });
    expect(problems.map(({ key }) => key)).toEqual(['inputs', 'measured', 'saved']);
    expect(document.measured).toEqual([{ label: 'weights', bytes: 1, isWeights: false }]);
    expect(document.name).toHaveLength(limits.planNameCharacters);
    expect(Object.keys(document.origins)).toEqual(['gpus']);
    expect(document.origins.gpus?.text).toHaveLength(limits.planNameCharacters);
  });

  it('read or fail, whatever they hold, and never throw', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => void readPlanFile(text)),
      runs(100),
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (inputs, origins, measured, saved) => {
        const { document, problems } = read({ ...plan, inputs, origins, measured, saved });
        expect(readInputs(document.inputs).problems).toEqual([]);
        expect(Array.isArray(problems)).toBe(true);
      }),
      runs(100),
    );
  });

  it('read or fail wherever they are cut', () => {
    const text = writePlanFile(documentOfPreset(planPresets[3]!));
    for (let length = 0; length < text.trimEnd().length; length += 1)
      expect(readPlanFile(text.slice(0, length))).toHaveProperty('failure');
  });
});
