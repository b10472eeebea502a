/** Branches of scripts: the text decides some of them, and what it does not decide is said. Programs that train nothing. */
import { describe, expect, it } from 'vitest';
import { shellCondition } from '../../../src/core/configs/document/shellCondition.js';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

describe('conditions', () => {
  it.each([
    ['[ 7B = 7B ]', true],
    ['[ 7B == 8B ]', false],
    ['[ 7B != 8B ]', true],
    ['[[ 1 -eq 1 ]]', true],
    ['[[ 2 -gt 3 ]]', false],
    ['[ -5 -lt 3 ]', true],
    ['test a = a', true],
    ['[ ! a = a ]', false],
    ['[ $1 = 7B ]', null],
    ['[ -f model.bin ]', null],
    ['[[ llama-7b == *7b ]]', null],
    ['[[ a =~ b ]]', null],
    ['[ a = b -o c = c ]', null],
    ['[[ a == a', null],
    ['grep -q a file', null],
    ['[ 1e9 -eq 1e9 ]', null],
    ['[ a constructor b ]', null],
  ] as const)('%s', (text, value) => {
    expect(shellCondition(text.split(' '))).toBe(value);
  });

  it('of an empty text are decided', () => {
    expect(shellCondition(['[', '-z', '', ']'])).toBe(true);
    expect(shellCondition(['[', '-n', '', ']'])).toBe(false);
  });
});

const command =
  'torchrun pretrain_gpt.py --num-layers $LAYERS --hidden-size $HIDDEN --num-attention-heads 4 --seq-length 256 --max-position-embeddings 256 --vocab-size 1000 --micro-batch-size 1 --train-iters 100 --save /ckpt --save-interval 10 --bf16\n';
const small = 'LAYERS=2\nHIDDEN=64\n';
const large = 'LAYERS=4\nHIDDEN=128\n';
const parametersOf = async (text: string) => (await estimateText('run.sh', text)).report.parameters?.unique;

describe('branches', () => {
  it.each([
    ['the first', `M=1\nif [[ $M == 1 ]]; then\n${small}else\n${large}fi\n`, small],
    ['the last', `M=0\nif [[ $M == 1 ]]; then\n${small}else\n${large}fi\n`, large],
    ['one in the middle', `M=b\nif [ $M = a ]; then\n${large}elif [ "$M" = "b" ]; then\n${small}else\n${large}fi\n`, small],
    ['an inner one', `M=1\nif [ $M = 1 ]; then\n if [ $M -lt 1 ]; then\n${large} else\n${small} fi\nelse\n${large}fi\n`, small],
    ['none of an outer one that is passed over', `${small}if [ 1 = 2 ]; then\n if [ 1 = 1 ]; then\n${large} fi\nfi\n`, small],
    ['on one line', `if [ 1 = 1 ]; then LAYERS=2; HIDDEN=64; else LAYERS=4; HIDDEN=128; fi\n`, small],
  ])('takes %s', async (_name, text, taken) => {
    expect(await parametersOf(text + command)).toBe(await parametersOf(taken + command));
  });

  it('passes over commands and arrays of a branch that is not taken', async () => {
    const other = command.replace('$LAYERS', '9 --add-qkv-bias --group-query-attention --num-query-groups 2');
    expect(await parametersOf(`${small}if [ 1 = 2 ]; then\n${other}else\n${command}fi\n`)).toBe(
      await parametersOf(small + command),
    );
  });

  it.each([
    ['an argument', 'if [ $1 = 7B ]; then\n'],
    ['two conditions', 'M=1\nif [ $M = 2 ] && [ -f a ]; then\n'],
  ])('says what %s decides, and takes the last', async (_name, condition) => {
    const { report } = await estimateText('run.sh', `${condition}${small}else\n${large}fi\n${command}`);
    expect(report.parameters?.unique).toBe(await parametersOf(large + command));
    const said = report.unresolved.filter(({ why }) => why.includes('branches'));
    expect(said.map(({ text }) => text)).toEqual(['LAYERS, HIDDEN']);
  });

  it('says nothing of a variable that is set for certain afterwards, or in one branch alone', async () => {
    for (const text of [`if [ $1 = a ]; then\n${small}else\n${large}fi\n${small}`, `${large}if [ $1 = a ]; then\n${small}fi\n`]) {
      const { report } = await estimateText('run.sh', text + command);
      expect(report.unresolved.filter(({ why }) => why.includes('branches'))).toEqual([]);
    }
  });
});

it('options that another program fills in are no second value of the flag before', async () => {
  const groups = '--group-query-attention --num-query-groups 2';
  const text = small + command.replace('--bf16', `--bf16 ${groups} \${MORE} $OTHER`);
  expect(await parametersOf(text)).toBe(await parametersOf(small + command.replace('--bf16', `--bf16 ${groups}`)));
});

it.each(['tools/generate_samples_gpt.py', 'evaluate_model.py', 'tools/run_text_generation_server.py'])(
  '%s loads its model and trains nothing',
  async (program) => {
    const { report } = await estimateText('run.sh', small + command.replace('pretrain_gpt.py', program));
    expect(report).toMatchObject({ trainsNothing: true, run: { saves: 0, bytes: 0 }, checkpoint: { bytes: 0, terms: [] } });
    expect(report.serving?.weights).toMatchObject({ bytes: 2 * (report.parameters?.unique ?? 0), as: 'bf16' });
    const { report: both } = await estimateText(
      'run.sh',
      `${small}python ${program} --num-layers 2 --more 1 --and 2\n${command}`,
    );
    expect(both.trainsNothing).toBe(false);
  },
);

