/** What each writer saves of the same model: adapters, last checkpoints, optimizers. Numbers are worked out at each case. */
import { describe, expect, it } from 'vitest';
import { openConfig } from '../../../src/core/estimates/estimate.js';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';

/** Llama 3 8B. */
const unique = 8_030_261_248;
/** Rows of its embedding times its hidden size. */
const embedding = 128_256 * 4096;
/** A LoRA of rank 8 over queries and values: 32 layers, (4096 + 4096) x 8 and (4096 + 1024) x 8. */
const adapter = 32 * 8 * (4096 + 4096 + 4096 + 1024);
const beside = { 'llama/config.json': llamaConfig() };

async function sizeOf(name: string, text: string, files: Record<string, string> = beside) {
  const { report } = await estimateText(name, text, { beside: files });
  const terms = Object.fromEntries(report.checkpoint.terms.map((term) => [term.name, term.bytes]));
  return { report, bytes: report.checkpoint.bytes, terms };
}

const trainer = (...lines: string[]): string =>
  [
    'model_name_or_path: ./llama',
    'output_dir: out',
    'per_device_train_batch_size: 1',
    'num_train_epochs: 1',
    'bf16: true',
    ...lines,
    '',
  ].join('\n');
const lora = ['use_peft: true', 'lora_r: 8', 'lora_target_modules: [q_proj, v_proj]'];

describe('adapters', () => {
  it('of PEFT are trained and saved in 32 bits', async () => {
    const { bytes } = await sizeOf('sft.yaml', trainer(...lora));
    expect(bytes).toBe(adapter * (4 + 8));
  });

  it.each([
    // Weights in 16 bits, the copy, two moments; below stage 3 the engine's files hold the weights once more.
    [2, 2 + 4 + 8 + 2],
    [3, 2 + 4 + 8],
  ])('under ZeRO-%i have the copies of its engine', async (stage, perParameter) => {
    const deepspeed = JSON.stringify({ zero_optimization: { stage }, bf16: { enabled: true } });
    const { bytes } = await sizeOf('sft.yaml', trainer(...lora, 'deepspeed: ds.json'), { ...beside, 'ds.json': deepspeed });
    expect(bytes).toBe(adapter * perParameter);
  });

  const tune = (...lines: string[]): string =>
    [
      'model:',
      '  _component_: torchtune.models.llama3.lora_llama3_8b',
      '  lora_attn_modules: [q_proj, v_proj]',
      '  lora_rank: 8',
      'checkpointer:',
      '  _component_: torchtune.training.FullModelHFCheckpointer',
      'optimizer:',
      '  _component_: torch.optim.AdamW',
      'dtype: bf16',
      'epochs: 3',
      ...lines,
      '',
    ].join('\n');

  it('of torchtune are merged into the whole model as well, without an optimizer at the end', async () => {
    const { bytes, report } = await sizeOf('lora.yaml', tune());
    // The adapter lies there for torchtune and for PEFT.
    const merged = 2 * unique + 2 * 2 * adapter;
    expect(bytes).toBe(merged + 4 * adapter);
    expect(report.checkpoint.parameters).toBe(unique);
    expect(report.checkpoint.bytesPerParameter).toBeCloseTo((merged + 4 * adapter) / unique, 10);
    expect(report.run).toMatchObject({ saves: 3, lastBytes: merged, bytes: 2 * (merged + 4 * adapter) + merged });
  });

  it('of torchtune are alone where the config asks for it', async () => {
    const { bytes, report } = await sizeOf('lora.yaml', tune('save_adapter_weights_only: True'));
    expect(bytes).toBe(8 * adapter);
    expect(report.run.lastBytes).toBe(4 * adapter);
  });

  it('of LitGPT are saved without an optimizer', async () => {
    const { bytes, report } = await sizeOf(
      'lora.yaml',
      [
        'checkpoint_dir: ./llama',
        'out_dir: out',
        'precision: bf16-true',
        'lora_r: 8',
        'lora_query: true',
        'lora_key: false',
        'lora_value: true',
        'train:',
        '  save_interval: 200',
        '  max_steps: 1000',
        '  global_batch_size: 8',
        '',
      ].join('\n'),
    );
    expect(bytes).toBe(2 * adapter);
    // Its `final/` has the merged model beside the adapter.
    const merged = 2 * (report.parameters?.unique ?? 0);
    expect(report.run).toMatchObject({ saves: 5, bytes: 6 * 2 * adapter + merged, endBytes: 2 * adapter + merged });
  });
});

