/** Our renames against those that transformers itself makes. */
import { describe, expect, it } from 'vitest';
import { renamedOnLoad } from '../../../src/core/weightNames/renamedOnLoad.js';
import { linesOf } from './nameFixtures.js';

interface Loads {
  modelType: string;
  class: string;
  changed: Record<string, string[]>;
  same: string[];
}

describe.each(linesOf<Loads>('loads.jsonl.gz'))('names that $class loads', ({ modelType, changed, same }) => {
  it('are those of transformers', () => {
    const ours = Object.keys(changed).map((name) => [name, renamedOnLoad(name, modelType)]);
    expect(Object.fromEntries(ours)).toEqual(changed);
  });

  it('stay what they are where transformers has no other', () => {
    expect(same.filter((name) => renamedOnLoad(name, modelType).join() !== name)).toEqual([]);
  });
});

describe('renamedOnLoad', () => {
  it('takes names with their numbers', () => {
    expect(renamedOnLoad('model.layers.3.block_sparse_moe.experts.7.w1.weight', 'mixtral')).toEqual([
      'model.layers.3.mlp.experts.gate_up_proj',
    ]);
    expect(renamedOnLoad('layers.11.attn.Wqkv.weight', 'nomic_bert')).toEqual(
      ['q', 'k', 'v'].map((part) => `layers.11.self_attn.${part}_proj.weight`),
    );
    expect(renamedOnLoad('bert.encoder.layer.0.output.LayerNorm.gamma', 'bert')).toEqual([
      'bert.encoder.layer.0.output.LayerNorm.weight',
    ]);
    expect(renamedOnLoad('conv.weight_g', 'wav2vec2')).toEqual(['conv.parametrizations.weight.original0']);
  });

  it('leaves scales of quantized weights apart from the weights', () => {
    const scale = 'model.layers.0.mlp.experts.1.up_proj.weight_scale_inv';
    expect(renamedOnLoad(scale, 'deepseek_v3')).toEqual([scale]);
  });

  it('merges experts of a decoder that is a part of a model', () => {
    const expert = 'language_model.model.layers.0.block_sparse_moe.experts.1.w2.weight';
    expect(renamedOnLoad(expert, 'llava', 'mixtral')).toEqual(['model.language_model.layers.0.mlp.experts.down_proj']);
    expect(renamedOnLoad(expert, 'llava')).toEqual(['model.language_model.layers.0.block_sparse_moe.experts.1.w2.weight']);
  });

  it('leaves names of unknown types as they are', () => {
    for (const name of ['', 'x', 'model.layers.0.mlp.experts.1.up_proj.weight'])
      expect(renamedOnLoad(name, 'unknown')).toEqual([name]);
  });

  it('takes hostile names', () => {
    for (const name of ['.experts.'.repeat(100_000), `${'.experts.1'.repeat(100_000)}x`, 'model'.repeat(200_000)])
      for (const modelType of ['mixtral', 'qwen2_vl', 'llava', 'vit']) expect(renamedOnLoad(name, modelType)).toHaveLength(1);
  });
});
