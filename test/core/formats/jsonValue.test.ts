import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { jsonValue } from '../../../src/core/formats/text/jsonValue.js';
import { utf8 } from '../../builders/byteWriter.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { inspectHostile } from '../../hostile/accountable.js';

const listOf = (item: string, count: number): string => `[${`${item},`.repeat(count - 1)}${item}]`;

describe('a JSON text', () => {
  it('is its value', () => {
    expect(jsonValue('{"a": [1, "b"]}')).toEqual({ a: [1, 'b'] });
    expect(() => jsonValue('{')).toThrow(SyntaxError);
  });

  it.each(['{}', '[]', '{"a":1}'])('of too many %s is refused before it is parsed', (item) => {
    expect(() => jsonValue(listOf(item, limits.jsonContainers + 1))).toThrow(/objects and lists in JSON/);
  });

  it('of too many values is refused before it is parsed', () => {
    expect(() => jsonValue(listOf('1', limits.jsonValues + 1))).toThrow(/values in JSON/);
  });

  it('of long strings is no longer than they are', () => {
    const text = listOf(JSON.stringify('{["\\'.repeat(1000)), 1000);
    expect(text.length).toBeGreaterThan(3 * limits.jsonContainers);
    expect((jsonValue(text) as string[]).length).toBe(1000);
  });

  it('at the limit is read', () => {
    expect((jsonValue(listOf('{}', limits.jsonContainers - 1)) as unknown[]).length).toBe(limits.jsonContainers - 1);
  });
});

it('a config of a million objects costs no more than its bytes', async () => {
  const config = utf8(listOf('{}', limits.jsonContainers + 1));
  const { findings, totalBytes } = await inspectHostile(memoryTree('model', { 'config.json': config }));
  expect(findings).toContainEqual(expect.objectContaining({ code: 'json-too-large', path: 'config.json' }));
  expect(totalBytes).toBe(config.byteLength);
});
