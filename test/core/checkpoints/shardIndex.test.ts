import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/bytes/limits.js';
import { utf8 } from '../../builders/byteWriter.js';
import { inspectHostile } from '../../hostile/accountable.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';

const model = buildSafetensors({ tensors: { a: { dtype: 'F32', shape: [2] } } });

function treeWith(names: readonly string[]): ReturnType<typeof memoryTree> {
  const map = Object.fromEntries(names.map((name, number) => [`t${number}`, name]));
  return memoryTree('model', {
    'model-00001-of-00002.safetensors': model,
    'model.safetensors.index.json': utf8(JSON.stringify({ metadata: {}, weight_map: map })),
  });
}

describe('a shard index', () => {
  it('of more absent files than are listed is reported as too large, with what was read', async () => {
    const names = Array.from({ length: limits.missingShards + 2 }, (_, number) => `model-${number}.safetensors`);
    const { findings } = await inspectHostile(treeWith(names));
    const missing = findings.filter(({ code }) => code === 'index-shard-missing');
    expect(missing.length).toBe(limits.findingsPerCode + 1);
    expect(missing.at(-1)?.more).toBe(limits.missingShards + 1 - limits.findingsPerCode);
    expect(findings.some(({ code, path }) => code === 'header-too-large' && path === 'model.safetensors.index.json')).toBe(true);
  });

  it.each([
    ['case', 'Model-00001-of-00001.safetensors', 'model-00001-of-00001.safetensors'],
    ['normal form', 'mod\u00e8le.safetensors', 'mode\u0300le.safetensors'],
  ])('that differs from its shard in %s is matched, and says so', async (_, named, file) => {
    const index = { metadata: {}, weight_map: { a: named } };
    const tree = memoryTree('model', { [file]: model, 'model.safetensors.index.json': utf8(JSON.stringify(index)) });
    const { findings } = await inspectHostile(tree);
    expect(findings.map(({ code }) => code)).toEqual(['index-shard-spelled-otherwise']);
    expect(findings[0]?.message).toContain(`Shard ${named} of the index is the file ${file}:`);
  });

  it('matches no name of which two files have other spellings', async () => {
    const index = { metadata: {}, weight_map: { a: 'MODEL.safetensors' } };
    const tree = memoryTree('model', {
      'model.safetensors': model,
      'Model.safetensors': model,
      'model.safetensors.index.json': utf8(JSON.stringify(index)),
    });
    const codes = (await inspectHostile(tree)).findings.map(({ code }) => code);
    expect(codes).toContain('index-shard-missing');
    expect(codes).not.toContain('index-shard-spelled-otherwise');
  });

  it('reports a path that leads elsewhere once, however often it alternates with a shard', async () => {
    const names = Array.from({ length: 40 }, (_, number) =>
      number % 2 === 0 ? '../elsewhere.safetensors' : 'model-00001-of-00002.safetensors',
    );
    const { findings } = await inspectHostile(treeWith(names));
    expect(findings.filter(({ code }) => code === 'index-path-unsafe').length).toBe(1);
  });
});
