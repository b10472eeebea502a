/** One model as several frameworks save it: no difference in its tensors. */
import { describe, expect, it } from 'vitest';
import { compareCheckpoints } from '../../../src/app/comparison/compareCheckpoints.js';
import type { ComparisonReport } from '../../../src/core/comparison/comparisonReport.js';
import { zeroThreeSave, type Shapes } from '../../builders/deepspeedBuilder.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { inspectCheckpoint } from '../../builders/inspectCheckpoint.js';
import { memoryPlatform } from '../../builders/memoryPlatform.js';
import { memoryTree } from '../../builders/memoryTree.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { flatten } from '../../builders/torchZipBuilder.js';

type Files = Record<string, Uint8Array>;

async function compared(a: Files, b: Files, values = false): Promise<ComparisonReport> {
  const below = (folder: string, files: Files): Files =>
    Object.fromEntries(Object.entries(files).map(([name, file]) => [`${folder}/${name}`, file]));
  const platform = memoryPlatform({ ...below('/a', a), ...below('/b', b) });
  return (await compareCheckpoints(platform, { a: '/a', b: '/b', values })).report;
}

const none = { added: 0, removed: 0, renamed: 0, changed: 0 };

const shapes: Shapes = {
  'model.embed_tokens.weight': [16, 8],
  'model.layers.0.mlp.up_proj.weight': [24, 8],
  'model.norm.weight': [8],
  'lm_head.weight': [16, 8],
};

/** As transformers saves it. */
function exported(own: Shapes, dtype: string, prefix = ''): Files {
  const tensors = Object.fromEntries(Object.entries(own).map(([name, shape]) => [prefix + name, { dtype, shape }]));
  return {
    'model.safetensors': buildSafetensors({ tensors, metadata: { format: 'pt' } }),
    'config.json': new TextEncoder().encode('{"model_type": "llama"}'),
  };
}

function zeroThree(own: Shapes, exportShards = 0): Files {
  const files = zeroThreeSave({ shapes: own, ranks: 2, step: 5, exportShards });
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, file instanceof Uint8Array ? file : flatten(file)]),
  );
}

describe('ZeRO-3, whose weights are in flat shares', () => {
  it('has the shapes that DeepSpeed notes', async () => {
    const report = await compared(zeroThree(shapes), exported(shapes, 'BF16'));
    expect(report.tensors).toMatchObject({ same: 4, counts: none });
    expect(report.notCompared).toEqual([]);
    const other = await compared(exported({ ...shapes, 'model.norm.weight': [9] }, 'BF16'), zeroThree(shapes));
    expect(other.tensors).toMatchObject({
      same: 3,
      changed: [{ name: 'model.norm.weight', a: { shape: [9] }, b: { shape: [8] } }],
    });
  });

  it('is one model with the weights that are gathered beside it', async () => {
    const files = zeroThree(shapes, 1);
    const [there, back] = [await compared(files, exported(shapes, 'BF16')), await compared(exported(shapes, 'BF16'), files)];
    for (const { tensors } of [there, back]) expect(tensors).toMatchObject({ same: 4, counts: none });
  });

  it('differs in dtype alone where the other side has f32', async () => {
    const { tensors } = await compared(exported(shapes, 'F32'), zeroThree(shapes));
    expect(tensors.counts).toEqual({ ...none, changed: 4 });
    expect(tensors.changed[0]).toMatchObject({ a: { dtype: 'f32' }, b: { dtype: 'bf16' } });
  });
});

