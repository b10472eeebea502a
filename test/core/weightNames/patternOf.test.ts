import { describe, expect, it } from 'vitest';
import { patternOf } from '../../../src/core/weightNames/patternOf.js';
import { withoutWrappers } from '../../../src/core/weightNames/withoutWrappers.js';

describe('patternOf', () => {
  it('has N for each number of a layer or an expert', () => {
    expect(patternOf('model.layers.12.mlp.experts.7.gate_proj.weight')).toEqual({
      pattern: 'model.layers.N.mlp.experts.N.gate_proj.weight',
      numbers: [12, 7],
    });
    expect(patternOf('params/decoder/layers_3/mlp/wi_0/kernel')).toEqual({
      pattern: 'params/decoder/layers_N/mlp/wi_0/kernel',
      numbers: [3],
    });
    expect(patternOf('0.weight')).toEqual({ pattern: 'N.weight', numbers: [0] });
  });

  it('keeps digits that are no number of their own', () => {
    const names = [
      'model.layer_norm1.weight',
      'blocks.01.w',
      'a.9999999999.b',
      'multi_modal_projector.linear_1.weight',
      'a..b',
      '',
      '.',
    ];
    for (const name of names) expect(patternOf(name)).toEqual({ pattern: name, numbers: [] });
  });

  it('takes names of 100,000 segments', () => {
    const { pattern, numbers } = patternOf('7.'.repeat(100_000));
    expect(numbers).toHaveLength(100_000);
    expect(pattern).toBe('N.'.repeat(100_000));
  });
});

describe('withoutWrappers', () => {
  it.each([
    ['module.model.layers.0.mlp.up_proj.weight', 'model.layers.0.mlp.up_proj.weight'],
    ['_orig_mod.transformer.h.0.ln_1.weight', 'transformer.h.0.ln_1.weight'],
    [
      '_fsdp_wrapped_module.model.layers.3._fsdp_wrapped_module._checkpoint_wrapped_module.mlp.up_proj.weight',
      'model.layers.3.mlp.up_proj.weight',
    ],
    ['app.model.layers.0.attention.wq.weight', 'layers.0.attention.wq.weight'],
    ['state.model.tok_embeddings.weight', 'tok_embeddings.weight'],
    ['params.params.decoder.decoder_norm.scale', 'decoder.decoder_norm.scale'],
    ['params/model/layers/0/mlp/up_proj/kernel', 'model.layers.0.mlp.up_proj.kernel'],
    ['model.model.layers.0.mlp.up_proj.weight', 'model.layers.0.mlp.up_proj.weight'],
    ['model.lm_head.weight', 'lm_head.weight'],
    ['model.layers.0.mlp.up_proj.weight', 'model.layers.0.mlp.up_proj.weight'],
    ['module.module.lm_head.weight', 'lm_head.weight'],
    ['lm_head.weight', 'lm_head.weight'],
    ['module', 'module'],
  ])('%s', (name, expected) => expect(withoutWrappers(name)).toBe(expected));

  it('takes names of 100,000 wrappers', () => {
    expect(withoutWrappers(`${'module.'.repeat(100_000)}w`)).toBe('w');
    expect(withoutWrappers(`${'a.'.repeat(100_000)}w`)).toHaveLength(200_001);
  });
});
