/** One model in the names of two frameworks: our pairs against those of the frameworks' converters. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalBytes, canonicalName } from '../../../src/core/comparison/canonicalName.js';
import { limits } from '../../../src/core/bytes/limits.js';
import type { TensorDifferences } from '../../../src/core/comparison/comparisonReport.js';
import type { SideFiles } from '../../../src/core/comparison/storedCopies.js';
import { compareTensors } from '../../../src/core/comparison/tensorDifferences.js';
import { TensorTable } from '../../../src/core/tensors/tensorTable.js';
import { placeOf } from '../../../src/core/weightNames/placeOf.js';
import type { NameDialect } from '../../../src/core/weightNames/weightPlace.js';
import { runs } from '../../builders/seed.js';
import { linesOf } from '../weightNames/nameFixtures.js';

interface Converter {
  dialect: NameDialect;
  modelType: string;
  source: string;
  pairs: Record<string, string[]>;
}

type Tensor = readonly [name: string, shape: readonly number[], dtype?: string];

/** Ranks of files, and the tensors of each. */
type Ranks = Record<string, readonly Tensor[]>;

/** Numbers of layers, and of the experts of each. */
const count = 2;

function tableOf(tensors: Iterable<Tensor>): TensorTable {
  const table = new TensorTable();
  for (const [name, shape, dtype = 'bf16'] of tensors) table.add({ name, dtype, shape, bytes: 0, component: 'weights' });
  return table;
}

function filesOf(ranks: readonly string[]): SideFiles {
  return { files: ranks.map((rank, at) => ({ path: `${at}.pt`, rank })), storedTwice: { items: [] } };
}

function compared(a: Iterable<Tensor>, b: Iterable<Tensor>, modelType?: string): TensorDifferences {
  const files = { a: filesOf([]), b: filesOf([]) };
  const options = {
    isOneKind: false,
    tiesEmbeddings: { a: null, b: null },
    files,
    ...(modelType !== undefined && { modelType }),
  };
  return compareTensors({ a: tableOf(a), b: tableOf(b) }, options).differences;
}

/** Against a save of which each rank has a file. */
function comparedRanks(a: Iterable<Tensor>, ranks: Ranks): TensorDifferences {
  const table = new TensorTable();
  Object.values(ranks).forEach((tensors, file) => {
    for (const [name, shape, dtype = 'bf16'] of tensors) {
      table.add({ name, dtype, shape, bytes: 0, component: 'weights' });
      table.addPiece(file, 0, 0);
    }
  });
  const files = { a: filesOf([]), b: filesOf(Object.keys(ranks)) };
  const options = { isOneKind: false, tiesEmbeddings: { a: null, b: null }, files, modelType: 'llama' };
  return compareTensors({ a: tableOf(a), b: table }, options).differences;
}

const none = { added: 0, removed: 0, renamed: 0, changed: 0 };

function numbersIn(pattern: string): number {
  return pattern
    .replaceAll(/weightN|biasN|_N\b/g, '.N')
    .split(/[./]/)
    .filter((segment) => segment === 'N').length;
}

/** Every layer and expert of a pattern. */
function namesOf(pattern: string, first: number): string[] {
  let names = [pattern];
  for (let at = numbersIn(pattern); at > 0; at--)
    names = names.flatMap((name) =>
      Array.from({ length: count }, (_, number) =>
        name.replace(/N(?=[./]|$)/, () => String(number + (name === pattern ? first : 0))),
      ),
    );
  return names;
}

/** Stacked matrices of 8 of 6, one below the other, or vectors of 8. */
function shapeOf(stacked: number, names: readonly string[], isTransposed: boolean): number[] {
  const rows = 8 * new Set(names).size;
  const isVector = names.every((name) => /norm|bias|ln_|\.D$|A_log|sinks/.test(name));
  const shape = isVector ? [rows] : isTransposed ? [6, rows] : [rows, 6];
  return stacked === 1 ? shape : [stacked, ...shape];
}