it.each(['analyze_data.py', 'hf2mcore_llava.py', 'tools/checkpoint/convert.py', 'scripts/converter_hf_to_mcore.py'])(
  '%s neither trains nor serves',
  async (program) => {
    expect(await readText('run.sh', small + command.replace('pretrain_gpt.py', program))).toBeNull();
    const { report } = await estimateText('run.sh', `${small}python ${program} --num-layers 2 --more 1 --and 2\n${command}`);
    expect(report.parameters?.unique).toBe(await parametersOf(small + command));
  },
);

const ofVerl = (main: string): string =>
  `python3 ${main} actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B actor_rollout_ref.rollout.n=4 trainer.nnodes=1 data.path=a data.output_path=b\n`;

it.each(['-m verl.trainer.main_eval', 'verl/trainer/main_eval.py'])('verl rates answers by %s', async (program) => {
  expect(await readText('run.sh', ofVerl(program))).toBeNull();
  expect((await readText('run.sh', ofVerl(program) + ofVerl('-m verl.trainer.main_ppo')))?.id).toBe('verl');
});

it.each(['-m verl.trainer.main_generation', '-m verl.trainer.main_generation_server'])(
  'verl generates by %s',
  async (program) => {
    const { report } = await estimateText('run.sh', ofVerl(program));
    // 512 tokens of the prompt and 512 of the answer unless they are set.
    expect(report).toMatchObject({ trainsNothing: true, serving: { cache: { contextTokens: 1024, contextBasis: 'given' } } });
    const { report: both } = await estimateText('run.sh', ofVerl(program) + ofVerl('-m verl.trainer.main_ppo'));
    expect(both.trainsNothing).toBe(false);
  },
);

it.each(['train_evaluator.py', 'pretrain_generator.py', 'run_inference_training.py', 'generate_and_train.py'])(
  '%s may train',
  async (program) => {
    expect(await readText('run.sh', small + command.replace('pretrain_gpt.py', program))).not.toBeNull();
  },
);

it('nanoGPT’s evaluations load a model of 32 bits and save nothing', async () => {
  const text = "batch_size = 8\neval_iters = 500\neval_only = True\nwandb_log = False\ninit_from = 'gpt2'\n";
  const { report } = await estimateText('eval_gpt2.py', text);
  expect(report).toMatchObject({ config: 'nanogpt', trainsNothing: true, run: { saves: 0 } });
  expect(report.serving).toMatchObject({ weights: { bytes: 4 * (report.parameters?.unique ?? 0), as: 'f32' }, sequences: 8 });
});

it('loops of ColossalAI are no runs of the Trainer', async () => {
  const clm =
    'torchrun run_clm.py --dataset_name wikitext --output_dir out --mem_cap 0 --model_name_or_path facebook/opt-125m --per_device_train_batch_size 16\n';
  expect(await readText('run_clm.sh', clm)).toBeNull();
  expect((await readText('run_clm.sh', clm.replace('--mem_cap 0 ', '')))?.id).toBe('training-arguments');
});

it('axolotl keeps nothing of what a service trains', async () => {
  const text =
    'base_model: Qwen/Qwen3-8B\nplugins:\n  - axolotl.integrations.hatchery.HatcheryPlugin\nhatchery:\n  backend: tinker\n  lora_rank: 16\ndatasets:\n  - path: a\nmax_steps: 20\nmicro_batch_size: 2\noutput_dir: out\n';
  const { report } = await estimateText('a.yaml', text);
  expect(report.training.adapterRank).toBe(16);
  expect(report.parameters?.trainable).toBeNull();
  expect(report.checkpoint.bytes).toBeNull();
  expect(report.assumptions.map(({ text: words }) => words)).toContain('saving is turned off');
});

it('a guess has experts in one layer of so many alone', async () => {
  const sizes = {
    architectures: ['SomeMoeForCausalLM'],
    hidden_size: 768,
    intermediate_size: 2048,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    vocab_size: 1000,
    hidden_act: 'swiglu',
    num_experts: 16,
  };
  const of = async (extra: object) =>
    (await estimateText('config.json', JSON.stringify({ ...sizes, ...extra }))).report.parameters?.unique ?? 0;
  const expert = 3 * 768 * 2048;
  // Nine layers have one perceptron in place of sixteen experts and their router.
  expect((await of({})) - (await of({ moe_layer_interval: 4 }))).toBe(9 * (15 * expert + 768 * 16));
});

it('T5 under its old name is T5, and a decoder with its sizes has two matrices and one embedding', async () => {
  const sizes = {
    d_ff: 2048,
    d_kv: 64,
    d_model: 512,
    num_heads: 8,
    num_layers: 6,
    vocab_size: 32_128,
    relative_attention_num_buckets: 64,
  };
  const of = async (config: object) => (await estimateText('config.json', JSON.stringify({ ...sizes, ...config }))).report;
  const old = await of({ architectures: ['T5WithLMHeadModel'], model_type: 't5', is_encoder_decoder: true });
  const now = await of({ architectures: ['T5ForConditionalGeneration'], model_type: 't5', is_encoder_decoder: true });
  expect(old.parameters?.unique).toBe(now.parameters?.unique);
  expect(old.model?.basis).toBe(now.model?.basis);
  const decoder = await of({ architectures: ['DecoderOnlyT5LMHeadModel'], model_type: 'decoder_only_t5' });
  expect(decoder.model?.basis).toBe('shapes');
  expect((decoder.parameters?.unique ?? 0) / (32_128 * 512 + 6 * (4 * 512 * 512 + 2 * 512 * 2048))).toBeCloseTo(1, 3);
});
