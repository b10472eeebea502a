import { describe, expect, it } from 'vitest';
import { countModel } from '../../../src/core/configs/countModel.js';
import { readText } from './readConfigFixture.js';

const sizes =
  '--num-layers 2 --hidden-size 64 --num-attention-heads 4 --vocab-size 256 --disable-bias-linear --normalization RMSNorm';
const launch = (flags: string): string =>
  `ray job submit -- python3 train.py --actor-num-nodes 1 --rollout-batch-size 8 --num-rollout 100 ${flags}\n`;

async function readLaunch(flags: string) {
  const read = await readText('run.sh', launch(flags));
  expect(read?.id).toBe('slime');
  return read === null ? null : { plan: read.reading.plan, ...(await countModel(read.reading.model, read.access)) };
}

describe('launches of slime', () => {
  it('save by the interval of rollouts alone', async () => {
    const saved = await readLaunch(`--hf-checkpoint a/b ${sizes} --save out --save-interval 20 --no-save-optim`);
    expect(saved?.plan).toMatchObject({ steps: 100, saveIntervalSteps: 20, lastSave: 'all', keep: null, savesOptimizer: false });
    const never = await readLaunch(`--hf-checkpoint a/b ${sizes} --save out`);
    expect(never?.plan.notes).toContain('saves-never');
    expect(never?.plan.lastSave).toBeUndefined();
    expect((await readLaunch(`--hf-checkpoint a/b ${sizes} --advantage-estimator ppo`))?.plan.notes).toContain(
      'critic-not-counted',
    );
  });

  it('count the model of --hf-checkpoint where a function builds other layers, unless its sizes are others', async () => {
    const spec = '--spec "plugins.models.next" "get_spec" --hidden-size 4096 --num-attention-heads 32 --vocab-size 128256';
    const other = await readLaunch(`--hf-checkpoint /data/Meta-Llama-3-8B ${spec} --num-layers 32`);
    expect(other?.model?.counts.unique).toBe(8_030_261_248);
    expect((await readLaunch(`--hf-checkpoint /data/Meta-Llama-3-8B ${spec} --num-layers 5`))?.model).toBeNull();
    const unknown = await readLaunch(`--hf-checkpoint /data/Next-80B ${spec} --num-layers 32`);
    expect(unknown?.missing).toEqual({ why: 'not-found', name: '/data/Next-80B' });
  });

  it('count norms behind attention and perceptron', async () => {
    // GLM-4-9B-0414 has 9,400,279,040.
    const glm =
      '--spec "slime_plugins.models.glm4" "get_glm_spec" --swiglu --num-layers 40 --hidden-size 4096 --ffn-hidden-size 13696 --num-attention-heads 32 ' +
      '--group-query-attention --num-query-groups 2 --use-rotary-position-embeddings --disable-bias-linear --add-qkv-bias --normalization RMSNorm ' +
      '--vocab-size 151552 --post-self-attn-layernorm --post-mlp-layernorm --untie-embeddings-and-output-weights';
    expect((await readLaunch(`--hf-checkpoint /data/none ${glm}`))?.model?.counts.unique).toBe(9_400_279_040);
  });
});

it('Megatron’s layers are not counted where a function builds others, or gates are at the attention', async () => {
  const of = async (flags: string) => {
    const read = await readText('run.sh', `torchrun pretrain_gpt.py ${sizes} --seq-length 8 ${flags}\n`);
    return read?.reading.model;
  };
  expect(await of('')).not.toBeNull();
  expect(await of('--spec my.module get_spec')).toBeNull();
  expect(await of('--attention-output-gate')).toBeNull();
});