/** Both sides of a model with all weights of a converter, each once. */
function modelOf({ dialect, modelType, pairs }: Converter): { own: Tensor[]; transformers: Map<string, Tensor> } {
  const own: Tensor[] = [];
  const transformers = new Map<string, Tensor>();
  const covered = new Set<string>();
  Object.entries(pairs).forEach(([pattern, names], index) => {
    const place = placeOf(pattern, dialect, modelType);
    const places = names.map((name) => placeOf(name, 'transformers', modelType));
    const parts = places.flatMap((each) => each?.names ?? []);
    if (place === null || parts.some((part) => covered.has(part))) return;
    for (const part of parts) covered.add(part);
    const [part = ''] = parts;
    const isOutside = numbersIn(part) === 0;
    const stacked = isOutside ? 1 : count ** (numbersIn(part) - numbersIn(pattern));
    const shape = shapeOf(stacked, parts, place.isTransposed === true);
    const ownNames = isOutside ? [pattern.replace(/N(?=[./])/, String(100 + index))] : namesOf(pattern, place.firstLayer ?? 0);
    for (const name of ownNames) own.push([name, shape]);
    names.forEach((name, at) => {
      const held = places[at]?.names ?? [];
      const experts = count ** (numbersIn(part) - numbersIn(name));
      const ofName = shapeOf(experts, held, places[at]?.isTransposed === true);
      for (const each of namesOf(name, 0)) transformers.set(each, [each, ofName]);
    });
  });
  return { own, transformers };
}

describe.each(linesOf<Converter>('converters.jsonl.gz'))('$dialect of $modelType: $source', (converter) => {
  const { own, transformers } = modelOf(converter);

  it('is the model that its converter makes of it', () => {
    expect(transformers.size).toBeGreaterThan(count);
    const found = compared(own, transformers.values(), converter.modelType);
    expect(found).toMatchObject({ counts: none, added: [], removed: [] });
    expect(compared(transformers.values(), own, converter.modelType)).toMatchObject({ same: found.same, counts: none });
  });

  it('differs where a tensor of transformers is missing or larger', () => {
    const last = [...transformers.keys()].at(-1) as string;
    const fewer = [...transformers.values()].filter(([name]) => name !== last);
    expect(compared(own, fewer, converter.modelType).counts).not.toEqual(none);
    const larger = [...transformers.values()].map(([name, shape]): Tensor => [name, name === last ? [...shape, 5] : shape]);
    expect(compared(own, larger, converter.modelType).counts).not.toEqual(none);
  });
});

interface Load {
  modelType: string;
  class: string;
  changed: Record<string, string[]>;
}

/** Gates and ups of all experts that a file has apart from each other, and a `model.transformer.` that is no wrapper. */
const unmatched: ReadonlySet<string> = new Set(['step3p7', 'molmo2']);

describe.each(linesOf<Load>('loads.jsonl.gz').filter(({ modelType }) => !unmatched.has(modelType)))(
  '$class of $modelType',
  ({ modelType, changed }) => {
    it('has no difference between the names in older files and its own', () => {
      const own = new Map<string, number>();
      const old: Tensor[] = [];
      for (const [pattern, names] of Object.entries(changed)) {
        for (const name of namesOf(pattern, 0)) {
          old.push([name, [8 * names.length, 6]]);
          const numbers = name.split('.').filter((segment) => /^\d+$/.test(segment));
          for (const each of names) {
            let next = 0;
            const filled = each.replaceAll(/(?<=\.|^)N(?=\.|$)/g, () => numbers[next++] as string);
            own.set(filled, (own.get(filled) ?? 0) + 1);
          }
        }
      }
      const now = [...own].map(([name, parts]): Tensor => [name, [8 * parts, 6]]);
      expect(compared(old, now, modelType)).toMatchObject({ counts: none, added: [], removed: [] });
    });
  },
);

const [hidden, inner, heads, groups, width, vocabulary] = [32, 56, 4, 2, 8, 96] as const;

/** Llama of transformers, with layers and grouped heads. */
function llama(layers = 2): Tensor[] {
  const ofLayer = (layer: number): Tensor[] =>
    (
      [
        ['input_layernorm.weight', [hidden]],
        ['self_attn.q_proj.weight', [heads * width, hidden]],
        ['self_attn.k_proj.weight', [groups * width, hidden]],
        ['self_attn.v_proj.weight', [groups * width, hidden]],
        ['self_attn.o_proj.weight', [hidden, heads * width]],
        ['post_attention_layernorm.weight', [hidden]],
        ['mlp.gate_proj.weight', [inner, hidden]],
        ['mlp.up_proj.weight', [inner, hidden]],
        ['mlp.down_proj.weight', [hidden, inner]],
      ] as const
    ).map(([name, shape]) => [`model.layers.${layer}.${name}`, shape]);
  return [
    ['model.embed_tokens.weight', [vocabulary, hidden]],
    ...Array.from({ length: layers }, (_, layer) => ofLayer(layer)).flat(),
    ['model.norm.weight', [hidden]],
    ['lm_head.weight', [vocabulary, hidden]],
  ];
}