describe.each([
  'deepspeed/zero1-bf16-w2',
  'deepspeed/frozen-zero3-w2',
  'dcp/fsdp2-app-2r',
  'dcp/titan-last-bf16',
  'lightning/fabric',
])('%s', (name) => {
  it('has no difference to an export of its weights', async () => {
    const files = fixtureBelow(name);
    const self = await compared(files, files);
    const { report, tensors } = await inspectCheckpoint(memoryTree('m', files), { path: 'm' });
    const root = report.run?.checkpoints.at(-1)?.path ?? '';
    const own: Record<string, { dtype: string; shape: readonly number[] }> = {};
    for (let row = 0; row < tensors.size; row++) {
      const piece = tensors.firstPieceOf(row);
      const path = report.files[tensors.pieceFile(piece)]?.path ?? '';
      const isOther = tensors.componentOf(row) !== 'weights' || tensors.extraOf(row)?.isShare === true;
      if (isOther || !path.startsWith(root)) continue;
      const shape = tensors.extraOf(row)?.wholeShape ?? tensors.shapeOf(row);
      own[tensors.nameOf(row).replace(/^(?:app\.model|module|model)\./, '')] = {
        dtype: tensors.dtypeOf(row).toUpperCase(),
        shape,
      };
    }
    const file = buildSafetensors({ tensors: own, metadata: { format: 'pt' } });
    const { tensors: found } = await compared(files, {
      'model.safetensors': file,
      'config.json': new TextEncoder().encode('{"model_type": "gpt2"}'),
    });
    expect(found).toMatchObject({ same: self.tensors.same, counts: none });
    expect(found.same).toBe(Object.keys(own).length);
  });
});

it('says of flat shares without shapes that tensors are not compared', async () => {
  const files = zeroThree(shapes);
  const shards = Object.fromEntries(Object.entries(files).filter(([name]) => !name.includes('model_states')));
  const { tensors, notCompared } = await compared(shards, exported(shapes, 'BF16'));
  expect(tensors.counts).toEqual(none);
  expect(notCompared).toMatchObject([{ what: 'tensors', side: 'a' }]);
});

describe('names of another framework', () => {
  const save = (own: Shapes, config: string): Files => ({
    ...exported(own, 'BF16'),
    'config.json': new TextEncoder().encode(config),
  });

  it('are those of the model type in a config of either side', async () => {
    const olmo = {
      'transformer.blocks.0.att_proj.weight': [24, 8],
      'transformer.blocks.0.attn_norm.weight': [8],
      'transformer.blocks.0.ff_norm.weight': [8],
    };
    const own = {
      ...Object.fromEntries(['q', 'k', 'v'].map((part) => [`model.layers.0.self_attn.${part}_proj.weight`, [8, 8]])),
      'model.layers.0.post_attention_layernorm.weight': [8],
      'model.layers.0.post_feedforward_layernorm.weight': [8],
    };
    for (const [a, b] of [
      [save(olmo, '{}'), save(own, '{"model_type": "olmo2"}')],
      [save(own, '{"model_type": "olmo2"}'), save(olmo, '{}')],
    ] as const) {
      const { tensors, valuesCompared } = await compared(a, b, true);
      expect(tensors).toMatchObject({ same: 3, fusedCount: 1, counts: none });
      expect(valuesCompared).toMatchObject({ tensors: 2, equal: 2, notReadCount: 1 });
      expect(valuesCompared?.notRead[0]?.reason).toContain('together');
    }
  });

  it('have no values read that are transposed or in an order that is not known', async () => {
    const flax = {
      'params.model.layers.0.self_attn.o_proj.kernel': [8, 8],
      'params.model.layers.0.self_attn.q_proj.kernel': [8, 8],
    };
    const own = { 'model.layers.0.self_attn.o_proj.weight': [8, 8], 'model.layers.0.self_attn.q_proj.weight': [8, 8] };
    const meta = { 'layers.0.attention.wo.weight': [8, 8], 'layers.0.attention.wq.weight': [8, 8] };
    const config = '{"model_type": "llama"}';
    const turned = await compared(save(flax, config), save(own, config), true);
    expect(turned.tensors).toMatchObject({ same: 2, counts: none });
    expect(turned.valuesCompared).toMatchObject({ tensors: 0, notReadCount: 2 });
    const paired = await compared(save(meta, config), save(own, config), true);
    expect(paired.tensors).toMatchObject({ same: 2, counts: none });
    expect(paired.valuesCompared?.notRead).toMatchObject([{ name: 'layers.0.attention.wq.weight' }]);
  });
});
