/** The schemas of retention policies and of files of holds, and the table of a policy's keys in docs/retention.md. */
import { limits } from '../../src/core/bytes/limits.js';
import { policyNumbers } from '../../src/core/retention/retentionPolicy.js';
import { rotationSettings } from '../../src/core/retention/rotation/rotation.js';

type Schema = Readonly<Record<string, unknown>>;
type DescribedSchema = Schema & { description: string };

const wholeFromOne = { type: 'integer', minimum: 1, maximum: 1e6 };
const line = { type: 'string', minLength: 1, pattern: '^[^\\n]*$' };

function objectOf(properties: Schema, required: readonly string[], description: string): DescribedSchema {
  return { type: 'object', description, properties, required, additionalProperties: false };
}

const numbers = Object.fromEntries(
  Object.entries(policyNumbers).map(([key, { minimum, maximum, isWhole, what }]) => [
    key,
    { type: isWhole ? 'integer' : 'number', minimum, maximum, description: what },
  ]),
);

const others: Record<string, DescribedSchema> = {
  keepBest: objectOf(
    {
      metric: { ...line, description: 'As the trainer logs it, or as names of checkpoints have it: eval_loss, val_loss.' },
      mode: { enum: ['min', 'max'], description: 'Whether lower or higher is better.' },
      count: { ...wholeFromOne, description: 'Checkpoints that stay; equal values stay together.' },
      csv: { ...line, description: 'A table with a step and a value in each line, relative to this file.' },
    },
    ['metric', 'mode', 'count'],
    'the best by a metric',
  ),
  milestones: {
    type: 'array',
    description: 'steps whose checkpoints stay',
    items: { type: 'integer', minimum: 0, maximum: 1e15 },
    maxItems: limits.retentionItems,
  },
  copies: objectOf(
    {
      wanted: { ...wholeFromOne, description: 'Manifests in which a checkpoint must be whole before it may go.' },
      manifest: {
        description: 'Of another place each, relative to this file.',
        anyOf: [line, { type: 'array', items: line, maxItems: limits.copyManifests }],
      },
    },
    ['wanted', 'manifest'],
    'nothing goes that is not copied',
  ),
  rotation: {
    ...objectOf(
      Object.fromEntries(
        Object.entries(rotationSettings).map(([key, framework]) => [
          key,
          { type: 'integer', minimum: -1, maximum: 1e6, description: `Of ${framework}.` },
        ]),
      ),
      [],
      'what the framework keeps by itself, where the files of the run do not have it: one of these',
    ),
    minProperties: 1,
    maxProperties: 1,
  },
};

/** What docs/retention-policy.schema.json holds. */
export function retentionPolicySchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'stowage-retention-policy',
    title: 'What stays of the checkpoints of a run (.stowage/retention.yaml)',
    type: 'object',
    properties: { ...numbers, ...others },
    anyOf: ['keepLast', 'keepEverySteps', 'keepEveryHours', 'keepBest', 'milestones'].map((key) => ({
      properties: { [key]: true },
      required: [key],
    })),
    additionalProperties: false,
  };
}

/** What media/stowage-holds.schema.json holds. */
export function holdsSchema(): Schema {
  const hold = {
    path: { ...line, description: 'Relative to the run: a checkpoint, something in it, or a folder of several.' },
    reason: { ...line, description: 'Such as legal, golden or milestone.' },
    until: { type: ['string', 'null'], description: 'A day (2026-12-31), a time with its zone, or null for ever.' },
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'stowage-holds',
    title: 'Checkpoints that are held (.stowage/holds.yaml)',
    type: 'object',
    properties: {
      holds: { type: 'array', items: objectOf(hold, ['path', 'reason'], 'one hold'), maxItems: limits.retentionItems },
    },
    required: ['holds'],
    additionalProperties: false,
  };
}

/** Each key of a policy with its limits. */
export function retentionPolicyTable(): string {
  const rows = [
    ...Object.entries(policyNumbers).map(
      ([key, { minimum, maximum, what }]) => `| \`${key}\` | ${minimum} to ${maximum.toLocaleString('en')} | ${what} |`,
    ),
    ...Object.entries(others).map(([key, { description }]) => `| \`${key}\` | | ${description} |`),
  ];
  return ['| key | limits | what |', '| --- | --- | --- |', ...rows].join('\n');
}
