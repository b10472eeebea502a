/** Numbers that a sample of public configs showed to be wrong. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

describe('Open Instruct', () => {
  const launch = (engine: string, flags = '--checkpointing_steps 500'): string =>
    `accelerate launch --num_processes 8 ${engine} open_instruct/finetune.py --model_name_or_path meta-llama/Llama-3.1-8B --max_seq_length 4096 --per_device_train_batch_size 1 --num_train_epochs 2 --output_dir out ${flags}\n`;
  const reportOf = async (engine: string, flags?: string) => (await estimateText('run.sh', launch(engine, flags))).report;

  it('saves the optimizer’s shards alone under ZeRO-3, which its launches name', async () => {
    const report = await reportOf('');
    expect(report.checkpoint).toMatchObject({ bytes: 8_030_261_248 * 12, bytesPerParameter: 12 });
    expect(report.assumptions.map(({ text }) => text).join(' ')).toContain('DeepSpeed ZeRO-3 is assumed');
  });

  it.each([
    ['--use_deepspeed --deepspeed_config_file configs/ds_configs/stage3_no_offloading_accelerate.conf', 12],
    ['--config_file configs/ds_configs/deepspeed_zero3.yaml', 12],
    ['--config_file configs/ds_configs/deepspeed_zero2.yaml', 14],
  ])('has the stage of the file that is named: %s', async (engine, bytesPerParameter) => {
    const report = await reportOf(engine);
    expect(report.checkpoint.bytesPerParameter).toBe(bytesPerParameter);
    expect(report.assumptions.map(({ text }) => text).join(' ')).not.toContain('assumed');
  });

  it('gathers no weights into a checkpoint, whatever the engine’s file sets', async () => {
    const beside = {
      'ds.json': JSON.stringify({
        zero_optimization: { stage: 3, stage3_gather_16bit_weights_on_model_save: true },
        bf16: { enabled: true },
      }),
    };
    const { report } = await estimateText('run.sh', launch('--deepspeed_config_file ds.json'), { beside });
    expect(report.checkpoint.bytesPerParameter).toBe(12);
  });

  it('has the stage that DPO’s own argument sets', async () => {
    const text = launch('', '--zero_stage 2 --checkpointing_steps 500').replace('finetune.py', 'dpo_tune_cache.py');
    expect((await estimateText('run.sh', text)).report.checkpoint.bytesPerParameter).toBe(14);
  });

  it('saves the base with an adapter, of which only the optimizer’s shards are saved', async () => {
    const { checkpoint, parameters } = await reportOf('', '--checkpointing_steps 500 --use_lora --lora_rank 64');
    expect(checkpoint.bytes).toBe(8_030_261_248 * 2 + (parameters?.trainable ?? 0) * 12);
  });
});

// deepspeed/runtime/engine.py: the module's state has all weights below stage 3, `frozen_param_fragments` the frozen ones from stage 2 on.
it.each([
  [1, 1, 14],
  [2, 2, 14],
  [3, 1, 12],
])('OpenRLHF saves the frozen base with the adapter, as the engine does: ZeRO-%i', async (stage, times, adapterBytes) => {
  const text = `deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path meta-llama/Llama-3.1-8B --ds.zero_stage ${stage} --ds.param_dtype bf16 --ds.lora.rank 64 --ckpt.save_steps 100 --train.batch_size 8\n`;
  const { checkpoint, parameters } = (await estimateText('run.sh', text)).report;
  expect(checkpoint.bytes).toBe(8_030_261_248 * 2 * times + (parameters?.trainable ?? 0) * adapterBytes);
});

it.each([
  ['zero1', 8_292_166_656 * 2, 12],
  // What is frozen lies in the engine's files once more.
  ['zero2', 8_292_166_656 * 2 + (8_292_166_656 - 7_615_616_512) * 2, 12],
])('a frozen tower is in the engine’s files under %s', async (engine, weights, each) => {
  const text = `swift sft --model Qwen/Qwen2.5-VL-7B-Instruct --dataset a/b --tuner_type full --deepspeed ${engine} --save_steps 10\n`;
  const { checkpoint } = (await estimateText('run.sh', text)).report;
  const exported = checkpoint.terms.find(({ source }) => source.includes('beside DeepSpeed'))?.bytes ?? 0;
  expect((checkpoint.bytes ?? 0) - exported).toBe(weights + 7_615_616_512 * each);
});

it('a program that gathers the model itself is not advised to have the engine do so', async () => {
  const text =
    'deepspeed --module openrlhf.cli.train_sft --model.model_name_or_path meta-llama/Llama-3.1-8B --zero_stage 3 --ckpt.save_steps 100 --train.batch_size 8\n';
  const { report } = await estimateText('run.sh', text);
  expect(report.findings.map(({ code }) => code)).not.toContain('sharded-weights-not-gathered');
  expect((await readText('run.sh', text))?.reading.plan.zeroStage).toBe(3);
});

describe('OFT', () => {
  const factory = (rest: string): string =>
    `stage: sft\ndo_train: true\nmodel_name_or_path: meta-llama/Meta-Llama-3-8B-Instruct\ntemplate: llama3\ndataset: identity\nfinetuning_type: oft\nbf16: true\noutput_dir: out\nper_device_train_batch_size: 1\nmax_steps: 100\n${rest}`;

  it.each([
    ['oft_block_size: 32', 19_300_352],
    ['', 19_300_352],
    // 64 blocks of 64 or 224 inputs: 64 * 63 / 2 and 224 * 223 / 2 each.
    ['oft_rank: 64\noft_block_size: 0', 32 * 64 * (6 * 2016 + 24_976)],
    // 31 does not divide 4,096 and 14,336 inputs, 32 does.
    ['oft_block_size: 31', 19_300_352],
  ])('of LLaMA-Factory is an adapter: %s', async (rest, trainable) => {
    const { report } = await estimateText('a.yaml', factory(`${rest}\n`));
    expect(report.parameters?.trainable).toBe(trainable);
    expect(report.checkpoint.bytes).toBe(trainable * 12);
    expect(report.training.adapterRank).toBeNull();
  });

  it('of PEFT is counted by its blocks', async () => {
    const config = { peft_type: 'OFT', r: 32, oft_block_size: 0, target_modules: ['q_proj', 'v_proj'] };
    const named = { ...config, base_model_name_or_path: 'meta-llama/Meta-Llama-3-8B' };
    const of = async (values: object) => (await estimateText('adapter_config.json', JSON.stringify(values))).report;
    // 32 blocks of 128 in each of two modules of 32 layers.
    expect((await of(named)).parameters?.trainable).toBe(32 * 2 * 32 * 8128);
    expect((await of({ ...named, block_share: true })).parameters?.trainable).toBe(32 * 2 * 8128);
    expect((await of({ ...named, oft_block_size: 32 })).parameters?.trainable).toBeNull();
  });
});

describe('an adapter of a Python trainer', () => {
  const script = (adapter: string): string =>
    `trainer = GRPOTrainer(\n    model="Qwen/Qwen3-4B",\n    args=GRPOConfig(output_dir="out", max_steps=100, save_steps=10),\n    peft_config=${adapter},\n)\ntrainer.train()\n`;

  it.each([
    ['LoraConfig()', 2_949_120],
    ['LoraConfig(task_type="CAUSAL_LM")', 2_949_120],
    ['LoraConfig(r=16)', 2 * 2_949_120],
    ['LoraConfig(target_modules=["q_proj"])', 36 * 8 * (2560 + 4096)],
    // Of an adapter without a size, and never the whole model.
    ['LoraConfig(r=args.rank)', null],
  ])('has PEFT’s own rank and targets where it sets none: %s', async (adapter, trainable) => {
    const { report } = await estimateText('grpo.py', script(adapter));
    expect(report.parameters?.trainable).toBe(trainable);
  });

  it('says whose targets they are', async () => {
    const about = async (adapter: string) => (await estimateText('grpo.py', script(adapter))).report.assumptions;
    const words = 'the adapter’s targets are the defaults for this architecture';
    expect((await about('LoraConfig()')).map(({ text }) => text)).toContain(words);
    expect((await about('LoraConfig(target_modules=["q_proj"])')).map(({ text }) => text)).not.toContain(words);
  });
});

describe('launches of PEFT’s own script over TRL', () => {
  const launch = (flags: string): string =>
    `accelerate launch train.py --model_name_or_path mistralai/Mistral-7B-v0.1 --num_train_epochs 1 --save_strategy epoch --per_device_train_batch_size 8 --bf16 True --output_dir out --lora_r 8 --lora_target_modules all-linear ${flags}\n`;

  it.each([
    ['--use_peft_lora True --use_4bit_quantization True', 20_971_520 * 6],
    ['--use_peft_lora True --use_8bit_quantization True', 20_971_520 * 6],
    ['--use_peft_lora True', 20_971_520 * 12],
    ['--use_peft_lora True --use_4bit_quantization True --use_unsloth True', 20_971_520 * 12],
    ['--use_peft_lora False', 7_241_732_096 * 12],
  ])('train adapters of quantized models in bf16: %s', async (flags, bytes) => {
    expect((await estimateText('run_peft.sh', launch(flags))).report.checkpoint.bytes).toBe(bytes);
  });
});

describe('parts of a multimodal model that are frozen', () => {
  const swift = (flags: string): string =>
    `swift sft --model Qwen/Qwen2.5-VL-7B-Instruct --dataset a --torch_dtype bfloat16 --max_steps 100 --save_steps 10 --output_dir out ${flags}\n`;
  const trained = async (name: string, text: string) => (await estimateText(name, text)).report.parameters?.trainable;
  const language = 7_615_616_512;
  const adapter = 20_185_088;

  it.each([
    ['--tuner_type lora --lora_rank 8', adapter],
    ['--tuner_type lora --lora_rank 8 --target_modules all-linear --freeze_vit true --freeze_aligner true', adapter],
    // Two linear layers of the projector: 5120 x 5120 and 5120 x 3584.
    ['--tuner_type lora --lora_rank 8 --freeze_aligner false', adapter + 8 * (2 * 5120 + 5120 + 3584)],
    ['--tuner_type lora --lora_rank 8 --freeze_vit false --freeze_aligner false', 25_912_320],
    ['--tuner_type full', language],
    ['--tuner_type full --freeze_vit false --freeze_aligner false', 8_292_166_656],
  ])('get no adapter and no state under ms-swift: %s', async (flags, parameters) => {
    expect(await trained('run.sh', swift(flags))).toBe(parameters);
  });

  it('are saved all the same', async () => {
    const { report } = await estimateText('run.sh', swift('--tuner_type full'));
    expect(report.checkpoint.bytes).toBe(8_292_166_656 * 2 + language * 4);
  });

  it.each([
    ['finetuning_type: lora', adapter],
    ['finetuning_type: lora\nfreeze_multi_modal_projector: false\nfreeze_vision_tower: false', 25_912_320],
    ['finetuning_type: full', language],
    ['finetuning_type: full\nfreeze_vision_tower: false\nfreeze_multi_modal_projector: false', 8_292_166_656],
  ])('are so under LLaMA-Factory: %s', async (flags, parameters) => {
    const text = `stage: sft\ndo_train: true\nmodel_name_or_path: Qwen/Qwen2.5-VL-7B-Instruct\ntemplate: qwen2_vl\ndataset: a\nbf16: true\noutput_dir: out\nmax_steps: 100\n${flags}\n`;
    expect(await trained('a.yaml', text)).toBe(parameters);
  });
});

describe('LoRA of LitGPT is on its own modules, whatever the model’s are called', () => {
  const all = ['query', 'key', 'value', 'projection', 'mlp', 'head'].map((name) => `lora_${name}: true\n`).join('');
  const trained = async (model: string, switches: string): Promise<number | null | undefined> => {
    const text = `checkpoint_dir: checkpoints/${model}\nout_dir: out\nprecision: bf16-true\nlora_r: 8\n${switches}train:\n  save_interval: 800\n`;
    return (await estimateText('lora.yaml', text)).report.parameters?.trainable;
  };

  it.each([
    ['microsoft/phi-2', all, 12_226_560],
    // Query, key and value of one matrix, and two that gate in another: 32 layers of 3,072, and a width of 8,192.
    ['microsoft/Phi-3-mini-4k-instruct', all, 8 * (32 * (4 * 6144 + 3 * (3072 + 8192)) + 3072 + 32_064)],
    // One key and value head of 64 beside 71 of queries.
    ['tiiuae/falcon-7b', 'lora_projection: false\n', 8 * 32 * (2 * 4544 + 4544 + 64)],
    ['meta-llama/Llama-2-7b-hf', '', 8 * 32 * 2 * 8192],
  ])('%s %s', async (model, switches, parameters) => {
    expect(await trained(model, switches)).toBe(parameters);
  });
});

it.each([
  ['internlm/internlm2-7b', 157_179_904],
  ['internlm/internlm2-20b', 295_723_008],
])('XTuner adapts a head that is not called `lm_head`: %s', async (model, trainable) => {
  const text = `from xtuner.engine.runner import TrainLoop\nfrom peft import LoraConfig\npretrained_model_name_or_path = "${model}"\nmax_length = 2048\nbatch_size = 1\nmax_epochs = 3\nsave_steps = 500\nmodel = dict(\n    type=SupervisedFinetune,\n    llm=dict(type=AutoModelForCausalLM.from_pretrained, pretrained_model_name_or_path=pretrained_model_name_or_path),\n    lora=dict(type=LoraConfig, r=64, lora_alpha=16, bias="none", task_type="CAUSAL_LM"),\n)\n`;
  expect((await estimateText('config.py', text)).report.parameters?.trainable).toBe(trainable);
});

describe('optimizers of bitsandbytes that have state in 32 bits', () => {
  const tune = (optimizer: string): string =>
    `tokenizer:\n  _component_: torchtune.models.llama3.llama3_tokenizer\nmodel:\n  _component_: torchtune.models.llama3.llama3_8b\noptimizer:\n  _component_: ${optimizer}\ndtype: bf16\nepochs: 1\nbatch_size: 2\n`;

  it.each([
    ['bitsandbytes.optim.PagedAdamW', 10],
    ['torch.optim.AdamW', 6],
  ])('have it beside weights of 16 bits: %s', async (optimizer, bytesPerParameter) => {
    const { checkpoint } = (await estimateText('full.yaml', tune(optimizer))).report;
    expect(checkpoint.bytesPerParameter).toBe(bytesPerParameter);
    const words = checkpoint.terms.map(({ source }) => source).join(' ');
    expect(words.includes('bitsandbytes keeps its state in 32 bits')).toBe(bytesPerParameter === 10);
  });

  it('have it beside an adapter of 16 bits', async () => {
    const text =
      'accelerate launch trl/scripts/sft.py --model_name_or_path mistralai/Mistral-7B-v0.1 --per_device_train_batch_size 1 --num_train_epochs 1 --output_dir out --bf16 --use_peft --load_in_4bit --lora_r 8 --lora_target_modules all-linear --optim paged_adamw_32bit\n';
    expect((await estimateText('run.sh', text)).report.checkpoint.bytesPerParameter).toBe(10);
  });

  it('and PPO’s value model is named, which is not counted', async () => {
    const text = `${tune('bitsandbytes.optim.PagedAdamW')}value_checkpointer:\n  _component_: torchtune.training.FullModelHFCheckpointer\n`;
    const { assumptions } = (await estimateText('ppo.yaml', text)).report;
    expect(assumptions.map(({ text: words }) => words).join(' ')).toContain('a critic is trained and saved beside the model');
  });
});

describe('verl exports the model in the dtype that it is trained in', () => {
  const sft = (flags: string): string =>
    `torchrun -m verl.trainer.fsdp_sft_trainer model.partial_pretrain=Qwen/Qwen2.5-0.5B-Instruct trainer.save_freq=10 trainer.checkpoint.save_contents=[model,optimizer,extra,hf_model] ${flags}\n`;
  const grpo = (flags: string): string =>
    `python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B-Instruct trainer.save_freq=10 actor_rollout_ref.actor.checkpoint.save_contents=[model,optimizer,extra,hf_model] ${flags}\n`;

  it.each([
    [sft(''), 16],
    [sft('model.fsdp_config.model_dtype=bf16'), 2 + 4 + 2],
    [grpo(''), 16],
    [grpo('actor_rollout_ref.actor.strategy=megatron'), 16],
  ])('%s', async (text, bytesPerParameter) => {
    const { checkpoint } = (await estimateText('run.sh', text)).report;
    expect(checkpoint.bytes).toBe(494_032_768 * bytesPerParameter);
  });
});

it('llm-foundry builds a model of the sizes that it sets over those of the one that is named', async () => {
  const foundry = (overrides: string): string =>
    `variables:\n  length: 2048\nmodel:\n  name: hf_causal_lm\n  pretrained_model_name_or_path: gpt2\n  pretrained: false\n${overrides}max_duration: 100ba\nglobal_train_batch_size: 8\nprecision: amp_bf16\nsave_folder: out\n`;
  const parameters = async (overrides: string) => (await estimateText('a.yaml', foundry(overrides))).report.parameters?.unique;
  expect(await parameters('')).toBe(124_439_808);
  const changed = '  config_overrides:\n    n_positions: ${variables.length}\n    attn_config:\n      attn_impl: flash\n';
  expect(await parameters(changed)).toBe(125_226_240);
  expect(await parameters('  config_overrides:\n    n_layer: 6\n')).toBe(124_439_808 - 6 * 7_087_872);
});

describe('arguments of the Trainer that set no engine', () => {
  const recipe = (rest: string): string =>
    `model_name_or_path: mistralai/Mistral-7B-v0.1\ntorch_dtype: bfloat16\nbf16: true\nper_device_train_batch_size: 8\nnum_train_epochs: 1\noutput_dir: out\n${rest}`;
  const command = (launcher: string): string =>
    `${launcher} train.py --model_name_or_path mistralai/Mistral-7B-v0.1 --per_device_train_batch_size 8 --num_train_epochs 1 --output_dir out --bf16\n`;
  const beside = { 'zero3.yaml': 'distributed_type: DEEPSPEED\nmixed_precision: bf16\ndeepspeed_config:\n  zero_stage: 3\n' };

  it.each([
    ['sft.yaml', recipe(''), true],
    ['sft.yaml', recipe('fsdp: full_shard\n'), false],
    ['run.sh', command('accelerate launch'), true],
    ['run.sh', command('accelerate launch --config_file zero3.yaml'), false],
    ['run.sh', command('accelerate launch --config_file elsewhere.yaml'), true],
    ['run.sh', command('torchrun'), false],
  ])('say that the accelerate file decides: %s %s', async (name, text, isSaid) => {
    const { assumptions } = (await estimateText(name, text, { beside })).report;
    const about = assumptions.map(({ text: words }) => words).join(' ');
    expect(about.includes('the launcher’s accelerate file decides')).toBe(isSaid);
  });

  it('have what FSDP trains cast to 32 bits by accelerate, whatever it was loaded in', async () => {
    const bytesOf = async (rest: string) => (await estimateText('sft.yaml', recipe(rest))).report.checkpoint.bytesPerParameter;
    expect(await bytesOf('fsdp: full_shard auto_wrap\n')).toBe(12);
    expect(await bytesOf('fsdp: full_shard\nfsdp_config:\n  fsdp_version: 2\n')).toBe(12);
    expect(await bytesOf('')).toBe(6);
    // Not "the dtype that the config gives": that is bf16.
    const { terms } = (await estimateText('sft.yaml', recipe('fsdp: full_shard auto_wrap\n'))).report.checkpoint;
    expect(terms.find(({ name }) => name === 'weights')?.source).toContain('this writer keeps the weights in 32 bits');
  });
});

it('torchtune saves PPO’s value model with the policy, and the optimizer of both', async () => {
  const sizes =
    'num_classes: 1, vocab_size: 32001, num_layers: 32, num_heads: 32, num_kv_heads: 8, embed_dim: 4096, intermediate_dim: 14336';
  const text = `tokenizer:\n  _component_: torchtune.models.mistral.mistral_tokenizer\npolicy_model:\n  _component_: torchtune.models.mistral.mistral_7b\nreward_and_value_model: { _component_: torchtune.modules.classifier_model, base_model_path: torchtune.models.mistral.mistral_7b, ${sizes} }\ncheckpointer:\n  checkpoint_dir: /tmp/Mistral-7B-Instruct-v0.2/\nvalue_checkpointer:\n  checkpoint_dir: /tmp/RM\noptimizer:\n  _component_: bitsandbytes.optim.PagedAdamW\ndtype: bf16\nbatch_size: 128\n`;
  const { checkpoint, parameters, assumptions } = (await estimateText('ppo.yaml', text)).report;
  expect(parameters?.unique).toBe(7_241_732_096 + 7_110_668_288);
  expect(checkpoint.bytes).toBe(143_524_003_840);
  expect(assumptions.map(({ text: words }) => words).join(' ')).not.toContain('critic');
});