/** A distributed checkpoint: layers are an axis. */
function megatron(layers = 2): Tensor[] {
  return [
    ['embedding.word_embeddings.weight', [vocabulary, hidden]],
    ['decoder.layers.self_attention.linear_qkv.layer_norm_weight', [layers, hidden]],
    ['decoder.layers.self_attention.linear_qkv.weight', [layers, (heads + 2 * groups) * width, hidden]],
    ['decoder.layers.self_attention.linear_proj.weight', [layers, hidden, heads * width]],
    ['decoder.layers.mlp.linear_fc1.layer_norm_weight', [layers, hidden]],
    ['decoder.layers.mlp.linear_fc1.weight', [layers, 2 * inner, hidden]],
    ['decoder.layers.mlp.linear_fc2.weight', [layers, hidden, inner]],
    ['decoder.final_layernorm.weight', [hidden]],
    ['output_layer.weight', [vocabulary, hidden]],
  ];
}

/** One layer after the other, with heads as an axis of kernels of [in, out]. */
function maxtext(layers = 2): Tensor[] {
  const ofLayer = (layer: number): Tensor[] =>
    (
      [
        ['pre_self_attention_layer_norm.scale', [hidden]],
        ['self_attention.query.kernel', [hidden, heads, width]],
        ['self_attention.key.kernel', [hidden, groups, width]],
        ['self_attention.value.kernel', [hidden, groups, width]],
        ['self_attention.out.kernel', [heads, width, hidden]],
        ['post_self_attention_layer_norm.scale', [hidden]],
        ['mlp.wi_0.kernel', [hidden, inner]],
        ['mlp.wi_1.kernel', [hidden, inner]],
        ['mlp.wo.kernel', [inner, hidden]],
      ] as const
    ).map(([name, shape]) => [`params.params.decoder.layers_${layer}.${name}`, shape]);
  return [
    ['params.params.token_embedder.embedding', [vocabulary, hidden]],
    ...Array.from({ length: layers }, (_, layer) => ofLayer(layer)).flat(),
    ['params.params.decoder.decoder_norm.scale', [hidden]],
    ['params.params.decoder.logits_dense.kernel', [hidden, vocabulary]],
  ];
}

