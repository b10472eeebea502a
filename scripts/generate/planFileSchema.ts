/** JSON Schemas of plans' inputs, made from the table of fields, and the schema by which VS Code completes and marks plan files. */
import { limits } from '../../src/core/bytes/limits.js';
import { unitsOf } from '../../src/core/planning/inputs/quantities.js';
import { planSuffix } from '../../src/core/planning/inputs/planDocument.js';
import type { NumberField } from '../../src/core/planning/inputs/planField.js';
import { planFields } from '../../src/core/planning/inputs/planFields.js';
import { planKeys, type PlanKey } from '../../src/core/planning/inputs/planInputs.js';
import { presetNames } from '../../src/core/planning/inputs/presetNames.js';

type Schema = Readonly<Record<string, unknown>>;

/** Of each input, in the panel's order: its type, its limits, and in words what it is. */
export function planInputSchemas(): Record<string, Schema> {
  return Object.fromEntries(planKeys.map((key) => [key, inputSchema(key)]));
}

function inputSchema(key: PlanKey): Schema {
  const field = planFields[key];
  const description = `${field.label}: ${field.hint}.`;
  if (field.kind === 'flag') return { type: 'boolean', description };
  if (field.kind === 'choice') return { enum: field.choices.map(({ value }) => value), description };
  return { ...numberSchema(field), description: `${description}${unitInWords(field)}${derivationInWords(field)}` };
}

/** Whole numbers as multiples of 1: VS Code takes 15.36e12 for no integer. */
function numberSchema({ standard, whole, minimum, maximum }: NumberField): Schema {
  return {
    type: standard === null ? ['number', 'null'] : 'number',
    ...(whole === true ? { multipleOf: 1 } : {}),
    minimum,
    maximum,
  };
}

function unitInWords({ quantity }: NumberField): string {
  return quantity === 'count' ? '' : ` In ${unitsOf(quantity).base}.`;
}

function derivationInWords({ derived, optional }: NumberField): string {
  if (optional === true) return ' Null where it is not needed.';
  return derived === undefined ? '' : ` Null leaves it to the plan: ${derived}.`;
}

/** What media/stowage-plan.schema.json holds. VS Code supports all of draft 7. */
export function planFileSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'stowage-plan',
    title: `Stowage plan (*${planSuffix})`,
    type: 'object',
    properties: {
      $schema: { type: 'string', description: 'For editors; Stowage does not read it.' },
      kind: { const: 'stowage-plan', description: 'Tells a plan from other JSON.' },
      schemaVersion: { const: 1, description: 'Of this form of the file.' },
      name: { type: 'string', description: 'What the plan is called.' },
      preset: presetSchema(),
      inputs: inputsSchema(),
      origins: originsSchema(),
      measured: listOf('part', 'Parts of the checkpoint that was measured; used as long as they sum to checkpointBytes.'),
      saved: listOf('checkpoint', 'Checkpoints of the run, for what a retention policy would keep of them.'),
    },
    required: ['kind', 'schemaVersion'],
    additionalProperties: false,
    definitions: { origin: originSchema, part: partSchema, checkpoint: checkpointSchema },
  };
}

function presetSchema(): Schema {
  return {
    enum: presetNames.map(({ id }) => id),
    enumDescriptions: presetNames.map(({ label }) => label),
    description: 'A model below the inputs: what is not in the inputs is taken from it.',
  };
}

/** Standards are what a completed key begins with. */
function inputsSchema(): Schema {
  const properties = Object.entries(planInputSchemas()).map(([key, schema]) => {
    const field = planFields[key as PlanKey];
    const labels = field.kind === 'choice' ? { enumDescriptions: field.choices.map(({ label }) => label) } : {};
    return [key, { ...schema, ...labels, default: field.standard }];
  });
  return {
    type: 'object',
    description:
      'The given inputs, in base units: bytes, seconds, bytes a second, shares of 1, US dollars. All else has its default.',
    properties: Object.fromEntries(properties) as Schema,
    additionalProperties: false,
  };
}

function originsSchema(): Schema {
  return {
    type: 'object',
    description: 'Where inputs come from; one without an origin is assumed.',
    properties: Object.fromEntries(planKeys.map((key) => [key, { $ref: '#/definitions/origin' }])),
    additionalProperties: false,
  };
}

function listOf(definition: string, description: string): Schema {
  return { type: 'array', maxItems: limits.planListItems, items: { $ref: `#/definitions/${definition}` }, description };
}

const originSchema: Schema = {
  type: 'object',
  properties: {
    kind: {
      enum: ['measured', 'read', 'preset', 'set', 'site'],
      enumDescriptions: ['of files', 'in a config', 'of a preset', 'typed', 'of a system in the sites file'],
    },
    text: { type: 'string', description: 'Where: a file’s name, a paper.' },
  },
  required: ['kind', 'text'],
  additionalProperties: false,
};

const byteCount: Schema = { type: 'number', multipleOf: 1, minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

const partSchema: Schema = {
  type: 'object',
  properties: {
    label: { type: 'string', description: 'What it is called where it was measured.' },
    bytes: { ...byteCount, description: 'Bytes on disk.' },
    isWeights: { type: 'boolean', description: 'True for what is left in an export for inference.' },
  },
  required: ['label', 'bytes'],
  additionalProperties: false,
};

const checkpointSchema: Schema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Below the run.' },
    step: { ...byteCount, type: ['number', 'null'], description: 'Steps that were done.' },
    bytes: { ...byteCount, description: 'Bytes on disk.' },
    savedAtSeconds: { type: ['number', 'null'], description: 'When its newest file was written: seconds since 1970.' },
    isFinished: { type: 'boolean', description: 'False where the save was interrupted.' },
    isLatest: { type: 'boolean', description: 'True where a pointer file names it as the latest.' },
  },
  required: ['path', 'bytes'],
  additionalProperties: false,
};