describe('optimizers', () => {
  it('of bitsandbytes have embeddings in 32 bits where the Trainer drives them', async () => {
    const { bytes: quantized } = await sizeOf('sft.yaml', trainer('optim: adamw_torch_8bit'));
    const { bytes } = await sizeOf('sft.yaml', trainer('optim: adamw_bnb_8bit'));
    // Two moments in 4 bytes in place of one and a scale of 4 bytes for each 256.
    expect((bytes ?? 0) - (quantized ?? 0)).toBe(2 * (4 * embedding - embedding - (4 * embedding) / 256));
  });

  const megatron = (...flags: string[]): string =>
    `python pretrain_gpt.py --num-layers 2 --hidden-size 128 --num-attention-heads 2 --seq-length 64 --max-position-embeddings 64 ` +
    `--micro-batch-size 1 --train-iters 100 --save out --save-interval 30 --bf16 ${flags.join(' ')}\n`;

  it('of Megatron that are aware of precision keep the lower half of weights', async () => {
    const { report } = await sizeOf('run.sh', megatron('--use-distributed-optimizer', '--use-precision-aware-optimizer'));
    expect(report.checkpoint.bytesPerParameter).toBe(2 + 2 + 8);
    const usual = await sizeOf('run.sh', megatron('--use-distributed-optimizer'));
    expect(usual.report.checkpoint.bytesPerParameter).toBe(2 + 4 + 8);
  });

  // Bytes of weights, of what is saved of their 32-bit copy, and of both moments.
  it.each([
    ['', 2 + 2 + 8],
    ['--main-params-dtype fp16', 2 + 4 + 8],
    ['--ckpt-format torch', 2 + 4 + 8],
    ['--dist-ckpt-optim-fully-reshardable', 2 + 4 + 8],
    ['--optimizer-cpu-offload', 2 + 4 + 8],
    ['--fp8-format hybrid --fp8-recipe delayed', 2 + 2 + 8],
    ['--fp8-format e4m3 --fp8-recipe blockwise', 2 + 4 + 4],
    ['--use-megatron-fsdp --ckpt-format fsdp_dtensor', 4 + 4 + 4],
  ])('of Megatron save moments of 16 bits with %s', async (flags, bytes) => {
    const aware = '--use-distributed-optimizer --use-precision-aware-optimizer --exp-avg-dtype bf16 --exp-avg-sq-dtype bf16';
    const { report } = await sizeOf('run.sh', megatron(aware, flags));
    expect(report.checkpoint.bytesPerParameter).toBe(bytes);
  });

  it.each([
    ['--use-megatron-fsdp --data-parallel-sharding-strategy optim_grads_params --ckpt-format fsdp_dtensor', 'weights'],
    ['--use-megatron-fsdp', 'optimizer'],
  ])('of Megatron save the 32-bit weights in place of the model’s with %s', async (flags, sharding) => {
    const { report } = await sizeOf('run.sh', megatron('--use-distributed-optimizer', flags));
    expect(report.checkpoint.terms.map(({ name, dtype }) => `${name} ${dtype}`)).toEqual([
      'weights f32',
      'firstMoment f32',
      'secondMoment f32',
    ]);
    expect(report.training.sharding).toBe(sharding);
  });

  it('of Megatron save at the last step too', async () => {
    const { report } = await sizeOf('run.sh', megatron());
    expect(report.run).toMatchObject({ saves: 4, kept: 4 });
  });

  it('gather ZeRO-3 by the current name of the key', async () => {
    const deepspeed = (key: string): string =>
      JSON.stringify({ zero_optimization: { stage: 3, [key]: true }, bf16: { enabled: true }, train_batch_size: 8 });
    const { terms } = await sizeOf('ds.json', deepspeed('gather_16bit_weights_on_model_save'));
    const { terms: earlier } = await sizeOf('ds.json', deepspeed('stage3_gather_16bit_weights_on_model_save'));
    expect(terms).toHaveProperty('weights');
    expect(terms).toEqual(earlier);
  });
});

