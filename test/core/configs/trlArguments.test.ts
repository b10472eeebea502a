/** Configs of TRL's command line, and files of the same keys that train nothing. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

const model = 'model_name_or_path: Qwen/Qwen2.5-0.5B\n';
const named = `${model}dataset_name: stanfordnlp/imdb\n`;
const mixture = `${model}datasets:\n  - path: a/b\n    split: train\n  - path: c/d\n`;

describe('YAML of `trl sft --config`', () => {
  it.each([
    ['a model and data alone', named],
    ['what its own example sets', `${named}report_to:\n  none\nlearning_rate:\n  0.0001\nlr_scheduler_type:\n  cosine\n`],
    ['a mixture', `${mixture}learning_rate: 1e-5\nmax_length: 512\n`],
    ['what it hands on to the launch', `${named}num_processes: 4\naccelerate_config: zero3\n`],
    ['the environment', `env:\n  CUDA_VISIBLE_DEVICES: 0\n${named}max_steps: 10\n`],
    ['an adapter', `${named}use_peft: true\nlora_r: 32\nlora_target_modules: all-linear\noutput_dir: out\n`],
    ['rewards', `${named}reward_funcs:\n  - accuracy_reward\nnum_generations: 8\nlearning_rate: 1e-6\nvllm_mode: colocate\n`],
  ])('%s', async (_, text) => {
    expect((await readText('sft.yaml', text))?.id).toBe('training-arguments');
  });

  it.each([
    ['no data', `${model}learning_rate: 1e-5\n`],
    ['no model', 'dataset_name: a/b\nlearning_rate: 1e-5\n'],
    ['keys of another program', `${named}learning_rate: 1e-5\nbatch_size: 8\nnum_epochs: 3\n`],
    ['rates to filter data by', `${named}num_generations: 8\ntemperature: 0.7\npass_rate_min: 0.2\n`],
    ['generation', `${named}temperature: 0.7\nmax_completion_length: 512\n`],
    ['evaluation', `${named}eval_accumulation_steps: 8\nseed: 1\n`],
    ['datasets without a path', `${model}datasets: [a, b]\nlearning_rate: 1e-5\n`],
  ])('is not of %s', async (_, text) => {
    expect(await readText('sft.yaml', text)).toBeNull();
  });

  it('loads 32 bits, as ModelConfig has them', async () => {
    const { report } = await estimateText('sft.yaml', `${named}learning_rate: 1e-5\nmax_steps: 100\n`);
    expect(report.checkpoint.bytesPerParameter).toBe(12);
  });

  it('has the engine of the file of accelerate that comes with TRL', async () => {
    const { report, estimate } = await estimateText('sft.yaml', `${named}num_processes: 4\naccelerate_config: zero3\n`);
    expect(estimate.plan).toMatchObject({ zeroStage: 3, gathersWeights: true, worldSize: 4, precision: 'bf16' });
    expect(report.assumptions.map(({ text }) => text).join('\n')).not.toContain('accelerate file');
    const several = await estimateText('sft.yaml', `${named}accelerate_config: multi_gpu\n`);
    expect(several.estimate.plan).toMatchObject({ worldSize: 8, nodes: 1, precision: 'bf16' });
    expect(several.estimate.plan.notes).not.toContain('plain-launch');
    const own = await estimateText('sft.yaml', `${named}accelerate_config: mine.yaml\n`, {
      beside: { 'mine.yaml': 'distributed_type: DEEPSPEED\nnum_processes: 2\ndeepspeed_config:\n  zero_stage: 2\n' },
    });
    expect(own.estimate.plan).toMatchObject({ zeroStage: 2, worldSize: 2 });
  });
});

describe('a command of TRL', () => {
  it('trains a model and data alone', async () => {
    const { estimate } = await estimateText('run.sh', 'trl sft --model_name_or_path Qwen/Qwen2.5-0.5B --dataset_name a/b\n');
    expect(estimate.model?.counts.unique).toBe(494_032_768);
  });

  it('has flags that go before its file', async () => {
    const { estimate } = await estimateText('run.sh', 'trl dpo --config dpo.yaml --max_steps 50\n', {
      beside: { 'dpo.yaml': `${named}max_steps: 10\nsave_steps: 5\n` },
    });
    expect(estimate.model?.counts.unique).toBe(494_032_768);
    expect(estimate.plan).toMatchObject({ steps: 50, saveIntervalSteps: 5 });
  });

  it('says which file it misses', async () => {
    const { report } = await estimateText('run.sh', 'trl sft --config sft.yaml\n');
    expect(report.unresolved).toContainEqual(expect.objectContaining({ key: 'config', text: 'sft.yaml' }));
  });

  it.each(['trl vllm-serve --model_name_or_path a/b --port 1', 'trl env --config x.yaml'])('%s trains nothing', async (line) => {
    expect(await readText('run.sh', `${line}\n`)).toBeNull();
  });
});
