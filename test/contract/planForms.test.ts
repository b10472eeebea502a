/** Forms that `npm run generate` adds to docs/plan-report.schema.json. */
import { expect, it } from 'vitest';
import { addForms, type Form } from '../../scripts/generate/planForms.js';

const formWith = (
  samples: unknown[],
  form: Form = { type: 'object', properties: {} },
  definitions: Record<string, Form> = {},
) => {
  addForms(form, samples, definitions);
  return form;
};

it('are those of the units in the names', () => {
  const samples = [
    {
      readBackDollars: null,
      writeBytesPerSecond: 1,
      stallSeconds: 2,
      sizeBytes: null,
      lostShare: 0.5,
      isFull: true,
      ways: 3,
      note: null,
    },
    {
      readBackDollars: 1,
      writeBytesPerSecond: 1,
      stallSeconds: 2,
      sizeBytes: 7,
      lostShare: 0.5,
      isFull: true,
      ways: 3,
      note: 'a',
      more: 1,
    },
  ];
  expect(formWith(samples)).toEqual({
    type: 'object',
    properties: {
      readBackDollars: { $ref: '#/$defs/dollarsOrNull' },
      writeBytesPerSecond: { $ref: '#/$defs/bytesPerSecond' },
      stallSeconds: { $ref: '#/$defs/seconds' },
      sizeBytes: { $ref: '#/$defs/bytesOrNull' },
      lostShare: { $ref: '#/$defs/share' },
      isFull: { type: 'boolean' },
      ways: { type: 'number' },
      note: { type: ['string', 'null'] },
      more: { type: 'number' },
    },
    required: ['readBackDollars', 'writeBytesPerSecond', 'stallSeconds', 'sizeBytes', 'lostShare', 'isFull', 'ways', 'note'],
  });
});

it('are added in lists and definitions too, and those that are known stay', () => {
  const definitions: Record<string, Form> = { way: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } };
  const form: Form = { type: 'object', properties: { ways: { type: 'array', items: { $ref: '#/$defs/way' } } } };
  formWith([{ ways: [{ id: 'a', takenSeconds: 1 }] }], form, definitions);
  expect(definitions['way']).toEqual({
    type: 'object',
    properties: { id: { type: 'string' }, takenSeconds: { $ref: '#/$defs/seconds' } },
    required: ['id', 'takenSeconds'],
  });
});

it.each([[{ parts: { a: 1 } }], [{ parts: [] }], [{ unknown: null }]])(
  'are written by hand where they are more: %j',
  (sample) => {
    expect(() => formWith([sample])).toThrow('by hand');
  },
);
