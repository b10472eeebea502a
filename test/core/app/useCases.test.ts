/** The table of use cases: each runs by its description alone. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/app/answer.js';
import { jsonSchemaOf } from '../../../src/app/inputSchema.js';
import { readInput } from '../../../src/app/readInput.js';
import type { Platform } from '../../../src/app/platform.js';
import { useCases } from '../../../src/app/useCases.js';
import type { UseCaseDescription } from '../../../src/app/useCaseTable.js';
import { llamaConfig } from '../../builders/estimateText.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { compileSchema, compileSchemaFile, schemaErrors } from '../../builders/schemaErrors.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const telemetry = 'at,writeBytesPerSecond\n' + [0, 10, 20, 30].map((second) => `${1.7e9 + second},${second}\n`).join('');
const platform = memoryPlatform({
  '/m/model.safetensors': buildSafetensors({ tensors: { weight: { dtype: 'F32', shape: [4] } } }),
  '/m/config.json': llamaConfig(),
  '/m/telemetry.csv': telemetry,
  '/policy.yaml': 'keepLast: 2\n',
});

/** A C1 control (CSI), an override, a line separator, a tag character. */
const deceptive = '\u009b\u202e\u2028\u{e0041}';
const hostileRoot = `/m${deceptive}`;
const hostilePlatform = memoryPlatform({
  [`${hostileRoot}/model.safetensors`]: buildSafetensors({
    tensors: { [deceptive]: { dtype: 'F32', shape: [4] }, weight: { dtype: 'F32', shape: [4] } },
  }),
  [`${hostileRoot}/config.json`]: llamaConfig(),
  [`${hostileRoot}/telemetry.csv`]: telemetry,
  '/policy.yaml': 'keepLast: 2\n',
});

/** A use case as a face sees it that knows none by its name. */
interface AnyUseCase extends UseCaseDescription {
  run(platform: Platform, input: unknown): Promise<Answer>;
}

const inputs: Record<keyof typeof useCases, object> = {
  inspect: { path: '/m', tensors: true, seed: 3 },
  estimate: { path: '/m', optimizer: 'lion', precision: 'bf16', steps: 10 },
  estimateRuns: { paths: ['/m', '/m'], quotaBytes: 1e12, stepSeconds: 0.5 },
  runs: { path: '/m' },
  runsInTelemetry: { path: '/m/telemetry.csv', columns: { time: 'at' } },
  retention: { path: '/m', policy: '/policy.yaml' },
  verify: { path: '/m' },
  values: { path: '/m', sampleShare: 0.5 },
  slice: { path: '/m', tensor: 'weight', slice: '1:' },
  compare: { a: '/m', b: '/m' },
  plan: { path: '/m', preset: '8b', set: { gpus: 8, intervalSeconds: '1h' } },
  previewBandwidth: { target: '/data', sizeBytes: 1e9 },
  checkBandwidth: { target: '/data', sizeBytes: 1e9, seconds: 4 },
};

describe.each(Object.entries(useCases as unknown as Record<string, AnyUseCase>))('%s', (name, useCase) => {
  const input = inputs[name as keyof typeof useCases];

  it('runs by its table, and answers by its schema', async () => {
    const answer = await useCase.run(platform, readInput(useCase.input, input));
    const report: unknown = JSON.parse(answer.json());
    expect(answer.markdown()).not.toBe('');
    expect(answer.terminal({ width: 80, color: false })).not.toBe('');
    const errors = useCase.output.map((file) => schemaErrors(compileSchemaFile(file), report));
    // A report that fits one of its schemas has no errors there.
    if (!errors.some((broken) => broken.length === 0)) expect(errors.flat()).toEqual([]);
  });

  it('escapes what hides or reorders text in its JSON', async () => {
    const named = JSON.parse(JSON.stringify(input).replace(/\/(m|data)(?=["/])/g, hostileRoot)) as object;
    const json = (await useCase.run(hostilePlatform, readInput(useCase.input, named))).json();
    expect(JSON.parse(json)).toBeTypeOf('object');
    expect(json).not.toMatch(/[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/);
    // The stand-in of a directory to check has a name of its own.
    if (name.endsWith('Bandwidth')) return;
    expect(json).toContain(String.raw`\u009b\u202e\u2028\udb40\udc41`);
    expect(JSON.stringify(JSON.parse(json))).toContain(deceptive);
  });

  it('describes its input as a JSON schema, every field in words', () => {
    const schema = jsonSchemaOf(useCase.input);
    expect(schemaErrors(compileSchema(schema), input)).toEqual([]);
    for (const [field, { description }] of Object.entries(schema.properties ?? {})) expect(description, field).toMatch(/\.$/);
  });

  it('refuses an input of another type, in its schema too', () => {
    const [field = ''] = Object.keys(input);
    const wrong = { ...input, [field]: 5 };
    expect(() => readInput(useCase.input, wrong)).toThrow('The input is not usable');
    expect(schemaErrors(compileSchema(jsonSchemaOf(useCase.input)), wrong).join()).toContain(`/${field} must be `);
  });
});

it('has bounds, names and required fields in the JSON schema', () => {
  const { properties, required } = jsonSchemaOf(useCases.inspect.input);
  expect(required).toEqual(['path']);
  expect(properties?.['path']).toMatchObject({ type: 'string', minLength: 1 });
  expect(properties?.['seed']).toMatchObject({ type: 'integer', minimum: 0, maximum: 4294967295 });
  expect(jsonSchemaOf(useCases.estimate.input).properties?.['precision']?.enum).toEqual(['f32', 'bf16', 'f16', 'f8']);
  expect(jsonSchemaOf(useCases.plan.input)).toMatchObject({
    required: [],
    properties: { set: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } } },
  });
});
