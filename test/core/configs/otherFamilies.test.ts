/** Encoders, encoder-decoders, vision, audio and several of these together, against transformers' own modules on the meta device. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readArchitecture } from '../../../src/core/configs/architectures/readArchitecture.js';
import { countGroups } from '../../../src/core/configs/architectures/tensorGroup.js';
import { Fields } from '../../../src/core/configs/fields.js';

interface Line {
  config: Record<string, unknown> & { model_type: string; architectures?: string[] };
  unique: number;
  total: number;
}

const lines = readFileSync(join(import.meta.dirname, '../../fixtures/model-configs/others.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

function countOf(config: Record<string, unknown>): ReturnType<typeof countGroups> | null {
  const reading = readArchitecture(Fields.fromValues(config));
  return reading === null ? null : countGroups(reading.tensors.groups);
}

describe('parameters of', () => {
  it.each(lines.map((line) => ({ ...line, title: JSON.stringify(line.config) })))('$title', ({ config, unique, total }) => {
    expect(countOf(config)).toMatchObject({ unique, total });
  });
});

describe('a config with absurd sizes', () => {
  const absurd = [-1, 0, 0.5, 1e30, 2 ** 50, '12', 'many', '${layers}', null, [], [1e30], {}, true];
  const types = new Map(lines.map(({ config }) => [config.model_type, config]));

  it.each([...types.values()].map((config) => ({ config, title: config.model_type })))(
    'has a count or none, and never another number: $title',
    ({ config }) => {
      for (const key of keysOf(config))
        for (const value of absurd) {
          const counts = countOf(withValue(config, key, value));
          if (counts === null || counts === undefined) continue;
          expect(Object.values(counts).every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(true);
        }
    },
  );

  /** Keys that all its lines use, and those of most configs. */
  function keysOf({ model_type }: Line['config']): string[] {
    const own = lines.filter(({ config }) => config.model_type === model_type).flatMap(({ config }) => pathsOf(config));
    const common = [
      'hidden_size',
      'num_hidden_layers',
      'd_model',
      'vocab_size',
      'image_size',
      'patch_size',
      'id2label',
      'depths',
    ];
    return [...new Set([...own, ...common, 'text_config', 'vision_config', 'audio_config', 'architectures'])];
  }

  function pathsOf(values: Record<string, unknown>, prefix = ''): string[] {
    return Object.entries(values).flatMap(([key, value]) => {
      const inner = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
      return [`${prefix}${key}`, ...pathsOf({ ...inner }, `${prefix}${key}.`)];
    });
  }

  function withValue(config: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
    const [key = '', ...rest] = path.split('.');
    const inner = config[key];
    if (rest.length === 0) return { ...config, [key]: value };
    const map = typeof inner === 'object' && inner !== null ? { ...inner } : {};
    return { ...config, [key]: withValue(map, rest.join('.'), value) };
  }
});
