/** Models that torchtitan and torchtune build of sizes that are written out, beside the config or in it. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { countModel } from '../../../src/core/configs/countModel.js';
import { nothingBeside, readText } from './readConfigFixture.js';

const registry = (model: string): string => `
from .model.args import TransformerModelArgs

# "8B": TransformerModelArgs(dim=1, n_layers=1, n_heads=1) is a comment
configs = {
    "debugmodel": TransformerModelArgs(
        dim=256, n_layers=6, n_heads=16, vocab_size=2048, rope_theta=500000, attn_mask_type=MASK
    ),
    "8B": TransformerModelArgs(
        dim=4096, n_layers=32, n_heads=32, n_kv_heads=8, ffn_dim_multiplier=1.3, multiple_of=1024, rope_theta=500000
    ),
    "experts": TransformerModelArgs(dim=256, n_layers=6, n_heads=16, moe_args=MoEArgs(num_experts=8)),
    "small": Qwen3ModelArgs(
        vocab_size=151936, head_dim=128, dim=1024, n_layers=28, n_heads=16, n_kv_heads=8, qk_norm=True, hidden_dim=3072,
        enable_weight_tying=True,
    ),
    "${model}": build(dim=256),
}
`;

async function torchtitan(name: string, flavor: string) {
  const path = `torchtitan/models/${name}/__init__.py`;
  const sources = {
    ...nothingBeside,
    read: (asked: string) => Promise.resolve(asked === path ? { path, text: registry('built') } : null),
  };
  const text = `[job]\ndump_folder = "out"\n[model]\nname = "${name}"\nflavor = "${flavor}"\n[training]\nsteps = 10\n`;
  const read = await readText('run.toml', text, sources);
  expect(read?.id).toBe('torchtitan');
  return read === null ? null : countModel(read.reading.model, read.access);
}

describe('torchtitan', () => {
  it.each([
    ['llama3', '8B', 8_030_261_248],
    // Two embeddings of 2048, six layers with 768 in between, by hand.
    ['llama3', 'debugmodel', 2 * 2048 * 256 + 6 * (4 * 256 ** 2 + 3 * 256 * 768 + 2 * 256) + 256],
    ['qwen3', 'small', 596_049_920],
  ])('counts %s/%s by the registry of its checkout', async (name, flavor, parameters) => {
    const counted = await torchtitan(name, flavor);
    expect(counted?.model).toMatchObject({
      counts: { unique: parameters },
      origin: { kind: 'file', path: `torchtitan/models/${name}/__init__.py` },
    });
  });

  it.each([
    ['llama3', 'experts'],
    ['llama3', 'built'],
    ['llama3', 'none'],
    // The same class with experts in every second layer.
    ['llama4', 'debugmodel'],
  ])('names %s/%s, which text does not tell', async (name, flavor) => {
    expect(await torchtitan(name, flavor)).toEqual({ model: null, missing: { why: 'not-found', name: `${name}/${flavor}` } });
  });

  it('takes the model of a launch from the function that makes its config, and no defaults for what that sets', async () => {
    const launch =
      'CONFIG=${CONFIG:-llama3_8b_mxfp8}\ntorchrun --nproc_per_node=8 -m torchtitan.train --module llama3 --config ${CONFIG}';
    const read = await readText('run.sh', `${launch} --checkpoint.enable --training.steps 700\n`);
    const counted = read === null ? null : await countModel(read.reading.model, read.access);
    expect(counted?.model?.counts.unique).toBe(8_030_261_248);
    expect(read?.reading.plan).toMatchObject({ steps: 700, keep: 10 });
    expect(read?.reading.plan.saveIntervalSteps).toBeUndefined();
    expect(read?.reading.plan.notes).toContain('rest-of-recipe');
    expect(read?.reading.plan.notes).not.toContain('default-batch');
    expect(
      await readText('run.sh', 'torchrun -m torchtitan.models.flux.inference.infer --module flux --config flux_dev\n'),
    ).toBeNull();
  });
});

describe('torchtune', () => {
  const config = (model: string): string =>
    `model:\n  _component_: torchtune.models.${model}\ncheckpointer:\n  checkpoint_dir: /tmp/none\nepochs: 1\n`;
  const count = async (model: string) => {
    const read = await readText('full.yaml', config(model));
    return read === null ? null : (await countModel(read.reading.model, read.access)).model?.counts.unique;
  };

  const untrained = (keys: string): string =>
    `${config('llama2.llama2_7b').replace('epochs: 1\n', '')}dtype: bf16\nbatch_size: 8\n${keys}\n`;

  it.each([
    ['tasks: [mmlu]\nmax_seq_length: 4096', 8],
    ['prompt: { user: Hi }\nmax_seq_length: 4096', 1],
  ])('loads its model with %s', async (keys, sequences) => {
    const { report } = await estimateText('recipe.yaml', untrained(keys));
    const bytesPerToken = 32 * 2 * 4096 * 2;
    expect(report).toMatchObject({
      trainsNothing: true,
      serving: {
        weights: { bytes: 2 * 6_738_415_616, as: 'bf16', basis: 'given' },
        cache: { bytesPerToken, contextTokens: 4096, contextBasis: 'given' },
        sequences,
        cacheBytes: sequences * 4096 * bytesPerToken,
      },
    });
  });

  it('quantizes: neither trains nor serves', async () => {
    expect(await readText('recipe.yaml', untrained('quantizer: { groupsize: 256 }'))).toBeNull();
  });

  it('counts models whose sizes are all written', async () => {
    const sizes = '\n  vocab_size: 32000\n  num_layers: 22\n  num_heads: 32\n  num_kv_heads: 4\n  embed_dim: 2048';
    // TinyLlama has 1,100,048,384.
    expect(await count(`llama2.llama2${sizes}`)).toBe(1_100_048_384);
    expect(await count(`llama2.lora_llama2${sizes}\n  lora_rank: 8`)).toBe(1_100_048_384);
    expect(await count(`llama3.llama3${sizes}\n  intermediate_dim: 1024`)).toBe(1_100_048_384 - 22 * 3 * 2048 * (5632 - 1024));
    // Other modules, and sizes that are missing.
    expect(await count(`gemma2.gemma2${sizes}`)).toBeUndefined();
    expect(await count('llama2.llama2\n  vocab_size: 32000\n  embed_dim: 2048')).toBeUndefined();
  });
});