describe('models', () => {
  it('of pretrain_gpt.py have the vocabulary of GPT-2, unless a tokenizer is named', async () => {
    const script = (flags: string): string =>
      `torchrun pretrain_gpt.py --num-layers 1 --hidden-size 128 --num-attention-heads 2 --seq-length 64 --max-position-embeddings 64 --train-iters 1 ${flags}\n`;
    const { report } = await sizeOf('run.sh', script(''));
    // Embedding of 50,304 rows and 64 positions; 4 h² + h·4h·2 with biases, two norms, one behind.
    const [h, rows] = [128, 50_304];
    const layer = 4 * h * h + 4 * h + 8 * h * h + 5 * h + 4 * h;
    expect(report.parameters?.unique).toBe((rows + 64) * h + layer + 2 * h);
    expect(report.assumptions.map(({ source }) => source)).toContain('megatron: default-tokenizer');
    expect((await sizeOf('run.sh', script('--patch-tokenizer-type Qwen2Tokenizer'))).report.parameters).toBeNull();
  });

  it('of GPT-NeoX give a gate and its partner two thirds of the width together', async () => {
    const { report } = await sizeOf(
      '7B.yml',
      JSON.stringify({
        pipe_parallel_size: 1,
        model_parallel_size: 1,
        make_vocab_size_divisible_by: 1,
        num_layers: 32,
        hidden_size: 4096,
        intermediate_size: 32_768,
        num_attention_heads: 32,
        pos_emb: 'rotary',
        no_weight_tying: true,
        norm: 'rmsnorm',
        use_bias_in_mlp: false,
        use_bias_in_attn_linear: false,
        activation: 'swiglu',
        mlp_multiple_of: 256,
      }),
    );
    const layer = 4 * 4096 ** 2 + 3 * 4096 * 11_008 + 2 * 4096;
    expect(report.parameters?.unique).toBe(32 * layer + 2 * 50_257 * 4096 + 4096);
  });

  it('of nanotron have the experts of their layers', async () => {
    const config = (moe: object): string =>
      JSON.stringify({
        checkpoints: { checkpoint_interval: 10 },
        tokens: { train_steps: 25 },
        model: {
          dtype: 'bfloat16',
          model_config: {
            hidden_size: 64,
            num_hidden_layers: 4,
            num_attention_heads: 4,
            num_key_value_heads: 4,
            intermediate_size: 256,
            vocab_size: 1000,
            is_qwen2_config: true,
            ...moe,
          },
        },
      });
    const moe = { num_experts: 8, top_k: 2, moe_intermediate_size: 32, layers: [1, 3], enable_shared_expert: false };
    const { report } = await sizeOf('moe.yaml', config({ moe_config: moe }));
    const attention = 4 * 64 * 64 + 2 * 64;
    const dense = 3 * 64 * 256;
    const experts = 8 * 64 + 8 * 3 * 64 * 32;
    expect(report.parameters?.unique).toBe(2 * 1000 * 64 + 64 + 4 * attention + 2 * dense + 2 * experts);
    expect(report.run.saves).toBe(3);
    // Experts of its examples are modules that are not counted.
    expect((await sizeOf('moe.yaml', config({ moe_num_experts: 4 }))).report.parameters).toBeNull();
  });
});

it('verl with Megatron saves the 32-bit copy of its optimizer', async () => {
  const script = (flags: string): string =>
    `python3 -m verl.trainer.main_ppo ${flags} actor_rollout_ref.model.path=./llama trainer.save_freq=10 trainer.total_training_steps=25\n`;
  for (const flags of ["--config-name='ppo_megatron_trainer.yaml'", 'actor_rollout_ref.actor.strategy=megatron'])
    expect((await sizeOf('run.sh', script(flags))).bytes).toBe(14 * unique);
  const { bytes, report } = await sizeOf('run.sh', script(''));
  expect(bytes).toBe(12 * unique);
  expect(report.run.saves).toBe(3);
});

describe('what is not in a config', () => {
  it.each([
    ['profile.json', '{"defaultAction": "SCMP_ACT_ERRNO", "architectures": ["SCMP_ARCH_X86_64"], "syscalls": []}'],
    ['llama.json', '{"model_type": "llama", "architectures": ["LlamaForCausalLM"], "layer_templates": {"weights": []}}'],
    ['train.py', "out_dir = 'out'\nbatch_size = 4\nmax_iters = 10\neval_interval = 5\nn_layers = 6\nn_heads = 6\ndim = 288\n"],
  ])('%s is no config of a model', async (name, text) => {
    expect(await openConfig(name, text)).toBeNull();
  });

  it('is named where the class of the model has it', async () => {
    const { report } = await sizeOf('config.json', '{"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16}');
    expect(report.model).toMatchObject({
      basis: 'class-defaults',
      defaulted: expect.arrayContaining(['vocab_size', 'intermediate_size', 'num_attention_heads']) as string[],
    });
    expect(report.assumptions.map(({ text }) => text).join()).toContain(
      'not set, so the defaults of the model’s class are taken',
    );
    expect((await sizeOf('config.json', llamaConfig())).report.model).toMatchObject({ basis: 'architecture', defaulted: [] });
  });

  it('leaves the tokenizer of a script open that chooses it by a condition', async () => {
    const script =
      'ARGS=(--num-layers 1 --hidden-size 128 --num-attention-heads 2 --seq-length 64 --train-iters 1)\n' +
      'if [ "$1" = MOCK ]; then ARGS+=(--tokenizer-type NullTokenizer); fi\ntorchrun pretrain_gpt.py ${ARGS[@]}\n';
    expect((await sizeOf('run.sh', script)).report.parameters).toBeNull();
  });
});
