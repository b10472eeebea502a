/** What LLaMA-Factory's own options make of a checkpoint (llamafactory at ff6d4d12). */
import { describe, expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

const llama = 8_030_261_248;
const layer = 218_112_000;
const hidden = 4096;

const yaml = (...rest: readonly string[]) =>
  `do_train: true\nmodel_name_or_path: base\ntemplate: llama3\ndataset: identity\noutput_dir: out\nper_device_train_batch_size: 1\nmax_steps: 1000\n${rest.join('\n')}\n`;

const estimateOf = async (...rest: readonly string[]) =>
  (await estimateText('a.yaml', yaml(...rest), { beside: { 'base/config.json': llamaConfig() } })).report;

const assumptionsOf = ({ assumptions }: Awaited<ReturnType<typeof estimateOf>>) => assumptions.map(({ text }) => text).join('\n');

describe('BAdam', () => {
  const badam = ['stage: sft', 'finetuning_type: full', 'use_badam: true'];

  it('saves the moments of one layer, and weights in 16 bits', async () => {
    const report = await estimateOf(...badam);
    expect(report.checkpoint.bytes).toBe(llama * 2 + layer * 8);
    expect(report.parameters?.trainable).toBe(layer * 32);
    expect(assumptionsOf(report)).toContain('one at a time has optimizer state, which alone a checkpoint has');
  });

  it('says so where layers differ', async () => {
    const mixed = {
      model_type: 'qwen3_moe',
      num_experts: 8,
      num_experts_per_tok: 2,
      mlp_only_layers: [0],
      moe_intermediate_size: 64,
    };
    const beside = { 'base/config.json': llamaConfig({ ...mixed, architectures: ['Qwen3MoeForCausalLM'], head_dim: 128 }) };
    const { report } = await estimateText('a.yaml', yaml(...badam), { beside });
    expect(report.checkpoint.bytes).not.toBeNull();
    expect(assumptionsOf(report)).toContain('so the optimizer state of a checkpoint is smaller than shown');
  });

  it.each([
    [500, 0],
    [250, 2 * 2],
  ])('by shares has dropped its state at multiples of 100, saved every %d steps', async (steps, moments) => {
    const report = await estimateOf(...badam, 'badam_mode: ratio', `save_steps: ${steps}`);
    expect(report.checkpoint.bytesPerParameter).toBe(2 + moments);
    expect(assumptionsOf(report)).toContain(moments === 0 ? 'drops its state' : 'smaller than shown');
  });
});

describe('the value head', () => {
  const head = hidden + 1;

  it.each(['rm', 'ppo'])('is saved with the model in stage %s', async (stage) => {
    const report = await estimateOf(`stage: ${stage}`, 'finetuning_type: full', 'pure_bf16: true');
    expect(report.parameters?.unique).toBe(llama + head);
    expect(report.checkpoint.bytes).toBe((llama + head) * 6);
  });

  it('is saved with an adapter', async () => {
    const adapter = (await estimateOf('stage: sft', 'finetuning_type: lora')).parameters?.trainable ?? 0;
    const report = await estimateOf('stage: rm', 'finetuning_type: lora');
    expect(adapter).toBeGreaterThan(0);
    expect(report.parameters?.trainable).toBe(adapter + head);
    expect(report.checkpoint.bytes).toBe((adapter + head) * 12);
  });

  it('has the width of the language model', async () => {
    const text = yaml('stage: rm', 'finetuning_type: full').replace(
      'name_or_path: base',
      'name_or_path: Qwen/Qwen2.5-VL-7B-Instruct',
    );
    const alone = (await estimateText('a.yaml', text.replace('stage: rm', 'stage: dpo'))).report.parameters?.unique ?? 0;
    expect(alone).toBeGreaterThan(0);
    expect((await estimateText('a.yaml', text)).report.parameters?.unique).toBe(alone + 3584 + 1);
  });

  it('is in no other stage', async () => {
    expect((await estimateOf('stage: dpo', 'finetuning_type: full')).parameters?.unique).toBe(llama);
  });
});

describe('Megatron', () => {
  const keys = ['tensor_model_parallel_size: 2', 'pipeline_model_parallel_size: 4', 'use_distributed_optimizer: true'];

  it('has weights, a 32-bit copy and moments by mcore_adapter', async () => {
    const report = await estimateOf('stage: sft', 'finetuning_type: full', 'bf16: true', 'save_steps: 100', ...keys);
    expect(report.checkpoint.bytes).toBe(llama * 14);
    expect(report.run).toMatchObject({ saves: 10, endBytes: llama * 2 });
    expect(report.training).toMatchObject({
      tensorParallel: 2,
      pipelineParallel: 4,
      sharding: 'optimizer',
      saveIntervalSteps: 100,
    });
  });

  it('saves a model for transformers besides', async () => {
    const report = await estimateOf('stage: sft', 'finetuning_type: full', 'bf16: true', 'save_hf_model: true', ...keys);
    expect(report.checkpoint.bytes).toBe(llama * 16);
  });

  it('keeps all checkpoints by Megatron-Bridge', async () => {
    const bridge = ['mixed_precision: bf16_mixed', 'save_steps: 300', 'save_total_limit: 1'];
    const report = await estimateOf('stage: sft', 'finetuning_type: full', ...keys, ...bridge);
    expect(report.checkpoint.bytes).toBe(llama * 14);
    expect(report.run).toMatchObject({ saves: 4, kept: 4, endBytes: null });
    expect(assumptionsOf(report)).toContain('first converted');
  });

  it('trains one adapter for each of its matrices by Megatron-Bridge', async () => {
    const report = await estimateOf('stage: sft', 'finetuning_type: lora', ...keys, 'mixed_precision: bf16_mixed');
    const fused = 32 * 8 * (4096 + 6144 + 4096 + 4096 + 4096 + 2 * 14336 + 14336 + 4096);
    expect(report.parameters?.trainable).toBe(fused);
    expect(report.checkpoint.bytes).toBe(fused * 14);
  });

  it('is not meant by the precision of a launcher', async () => {
    const text = `accelerate launch --mixed_precision bf16 src/train.py --stage sft --do_train --model_name_or_path base --dataset a --template llama3 --finetuning_type full --output_dir out --bf16 --max_steps 100\n`;
    const { report } = await estimateText('a.sh', text, { beside: { 'base/config.json': llamaConfig() } });
    expect(report.checkpoint.bytes).toBe(llama * 12);
  });
});

describe('evaluation', () => {
  const lora = 'model_name_or_path: base\ntemplate: llama3\n';
  const rest = `stage: sft\nfinetuning_type: lora\ncutoff_len: 2048\neval_dataset: a\noutput_dir: out\nper_device_eval_batch_size: 1\n`;

  it.each([
    `${rest}do_predict: true\n`,
    `${rest}do_eval: true\ndo_train: false\n`,
    'task: mmlu_test\nlang: en\nn_shot: 5\nsave_dir: out\nbatch_size: 4\n',
    'infer_backend: vllm\nvllm_maxlen: 4096\n',
  ])('trains nothing', async (keys) => {
    const { report } = await estimateText('a.yaml', lora.replace('base', 'meta-llama/Llama-3.1-8B') + keys);
    expect(report).toMatchObject({ trainsNothing: true, checkpoint: { adapter: null, bytes: 0 }, run: { saves: 0 } });
    expect(report.serving?.weights?.bytes).toBe(2 * 8_030_261_248);
  });

  it('may follow a training', async () => {
    const text = `${lora}${rest}dataset: a\ndo_predict: true\ndo_train: `;
    expect((await readText('a.yaml', `${text}true\n`))?.id).toBe('llama-factory');
    expect((await readText('a.yaml', `${text}$TRAIN\n`))?.id).toBe('llama-factory');
  });
});
