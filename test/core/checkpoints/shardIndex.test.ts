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

  it('has one set of shards where some are called otherwise than the rest', async () => {
    const weights: Record<string, string> = {};
    const files: Record<string, Uint8Array> = {};
    ['Model-00001-of-00003', 'model-00002-of-00003', 'MODEL-00003-of-00003'].forEach((stem, at) => {
      weights[`t${at}`] = `model-0000${at + 1}-of-00003.safetensors`;
      files[`${stem}.safetensors`] = buildSafetensors({ tensors: { [`t${at}`]: { dtype: 'F32', shape: [2] } } });
    });
    const index = utf8(JSON.stringify({ metadata: { total_size: 24 }, weight_map: weights }));
    const codesOf = async (own: Record<string, Uint8Array>): Promise<string[]> =>
      (await inspectHostile(memoryTree('model', { 'config.json': utf8('{}'), ...own }))).findings.map(({ code }) => code);
    const respelled = 'index-shard-spelled-otherwise';
    expect(await codesOf({ ...files, 'model.safetensors.index.json': index })).toEqual([respelled, respelled]);
    expect(await codesOf(files)).not.toContain('shard-missing');
    const { 'model-00002-of-00003.safetensors': _, ...others } = files;
    expect((await codesOf(others)).filter((code) => code === 'shard-missing')).toHaveLength(1);
  });

  it('is of two sets whose names differ in case where both have a shard of one number', async () => {
    const names = ['model-00001-of-00002', 'model-00002-of-00002', 'Model-00001-of-00002'];
    const files = Object.fromEntries(names.map((name) => [`${name}.safetensors`, model]));
    const { findings } = await inspectHostile(memoryTree('model', files));
    const missing = findings.filter(({ code }) => code === 'shard-missing');
    expect(missing.map(({ message }) => message)).toEqual(['1 of 2 shards of Model-*-of-00002.safetensors missing: number 2.']);
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
