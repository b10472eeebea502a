/** Our tables against the frameworks' own converters, and against checkpoints that frameworks wrote. */
import { describe, expect, it } from 'vitest';
import { dialectOf } from '../../../src/core/weightNames/dialectOf.js';
import { patternOf } from '../../../src/core/weightNames/patternOf.js';
import { placeOf } from '../../../src/core/weightNames/placeOf.js';
import type { NameDialect } from '../../../src/core/weightNames/weightPlace.js';
import { frameworkCases } from '../golden/frameworkCases.js';
import { inspectCase } from '../golden/inspectCase.js';
import { linesOf } from './nameFixtures.js';

interface Converter {
  dialect: NameDialect;
  modelType: string;
  source: string;
  pairs: Record<string, string[]>;
}

describe.each(linesOf<Converter>('converters.jsonl.gz'))('$dialect of $modelType: $source', ({ dialect, modelType, pairs }) => {
  it('is told by its names', () => {
    expect(dialectOf(Object.keys(pairs))).toBe(dialect);
  });

  it('has the names of its converter', () => {
    const places = Object.keys(pairs).map((pattern) => [pattern, placeOf(pattern, dialect, modelType)?.names.toSorted()]);
    const expected = Object.entries(pairs).map(([pattern, names]) => [pattern, namesOfTransformers(names, modelType)]);
    expect(Object.fromEntries(places)).toEqual(Object.fromEntries(expected));
  });
});

/** What the names hold, with experts one by one. */
function namesOfTransformers(names: readonly string[], modelType: string): string[] {
  return [...new Set(names.flatMap((name) => placeOf(name, 'transformers', modelType)?.names ?? []))].sort();
}

const llama = [
  'lm_head.weight',
  'model.embed_tokens.weight',
  'model.layers.N.input_layernorm.weight',
  'model.layers.N.mlp.down_proj.weight',
  'model.layers.N.mlp.gate_proj.weight',
  'model.layers.N.mlp.up_proj.weight',
  'model.layers.N.post_attention_layernorm.weight',
  'model.layers.N.self_attn.k_proj.weight',
  'model.layers.N.self_attn.o_proj.weight',
  'model.layers.N.self_attn.q_proj.weight',
  'model.layers.N.self_attn.v_proj.weight',
  'model.norm.weight',
];

/** Names of a checkpoint, and what they come to. */
interface Checkpoint {
  dialect: NameDialect;
  /** All tensors of Llama; others are tied, or their model is smaller. */
  isWhole?: boolean;
}

const checkpoints: Record<string, Checkpoint> = {
  'dcp/titan-last-bf16': { dialect: 'meta', isWhole: true },
  'dcp/hf-writer-sharded-only': { dialect: 'meta', isWhole: true },
  'dcp/fsdp2-app-2r': { dialect: 'meta' },
  'gguf/split': { dialect: 'gguf', isWhole: true },
  'gguf/big-endian': { dialect: 'gguf', isWhole: true },
  'gguf/moe-or-lora': { dialect: 'gguf' },
  'hf/llama-sharded-bf16': { dialect: 'transformers', isWhole: true },
  'hf/deepseek-v3-mla-moe': { dialect: 'transformers' },
  'hf/gpt-oss': { dialect: 'transformers' },
  'hf/gpt2-tied': { dialect: 'transformers' },
  'hf/mamba2': { dialect: 'transformers' },
  'hf/mixtral-moe': { dialect: 'transformers' },
  'deepspeed/zero2-llama-sched-w2': { dialect: 'transformers', isWhole: true },
  'megatron/legacy-tp2pp2-w4': { dialect: 'megatron', isWhole: true },
  'megatron/mcore-async-tp2-w2': { dialect: 'megatron' },
  'megatron/mcore-dpreshard-tp2-w2': { dialect: 'megatron' },
  'megatron/mcore-moe-ep2-w2': { dialect: 'megatron' },
  'orbax/maxtext-like': { dialect: 'maxtext', isWhole: true },
};

const cases = frameworkCases('checkpoint').flatMap(({ name, path }) => {
  const checkpoint = checkpoints[name.slice(name.indexOf(': ') + 2)];
  return checkpoint === undefined ? [] : [{ name, path, ...checkpoint }];
});

describe.each(cases)('the checkpoint $name', ({ path, dialect, isWhole }) => {
  it('has a place for each of its weights', async () => {
    const patterns = await weightPatterns(path);
    expect(dialectOf(patterns)).toBe(dialect);
    const places = patterns.map((pattern) => placeOf(pattern, dialect));
    expect(patterns.filter((_, index) => places[index] === null)).toEqual([]);
    const names = [...new Set(places.flatMap((place) => place?.names ?? []))].sort();
    if (isWhole === true) expect(names).toEqual(llama);
  });
});

async function weightPatterns(path: string): Promise<string[]> {
  const { tensors } = await inspectCase(path);
  const rows = Array.from({ length: tensors.size }, (_, row) => row);
  const names = rows.filter((row) => tensors.componentOf(row) === 'weights').map((row) => tensors.nameOf(row));
  return [...new Set(names.map((name) => patternOf(name).pattern))];
}

