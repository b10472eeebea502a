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
    if (row.activeParameters !== undefined) expect(counts?.active).toBe(row.activeParameters);
  });
});
