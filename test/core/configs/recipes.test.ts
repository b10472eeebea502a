/** Runs of NeMo 2, as nemo_run saves them and as scripts change recipes, and scripts of Megatron-Bridge. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

const yaml = (config: string, more = '') => `_partial_: true
_target_: nemo.collections.llm.api.pretrain
data:
  _target_: nemo.collections.llm.gpt.data.pre_training.PreTrainingDataModule
  global_batch_size: 128
  micro_batch_size: 1
  seq_length: 8192
log:
  _target_: nemo.lightning.nemo_logger.NeMoLogger
  ckpt:
    _target_: nemo.lightning.pytorch.callbacks.model_checkpoint.ModelCheckpoint
    every_n_train_steps: 500
    save_last: false
    save_top_k: 3
  log_dir: /results
model:
  _target_: nemo.collections.llm.gpt.model.llama.LlamaModel
  config:
${config}
optim:
  _target_: nemo.lightning.pytorch.optim.megatron.MegatronOptimizerModule
  config:
    _target_: megatron.core.optimizer.optimizer_config.OptimizerConfig
    bf16: true
    optimizer: adam
    use_distributed_optimizer: true
trainer:
  _target_: nemo.lightning.pytorch.trainer.Trainer
  devices: 8
  max_steps: 2000
  num_nodes: 2
  plugins:
    _target_: nemo.lightning.pytorch.plugins.mixed_precision.MegatronMixedPrecision
    precision: bf16-mixed
  strategy:
    _target_: nemo.lightning.pytorch.strategies.megatron_strategy.MegatronStrategy
    ckpt_async_save: true
    context_parallel_size: 2
    pipeline_model_parallel_size: 1
    tensor_model_parallel_size: 2
  val_check_interval: 2000
${more}`;
const llama = '    _target_: nemo.collections.llm.gpt.model.llama.Llama3Config8B';

describe('what nemo_run saves of a run of NeMo 2', () => {
  it('has the sizes of its class, steps, saves and ranks', async () => {
    const { estimate } = await estimateText('run.yaml', yaml(llama));
    expect(estimate.kind.id).toBe('nemo');
    expect(estimate.model?.counts.unique).toBe(8_030_261_248);
    expect(estimate.model?.origin).toEqual({ kind: 'published', name: 'meta-llama/Meta-Llama-3-8B' });
    expect(estimate.plan).toMatchObject({
      ...{ steps: 2000, saveIntervalSteps: 500, keep: 3, saveMode: 'asynchronous', sequenceLength: 8192, globalBatch: 128 },
      ...{ tensorParallel: 2, contextParallel: 2, dataParallel: 4, worldSize: 16, precision: 'bf16', outputFolder: '/results' },
    });
    expect(estimate.size.bytes).toBe(14 * 8_030_261_248);
  });

  it.each([
    ['nemo.collections.llm.gpt.model.llama.Llama31Config405B', 'meta-llama/Llama-3.1-405B'],
    ['nemo.collections.llm.gpt.model.llama.Llama32Config1B', 'meta-llama/Llama-3.2-1B'],
    ['nemo.collections.llm.gpt.model.mixtral.MixtralConfig8x7B', 'mistralai/Mixtral-8x7B-v0.1'],
    ['nemo.collections.llm.gpt.model.mistral.MistralNeMoConfig12B', 'mistralai/Mistral-Nemo'],
    ['nemo.collections.llm.gpt.model.gemma2.Gemma2Config9B', 'google/gemma-2-9b'],
    ['nemo.collections.llm.gpt.model.qwen2.Qwen25Config7B', 'Qwen/Qwen2.5-7B'],
    ['nemo.collections.llm.gpt.model.qwen3.Qwen3Config30B_A3B', 'Qwen/Qwen3-30B-A3B'],
    ['nemo.collections.llm.gpt.model.deepseek.DeepSeekV3Config', 'deepseek-ai/DeepSeek-V3'],
    ['nemo.collections.llm.gpt.model.gpt_oss.GPTOSSConfig20B', 'openai/gpt-oss-20b'],
    ['nemo.collections.llm.gpt.model.llama.CodeLlamaConfig7B', 'codellama/CodeLlama-7b'],
  ])('%s is %s', async (target, name) => {
    const { estimate } = await estimateText('run.yaml', yaml(`    _target_: ${target}`));
    expect(estimate.model?.origin).toEqual({ kind: 'published', name });
  });

  it('follows sizes that are changed, and leaves other modules uncounted', async () => {
    const small = await estimateText(
      'run.yaml',
      yaml(`${llama}\n    num_layers: 2\n    share_embeddings_and_output_weights: true`),
    );
    const layer = 2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096 * 14_336 + 2 * 4096;
    expect(small.estimate.model?.counts.unique).toBe(128_256 * 4096 + 2 * layer + 4096);
    expect((await estimateText('run.yaml', yaml(`${llama}\n    num_moe_experts: 8`))).estimate.model).toBeNull();
    expect(
      (await estimateText('run.yaml', yaml('    _target_: nemo.collections.llm.gpt.model.llama.LlamaConfig'))).estimate.model,
    ).toBeNull();
  });

  it('has an adapter', async () => {
    const peft = 'peft:\n  _target_: nemo.collections.llm.peft.lora.LoRA\n  dim: 16\n  target_modules: [linear_qkv]\n';
    const { estimate } = await estimateText('run.yaml', yaml(llama, peft));
    expect(estimate.plan.adapter).toMatchObject({ kind: 'lora', rank: 16 });
    expect(estimate.adapter?.parameters).toBe(32 * 16 * (4096 + 4096 + 2 * 1024));
  });

  it.each(['generate', 'validate', 'export_ckpt'])('is no run of %s', async (name) => {
    expect(await readText('run.yaml', yaml(llama).replace('api.pretrain', `api.${name}`))).toBeNull();
  });
});

describe('a script of NeMo 2', () => {
  const script = (changes = '', recipe = 'llm.llama3_8b.pretrain_recipe(dir="/ckpt", num_nodes=2, num_gpus_per_node=8)') => `
import nemo_run as run
from nemo.collections import llm

def configure():
    recipe = ${recipe}
    recipe.trainer.max_steps = 1000
${changes}
    return recipe

run.run(configure(), executor=run.LocalExecutor())
`;

  it('changes a recipe', async () => {
    const changes =
      '    recipe.log.ckpt.every_n_train_steps = 400\n    recipe.log.ckpt.save_top_k = -1\n    recipe.data.global_batch_size = 64';
    const { estimate } = await estimateText('train.py', script(changes));
    expect(estimate.kind.id).toBe('nemo');
    expect(estimate.model?.counts.unique).toBe(8_030_261_248);
    expect(estimate.plan).toMatchObject({
      steps: 1000,
      saveIntervalSteps: 400,
      keep: null,
      globalBatch: 64,
      worldSize: 16,
      outputFolder: '/ckpt',
    });
    expect(estimate.plan.notes).toContain('rest-of-recipe');
  });

  it('saves by the clock where it changes nothing of that', async () => {
    const { estimate } = await estimateText('train.py', script());
    expect(estimate.plan.saveIntervalSteps).toBeUndefined();
    expect(estimate.plan.notes).toContain('interval-not-in-steps');
  });

  it('trains an adapter where it fine-tunes', async () => {
    const of = async (options: string) =>
      (await estimateText('train.py', script('', `llm.llama3_8b.finetune_recipe(${options})`))).estimate.plan.adapter;
    expect(await of('name="a"')).toMatchObject({ kind: 'lora', rank: 8 });
    expect(await of('peft_scheme="none"')).toBeUndefined();
    expect(await of('peft_scheme=None')).toBeUndefined();
  });

  it('has a model that is not counted where it puts in another one', async () => {
    const { estimate } = await estimateText('train.py', script('    recipe.model = run.Config(llm.LlamaModel, small(1024))'));
    expect(estimate.model).toBeNull();
  });

  it.each([
    ['two recipes', script('', 'llm.llama3_8b.pretrain_recipe() if small else llm.llama3_70b.pretrain_recipe()')],
    ['the definition of one', 'import nemo_run as run\n\ndef pretrain_recipe(dir=None):\n    return run.Partial(pretrain)\n'],
    ['a test', `${script()}\ndef test_recipe():\n    pass\n`],
    ['another program', script().replace(/^import nemo_run.*$|^from nemo.*$/gm, '')],
  ])('is none with %s', async (_, text) => {
    expect(await readText('train.py', text)).toBeNull();
  });
});

describe('a script of Megatron-Bridge', () => {
  const head =
    'from megatron.bridge.training.pretrain import pretrain\nfrom megatron.bridge.recipes.llama import llama32_1b_pretrain_config\n';

  it('changes a recipe', async () => {
    const text = `${head}cfg = llama32_1b_pretrain_config()\ncfg.train.train_iters = 500\ncfg.train.global_batch_size = 32\ncfg.checkpoint.save_interval = 100\ncfg.checkpoint.save = "/ckpt"\npretrain(cfg, forward_step)\n`;
    const { estimate } = await estimateText('train.py', text);
    expect(estimate.kind.id).toBe('megatron-bridge');
    expect(estimate.model?.origin).toEqual({ kind: 'published', name: 'meta-llama/Llama-3.2-1B' });
    expect(estimate.plan).toMatchObject({ steps: 500, saveIntervalSteps: 100, globalBatch: 32, outputFolder: '/ckpt' });
  });

  it('builds a container of its own around a model of the Hub, or a provider', async () => {
    const container = (model: string) =>
      `from megatron.bridge import AutoBridge\nfrom megatron.bridge.training.config import ConfigContainer\n\ndef my_config() -> ConfigContainer:\n    cfg = _pretrain_common()\n    cfg.model = ${model}\n    cfg.model.seq_length = 4096\n    cfg.train.train_iters = 500\n    cfg.checkpoint.save_interval = 50\n    return cfg\n`;
    const hub = await estimateText(
      'a.py',
      container('AutoBridge.from_hf_pretrained("Qwen/Qwen3-8B").to_megatron_provider(load_weights=False)'),
    );
    expect(hub.estimate.model?.origin).toEqual({ kind: 'published', name: 'Qwen/Qwen3-8B' });
    expect(hub.estimate.plan).toMatchObject({ steps: 500, saveIntervalSteps: 50, sequenceLength: 4096 });
    const provider = await estimateText('a.py', container('Llama3ModelProvider8B(tensor_model_parallel_size=2)'));
    expect(provider.estimate.model?.origin).toEqual({ kind: 'published', name: 'meta-llama/Meta-Llama-3-8B' });
  });

  it.each([
    ['several recipes', `${head}a = llama32_1b_pretrain_config()\nb = llama3_8b_sft_config()\npretrain(a, f)\n`],
    [
      'nothing that trains',
      'from megatron.bridge.recipes.llama import llama32_1b_pretrain_config\nprint(llama32_1b_pretrain_config())\n',
    ],
    [
      'a conversion',
      'from megatron.bridge import AutoBridge\nAutoBridge.from_hf_pretrained("Qwen/Qwen3-8B").save_megatron_model("out")\n',
    ],
  ])('is none with %s', async (_, text) => {
    expect(await readText('train.py', text)).toBeNull();
  });
});