describe('a place', () => {
  it('has stacked layers and experts of Megatron', () => {
    expect(placeOf('decoder.layers.mlp.experts.experts.linear_fc1.weight', 'megatron')).toEqual({
      names: ['model.layers.N.mlp.experts.N.gate_proj.weight', 'model.layers.N.mlp.experts.N.up_proj.weight'],
      isStackedLayers: true,
      isStackedExperts: true,
    });
    expect(placeOf('model.decoder.layers.N.self_attention.linear_qkv.weight', 'megatron')).toEqual({
      names: ['q', 'k', 'v'].map((part) => `model.layers.N.self_attn.${part}_proj.weight`),
      isInterleaved: true,
    });
  });

  it('has scanned layers of MaxText, and kernels of FLAX', () => {
    expect(placeOf('params.params.decoder.layers.self_attention.query.kernel', 'maxtext')).toEqual({
      names: ['model.layers.N.self_attn.q_proj.weight'],
      isStackedLayers: true,
      layerAxis: 1,
      isTransposed: true,
    });
    expect(placeOf('params/model/layers/N/self_attn/q_proj/kernel', 'flax')).toEqual({
      names: ['model.layers.N.self_attn.q_proj.weight'],
      isTransposed: true,
    });
    expect(placeOf('transformer.h.N.ln_1.scale', 'flax')).toEqual({ names: ['transformer.h.N.ln_1.weight'] });
  });

  it('has Conv1D of GPT-2 as [in, out], and not that of FLAX and nanoGPT', () => {
    const names = ['transformer.h.N.attn.c_attn.weight'];
    expect(placeOf('transformer.h.N.attn.c_attn.weight', 'transformers', 'gpt2')).toEqual({ names, isTransposed: true });
    expect(placeOf('h.N.attn.c_attn.weight', 'transformers', 'gpt2')).toEqual({ names, isTransposed: true });
    expect(placeOf('transformer.h.N.attn.c_attn.weight', 'transformers', 'gpt_bigcode')).toEqual({ names });
    expect(placeOf('transformer.h.N.attn.c_attn.kernel', 'flax', 'gpt2')).toEqual({ names });
    expect(placeOf('_orig_mod.transformer.h.N.attn.c_attn.weight', 'nanogpt')).toEqual({ names });
  });

  it('counts layers of GPT-NeoX from 2', () => {
    expect(placeOf('sequential.N.attention.dense.weight', 'neox')).toEqual({
      names: ['gpt_neox.layers.N.attention.dense.weight'],
      firstLayer: 2,
    });
  });

  it('has fused experts of gpt-oss one by one', () => {
    expect(placeOf('model.layers.N.mlp.experts.gate_up_proj', 'transformers', 'gpt_oss')).toEqual({
      names: ['model.layers.N.mlp.experts.N.gate_proj.weight', 'model.layers.N.mlp.experts.N.up_proj.weight'],
      isStackedExperts: true,
      isTransposed: true,
      isInterleaved: true,
    });
  });

  it('is null for what the dialect does not have', () => {
    for (const name of ['', 'x', 'constructor.weight', '__proto__', 'blk.N.unknown.weight', 'rope_freqs.weight'])
      expect(placeOf(name, 'gguf'), name).toBeNull();
    expect(placeOf('optimizer.state.exp_avg.decoder.layers.mlp.linear_fc2.weight', 'megatron')).toBeNull();
  });
});

it('keeps names of transformers that are like no others', () => {
  const names = ['shared.weight', 'embeddings.word_embeddings.weight', 'vision_model.post_layernorm.bias'];
  for (const name of names) expect(placeOf(name, 'transformers')).toEqual({ names: [name] });
  expect(placeOf('embed_tokens.weight', 'transformers', 'llama')).toEqual({ names: ['model.embed_tokens.weight'] });
  expect(placeOf('norm.weight', 'transformers', 'llama')).toEqual({ names: ['model.norm.weight'] });
});

describe('dialectOf', () => {
  it('is null for models of nobody', () => {
    expect(dialectOf([])).toBeNull();
    expect(dialectOf(['blocks.N.up.weight', 'embed.weight', 'head.weight', 'params.layers_N.key.kernel'])).toBeNull();
  });

  it('tells nanoGPT without biases, oldest Megatron, FLAX and LFM2 from their neighbours', () => {
    expect(dialectOf(['_orig_mod.transformer.h.N.attn.c_attn.weight', '_orig_mod.transformer.wte.weight'])).toBe('nanogpt');
    expect(dialectOf(['transformer.h.N.attn.c_attn.weight', 'transformer.h.N.attn.c_attn.bias'])).toBe('transformers');
    expect(dialectOf(['model.language_model.encoder.layers.N.self_attention.query_key_value.weight'])).toBe('megatronLegacy');
    expect(dialectOf(['params.model.layers.N.self_attn.q_proj.kernel', 'params.model.norm.weight'])).toBe('flax');
    expect(dialectOf(['model.layers.N.feed_forward.w1.weight', 'model.layers.N.self_attn.q_proj.weight'])).toBe('transformers');
  });
});

it('takes hostile names in linear time', () => {
  const long = `${'layers.'.repeat(100_000)}weight`;
  const names = [
    long,
    `decoder.${long}`,
    `model.${'model.'.repeat(100_000)}w`,
    'N.'.repeat(100_000),
    'x'.repeat(1_000_000),
    '_N.'.repeat(100_000),
  ];
  for (const name of names) {
    expect(dialectOf([name]) ?? 'transformers').toBe('transformers');
    for (const dialect of ['megatron', 'gguf', 'maxtext', 'transformers', 'flax'] as const) {
      const place = placeOf(name, dialect, 'mixtral');
      expect(place === null).toBe(dialect !== 'transformers' && dialect !== 'flax');
    }
  }
});
