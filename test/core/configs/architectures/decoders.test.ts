/** Decoders' parameters from their configs, against counts of the instantiated models and published totals. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ArchitectureReading } from '../../../../src/core/configs/architectures/architecture.js';
import { readArchitecture } from '../../../../src/core/configs/architectures/readArchitecture.js';
import { countGroups, type ParameterCounts } from '../../../../src/core/configs/architectures/tensorGroup.js';
import { Fields } from '../../../../src/core/configs/fields.js';

interface Published {
  name: string;
  config: Record<string, unknown>;
  parameters: number;
  parametersWithTiedCopies?: number;
  activeParameters?: number;
  extras?: Record<string, number>;
  source: string;
}

/** Counts of instantiated models: all defaults of the class, then a small config and what becomes of it when a key changes. */
interface Counted {
  modelType: string;
  default?: Counts;
  base?: Record<string, unknown>;
  cases?: [Record<string, unknown>, ...Counts][];
}
type Counts = [unique: number, total: number, active?: number];

function linesOf<T>(name: string): T[] {
  const text = readFileSync(path.resolve('test/fixtures/model-configs', name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

const readingOf = (config: Readonly<Record<string, unknown>>): ArchitectureReading | null =>
  readArchitecture(Fields.fromValues(config));

function countsOf(config: Readonly<Record<string, unknown>>): ParameterCounts | undefined {
  const reading = readingOf(config);
  return reading?.basis === 'architecture' ? countGroups(reading.tensors.groups) : undefined;
}

describe('published models', () => {
  it.each(linesOf<Published>('published.jsonl'))('$name', (row) => {
    const counts = countsOf(row.config);
    expect(counts?.unique).toBe(row.parameters);
    if (row.parametersWithTiedCopies !== undefined) expect(counts?.total).toBe(row.parametersWithTiedCopies);
    if (row.extras !== undefined)
      expect(Object.fromEntries(readingOf(row.config)?.extras.map(({ name, parameters }) => [name, parameters]) ?? [])).toEqual(
        row.extras,
      );
    if (row.activeParameters !== undefined) expect(counts?.active).toBe(row.activeParameters);
  });
});

describe('counts of transformers', () => {
  it.each(linesOf<Counted>('decoders.jsonl'))('$modelType', ({ modelType, default: defaults, base, cases = [] }) => {
    const counted = cases.map(([changes, ...counts]) => ({ config: { model_type: modelType, ...base, ...changes }, counts }));
    if (defaults !== undefined) counted.push({ config: { model_type: modelType }, counts: defaults });
    const wrong = counted.flatMap(({ config, counts: [unique, total, active] }) => {
      const found = countsOf(config);
      const isRight = found?.unique === unique && found.total === total && (active === undefined || found.active === active);
      return isRight ? [] : [{ config, expected: [unique, total, active], found }];
    });
    expect(wrong).toEqual([]);
    expect(counted.length).toBeGreaterThan(0);
  });
});

describe('sizes that do not fit each other', () => {
  it.each([
    { model_type: 'xlstm', hidden_size: 64, embedding_dim: 96 },
    { model_type: 'gemma3n_text', num_hidden_layers: 3, num_kv_shared_layers: 5 },
    { model_type: 'zamba2', hidden_size: 64, num_attention_heads: 4, attention_hidden_size: 64 },
  ])('are no count: %j', (config) => {
    expect(countsOf(config)).toBeUndefined();
  });
});