describe('a model in two frameworks', () => {
  it('has stacked and fused tensors with those that they hold', () => {
    const found = compared(megatron(), llama(), 'llama');
    expect(found).toMatchObject({ same: 9, fusedCount: 6, counts: none });
    expect(found.fused).toContainEqual({
      a: ['decoder.layers.mlp.linear_fc1.weight'],
      b: [0, 1].flatMap((layer) => ['gate', 'up'].map((part) => `model.layers.${layer}.mlp.${part}_proj.weight`)),
      counts: { a: 1, b: 4 },
    });
  });

  it('lists the first names of many', () => {
    const { fused } = compared(megatron(20), llama(20), 'llama');
    expect(fused.map(({ b, counts }) => [b.length, counts.b])).toContainEqual([limits.comparedFusedNames, 60]);
  });

  it('has kernels of [in, heads, width] with matrices of [out, in]', () => {
    expect(compared(maxtext(), llama(), 'llama')).toMatchObject({ same: 21, fusedCount: 0, counts: none });
    expect(compared(maxtext(), megatron(), 'llama')).toMatchObject({ same: 9, fusedCount: 6, counts: none });
  });

  it('has stacked tensors with fused ones of another kind', () => {
    const [gate, up] = ['ffn_gate_exps', 'ffn_up_exps'];
    const gguf = [gate, up].map((name): Tensor => [`blk.0.${name}.weight`, [4, inner, hidden]]);
    const own = [0, 1, 2, 3].map((expert): Tensor => [
      `decoder.layers.0.mlp.experts.linear_fc1.weight${expert}`,
      [2 * inner, hidden],
    ]);
    gguf.push(['token_embd.weight', [vocabulary, hidden]]);
    own.push(['embedding.word_embeddings.weight', [vocabulary, hidden]]);
    expect(compared(gguf, own)).toMatchObject({
      same: 2,
      fused: [{ counts: { a: 2, b: 4 } }],
      counts: none,
    });
  });

  it('has the shards and layers of all ranks of Megatron before distributed checkpoints', () => {
    const stage = (ends: readonly Tensor[]): Tensor[] => [
      ...ends,
      ['model.decoder.layers.0.input_layernorm.weight', [hidden]],
      ['model.decoder.layers.0.self_attention.linear_qkv.weight', [((heads + 2 * groups) * width) / 2, hidden]],
      ['model.decoder.layers.0.self_attention.linear_proj.weight', [hidden, (heads * width) / 2]],
      ['model.decoder.layers.0.pre_mlp_layernorm.weight', [hidden]],
      ['model.decoder.layers.0.mlp.linear_fc1.weight', [inner, hidden]],
      ['model.decoder.layers.0.mlp.linear_fc2.weight', [hidden, inner / 2]],
    ];
    const first = stage([['model.embedding.word_embeddings.weight', [vocabulary / 2, hidden]]]);
    const last = stage([
      ['model.decoder.final_layernorm.weight', [hidden]],
      ['model.output_layer.weight', [vocabulary / 2, hidden]],
    ]);
    const ranks = { 'tp 0 · pp 0': first, 'tp 0 · pp 1': last, 'tp 1 · pp 0': first, 'tp 1 · pp 1': last };
    expect(comparedRanks(llama(), ranks)).toMatchObject({ same: 15, counts: none });
    expect(comparedRanks(megatron(), ranks)).toMatchObject({ same: 9, counts: none });
    const lacking = { 'tp 0 · pp 0': first, 'tp 0 · pp 1': last, 'tp 1 · pp 0': first };
    expect(comparedRanks(llama(), lacking).counts).not.toEqual(none);
    const narrow = llama().map(([name, shape]): Tensor => [
      name,
      name.includes('mlp') ? shape.map((size) => (size === inner ? inner / 2 : size)) : shape,
    ]);
    expect(comparedRanks(narrow, ranks).counts).toMatchObject({ removed: 6, added: 8 });
  });

  it('differs where a layer is missing, in width and in dtype', () => {
    const missing = compared(megatron(3), llama(2), 'llama');
    expect(missing).toMatchObject({ same: 3, counts: { ...none, removed: 6, added: 18 } });
    const wider = megatron().map(([name, shape]): Tensor => [name, name.includes('final') ? [hidden + 1] : shape]);
    expect(compared(wider, llama(), 'llama')).toMatchObject({
      same: 8,
      changed: [{ name: 'decoder.final_layernorm.weight', a: { shape: [33] }, b: { shape: [32] } }],
    });
    const f32 = megatron().map(([name, shape]): Tensor => [name, shape, 'f32']);
    const { changed } = compared(f32, llama(), 'llama');
    expect(changed).toHaveLength(9);
    expect(changed).toContainEqual({
      name: 'decoder.layers.mlp.linear_fc2.weight',
      a: { dtype: 'f32', shape: [2, hidden, inner] },
      b: { dtype: 'bf16', shape: [2, hidden, inner] },
    });
  });

  it('is no other model whose numbers no model has', () => {
    const far = (name: string): Tensor[] => [[`${name}`, [8]]];
    for (const number of ['131072', '999999999', '1000000000', '01'])
      expect(compared(far(`blk.${number}.attn_norm.weight`), far(`model.layers.${number}.input_layernorm.weight`)).same).toBe(0);
    expect(compared(far('blk.131071.attn_norm.weight'), far('model.layers.131071.input_layernorm.weight')).same).toBe(1);
  });
});

it('looks up no names of more patterns than any model has', () => {
  const many = Array.from({ length: limits.comparedPatterns }, (_, at): Tensor => [`x${at}.weight`, [1]]);
  const [own, other]: [Tensor, Tensor] = [
    ['blk.0.attn_norm.weight', [8]],
    ['model.layers.0.input_layernorm.weight', [8]],
  ];
  expect(compared([own, ...many.slice(1)], [other]).same).toBe(1);
  expect(compared([own, ...many], [other])).toMatchObject({ same: 0, counts: { ...none, removed: many.length + 1, added: 1 } });
});

describe('the canonical name', () => {
  const parts = [
    'module',
    'model',
    '_orig_mod',
    '_fsdp_wrapped_module',
    'app',
    'layers',
    'weight',
    'modules',
    'mod',
    '',
    '0',
    'ä',
    '_',
  ];

  it('is the same of a text and of its bytes', () => {
    const names = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(names, (segments) => {
        const name = segments.join('.');
        const bytes = new TextEncoder().encode(`model.${name}.model`);
        const end = bytes.length - '.model'.length;
        const found = canonicalBytes(bytes, 'model.'.length, end);
        const text = typeof found === 'number' ? bytes.subarray(found, end) : found;
        expect(new TextDecoder().decode(text)).toBe(canonicalName(name));
      }),
      runs(1_000),
    );
  });
});
