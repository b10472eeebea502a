/** Runs of LLaMA-Factory that train some layers: LLaMA Pro, and the last or first ones. */
import { expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';

/** Of one layer of Llama 3 8B: queries and outputs, keys and values, three matrices, two norms. */
const layer = 2 * 4096 * 4096 + 2 * 1024 * 4096 + 3 * 4096 * 14336 + 2 * 4096;
const outside = 2 * 128256 * 4096 + 4096;
const whole = outside + 40 * layer;
const beside = { 'pro/config.json': llamaConfig({ num_hidden_layers: 40 }) };

const config = (...lines: string[]) =>
  [
    'model_name_or_path: pro',
    'finetuning_type: freeze',
    'dataset: a',
    'cutoff_len: 128',
    'save_steps: 10',
    'bf16: true',
    ...lines,
    '',
  ].join('\n');

async function sizeOf(...lines: string[]) {
  const { report, estimate } = await estimateText('a.yaml', config(...lines), { beside });
  return {
    trainable: report.parameters?.trainable,
    weights: report.checkpoint.terms.find(({ name }) => name === 'weights')?.bytes,
    bytes: report.checkpoint.bytes,
    isSaid:
      estimate.plan.notes?.includes('partly-frozen') === true &&
      report.assumptions.some(({ text }) => text.includes('smaller than shown')),
  };
}

it('counts the state of the expanded layers of LLaMA Pro', async () => {
  const trained = 8 * layer;
  expect(await sizeOf('freeze_trainable_layers: 8', 'use_llama_pro: true')).toEqual({
    trainable: trained,
    weights: 2 * (whole - trained) + 4 * trained,
    bytes: 2 * (whole - trained) + 12 * trained,
    isSaid: false,
  });
});

it('takes two layers where none are set, the first ones too, and no more than there are', async () => {
  expect((await sizeOf()).trainable).toBe(2 * layer);
  expect((await sizeOf('freeze_trainable_layers: -3')).trainable).toBe(3 * layer);
  expect((await sizeOf('freeze_trainable_layers: 64')).trainable).toBe(40 * layer);
});

it('counts parts of layers', async () => {
  const part = 4 * 3 * 4096 * 14336;
  expect((await sizeOf('freeze_trainable_layers: 4', 'freeze_trainable_modules: mlp')).trainable).toBe(part);
});

it('saves what is frozen in the same dtype in 16 bits throughout', async () => {
  expect((await sizeOf('pure_bf16: true', 'freeze_trainable_layers: 8')).weights).toBe(2 * whole);
});

it('counts modules beside the layers that are trained, by any part of a name', async () => {
  const embedding = 128256 * 4096;
  expect(await sizeOf('freeze_extra_modules: embed_tokens')).toMatchObject({ trainable: 2 * layer + embedding, isSaid: false });
  expect((await sizeOf('freeze_extra_modules: embed_tokens,lm_head')).trainable).toBe(2 * layer + 2 * embedding);
  // Norms within layers have the name of the last one in theirs.
  expect((await sizeOf('freeze_extra_modules: norm')).trainable).toBe(2 * layer + 38 * 2 * 4096 + 4096);
});

it('says so where a module beside the layers is not known', async () => {
  for (const name of ['visual.merger', 'q_proj', 'other'])
    expect(await sizeOf(`freeze_extra_modules: ${name}`)).toMatchObject({ trainable: whole, isSaid: true });
});

it('counts layers of the language model alone, and says so where other parts are trained too', async () => {
  const multimodal = async (rest: string) => {
    const text = `model_name_or_path: Qwen/Qwen2.5-VL-7B-Instruct\ndo_train: true\nfinetuning_type: freeze\ndataset: a\ncutoff_len: 128\nsave_steps: 10\nbf16: true\nfreeze_trainable_layers: 4\n${rest}`;
    return (await estimateText('a.yaml', text)).report.parameters;
  };
  const own = 2 * 3584 * 3584 + 2 * 512 * 3584 + 3584 + 2 * 512 + 3 * 3584 * 18944 + 2 * 3584;
  expect((await multimodal(''))?.trainable).toBe(4 * own);
  expect((await multimodal('freeze_extra_modules: lm_head\n'))?.trainable).toBe(4 * own + 152064 * 3584);
  const open = await multimodal('freeze_multi_modal_projector: false\n');
  expect(open?.trainable).toBe(open?.unique);
});
