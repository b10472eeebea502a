/** In what weights are loaded where a run sets no dtype, what adapters train and in what, and runs that make their own data. */
import { describe, expect, it } from 'vitest';
import { estimateText, type FilesBeside, llamaConfig } from '../../builders/estimateText.js';

const parameters = 8_030_261_248;
const flags = '--model_name_or_path ./llama --output_dir out --per_device_train_batch_size 1 --save_steps 10 --max_steps 100';
const launch = (more = '', program = 'examples/pytorch/language-modeling/run_clm.py') => `python ${program} ${flags} ${more}\n`;

async function estimateOf(text: string, { name = 'run.sh', model = {} }: { name?: string; model?: object } = {}) {
  const beside: FilesBeside = { 'llama/config.json': llamaConfig({ ...model }) };
  const { report } = await estimateText(name, text, { beside });
  const words = report.assumptions.map((line) => line.text).join('\n');
  return { ...report, perParameter: report.checkpoint.bytesPerParameter, words };
}

describe('a run without a dtype', () => {
  it('keeps weights and moments in that of the model, and has what transformers 4 saves beside it', async () => {
    const { checkpoint, words } = await estimateOf(launch('--bf16'));
    expect(checkpoint.bytes).toBe(6 * parameters);
    expect(checkpoint.terms.map(({ dtype }) => dtype)).toEqual(['bf16', 'bf16', 'bf16']);
    expect(checkpoint.terms[0]?.source).toBe('the dtype of the model itself, as none is set for loading it');
    expect(words).toContain(
      'transformers 5 loads them in that of the model: bf16; transformers 4 loads them in 32 bits: 96.4 GB',
    );
  });

  it.each([
    ['--bf16', {}, 6],
    ['', {}, 6],
    ['--bf16', { torch_dtype: 'float16' }, 6],
    ['--bf16', { torch_dtype: 'float32' }, 12],
    ['--bf16', { torch_dtype: undefined, dtype: 'bfloat16' }, 6],
    ['--bf16', { torch_dtype: undefined }, 6],
    ['--bf16 --torch_dtype float32', {}, 12],
    ['--bf16 --dtype bfloat16', {}, 6],
    ['--bf16 --torch_dtype auto', {}, 6],
    ['--bf16 --torch_dtype auto', { torch_dtype: 'float32' }, 12],
    ['--bf16 --evaluation_strategy steps', {}, 12],
    ['--bf16 --overwrite_output_dir', {}, 12],
    // Accelerate and DeepSpeed keep 32 bits themselves.
    ['--bf16 --fsdp "full_shard auto_wrap"', {}, 12],
    ['--fsdp "full_shard auto_wrap"', {}, 6],
  ] as const)('%s of %j', async (more, model, perParameter) => {
    expect((await estimateOf(launch(more), { model })).perParameter).toBe(perParameter);
  });

  it('of a model that sets none is assumed to be in 16 bits, and in 32 where its kind is older', async () => {
    const unknown = await estimateOf(launch('--bf16'), { model: { torch_dtype: undefined } });
    expect(unknown.words).toContain('bf16 is assumed, as no config here sets it; transformers 4 loads them in 32 bits: 96.4 GB');
    const named = (model: string) => estimateOf(launch('--bf16').replace('./llama', model));
    expect((await named('openai-community/gpt2')).perParameter).toBe(12);
    expect((await named('google-bert/bert-base-uncased')).perParameter).toBe(12);
    expect((await named('google-bert/bert-base-uncased')).words).toContain('f32 is assumed');
    expect((await named('meta-llama/Llama-3.1-8B')).perParameter).toBe(6);
    expect((await named('nobody/nothing')).words).toContain('in 32 bits: 12.00 bytes per parameter');
  });

  it.each([
    ['a dtype that is set', '--bf16 --dtype bfloat16'],
    ['an older argument', '--bf16 --evaluation_strategy steps'],
    ['FSDP', '--bf16 --fsdp full_shard'],
    ['"auto"', '--bf16 --dtype auto'],
  ])('has no note beside %s', async (_, more) => {
    expect((await estimateOf(launch(more))).words).not.toContain('transformers');
  });

  it('is in 32 bits where TRL loads the model by its name', async () => {
    for (const program of ['trl sft', 'trl/scripts/sft.py', 'examples/scripts/dpo.py']) {
      const text = program.startsWith('trl ') ? `${program} ${flags} --bf16\n` : launch('--bf16', program);
      expect((await estimateOf(text)).perParameter).toBe(12);
    }
    const recipe = (more: string) =>
      `model_name_or_path: ./llama\noutput_dir: out\nper_device_train_batch_size: 1\nsave_steps: 10\nbf16: true\n${more}`;
    expect((await estimateOf(recipe('packing: true\n'), { name: 'sft.yaml' })).perParameter).toBe(12);
    expect((await estimateOf(recipe(''), { name: 'train.yaml' })).perParameter).toBe(6);
    expect((await estimateOf(recipe('model_init_kwargs:\n  dtype: bfloat16\n'), { name: 'sft.yaml' })).perParameter).toBe(6);
  });

  const script = (load: string, trainer = 'Trainer', args = 'TrainingArguments') =>
    `${load}\nargs = ${args}(output_dir="out", save_steps=10, max_steps=100, per_device_train_batch_size=1, bf16=True)\n${trainer}(model=model, args=args).train()\n`;

  it.each([
    ['AutoModelForCausalLM.from_pretrained("./llama")', 'Trainer', 'TrainingArguments', 6],
    ['AutoModelForCausalLM.from_pretrained("./llama", dtype=torch.float32)', 'Trainer', 'TrainingArguments', 12],
    ['AutoModelForCausalLM.from_pretrained("./llama", dtype="auto")', 'Trainer', 'TrainingArguments', 6],
    ['AutoModelForCausalLM.from_pretrained("./llama", dtype=choose())', 'Trainer', 'TrainingArguments', 12],
    ['AutoModelForCausalLM.from_pretrained("./llama")', 'SFTTrainer', 'SFTConfig', 6],
    ['"./llama"', 'SFTTrainer', 'SFTConfig', 12],
  ] as const)('in Python: %s, %s', async (load, trainer, args, perParameter) => {
    const text = script(`model = ${load}`, trainer, args);
    expect((await estimateOf(text, { name: 'train.py' })).perParameter).toBe(perParameter);
  });
});

describe('modules that an adapter trains whole', () => {
  const whole = 2 * 128_256 * 4096;
  const lora = 16 * 32 * (2 * 4096 + 4096 + 1024);
  const saved = '--use_peft --lora_r 16 --lora_target_modules q_proj v_proj --lora_modules_to_save embed_tokens lm_head';

  it.each([
    // TRL loads the base in 32 bits; from_pretrained of transformers 5 in its own dtype.
    ['trl/scripts/sft.py', '--bf16', 12 * (whole + lora)],
    ['trl/scripts/sft.py', '--bf16 --dtype bfloat16', 6 * whole + 12 * lora],
    ['train.py', '--bf16', 6 * whole + 12 * lora],
    // Of a quantized base TRL casts all that is trained.
    ['trl/scripts/sft.py', '--bf16 --load_in_4bit', 6 * (whole + lora)],
    ['trl/scripts/sft.py', '--bf16 --dtype bfloat16 --fsdp full_shard', 12 * (whole + lora)],
  ])('%s %s', async (program, more, bytes) => {
    expect((await estimateOf(launch(`${saved} ${more}`, program))).checkpoint.bytes).toBe(bytes);
  });

  it('are terms of their own, which sum to the bytes per parameter', async () => {
    const { checkpoint, perParameter } = await estimateOf(launch(`${saved} --bf16 --dtype bfloat16`, 'trl/scripts/sft.py'));
    expect(checkpoint.terms.filter(({ dtype }) => dtype === 'bf16').map(({ source }) => source)[0]).toContain('trained whole');
    expect(perParameter * (whole + lora)).toBeCloseTo(checkpoint.bytes ?? 0, 0);
  });

  const axolotl = (more: string) =>
    `base_model: ./llama\nadapter: lora\nlora_r: 16\nlora_target_modules: [q_proj, v_proj]\nlora_modules_to_save: [embed_tokens, lm_head]\ndatasets: []\nsequence_len: 512\nmicro_batch_size: 1\nbf16: true\n${more}`;

  it.each([
    ['', 6 * whole + 12 * lora],
    ['load_in_4bit: true\n', 6 * whole + 12 * lora],
    ['peft_autocast_adapter_dtype: false\n', 6 * (whole + lora)],
    ['fsdp_config:\n  fsdp_version: 2\n', 12 * (whole + lora)],
  ])('in axolotl: %j', async (more, bytes) => {
    expect((await estimateOf(axolotl(more), { name: 'lora.yaml' })).checkpoint.bytes).toBe(bytes);
  });

  const llamaFactory = (more: string) =>
    `stage: sft\ndo_train: true\nmodel_name_or_path: ./llama\nfinetuning_type: lora\nlora_rank: 16\nlora_target: q_proj,v_proj\nadditional_target: embed_tokens,lm_head\ntemplate: llama3\noutput_dir: out\nbf16: true\nsave_steps: 10\n${more}`;

  it.each([
    ['', 12 * (whole + lora)],
    ['pure_bf16: true\n', 6 * whole + 12 * lora],
  ])('in LLaMA-Factory, which casts what is trained: %j', async (more, bytes) => {
    expect((await estimateOf(llamaFactory(more), { name: 'lora.yaml' })).checkpoint.bytes).toBe(bytes);
  });

  const swift = (more: string) =>
    `swift sft --model ./llama --tuner_type lora --lora_rank 16 --target_modules q_proj v_proj --modules_to_save embed_tokens lm_head --dataset a --output_dir out --save_steps 10 ${more}\n`;

  it.each([
    ['', 6 * whole + 12 * lora],
    ['--torch_dtype float16', 12 * (whole + lora)],
    ['--lora_dtype bfloat16', 6 * (whole + lora)],
    ['--fsdp full_shard', 12 * (whole + lora)],
  ])('in ms-swift: %s', async (more, bytes) => {
    expect((await estimateOf(swift(more))).checkpoint.bytes).toBe(bytes);
  });
});

describe('an adapter without a rank', () => {
  const axolotl = (more: string) =>
    `base_model: ./llama\nadapter: lora\nlora_target_modules: [q_proj, v_proj]\ndatasets: []\nsequence_len: 512\nmicro_batch_size: 1\nbf16: true\n${more}`;
  const ofRank = (rank: number) => 12 * rank * 32 * (2 * 4096 + 4096 + 1024);

  it('has no default in axolotl, and PEFT’s is sized', async () => {
    const { checkpoint, words } = await estimateOf(axolotl(''), { name: 'lora.yaml' });
    expect(checkpoint.bytes).toBe(ofRank(8));
    expect(words).toContain('no rank (lora_r) is set: axolotl has no default and PEFT fails without one');
    expect((await estimateOf(axolotl('lora_r: 8\n'), { name: 'lora.yaml' })).words).not.toContain('rank');
  });

  it('has that of the adapter that axolotl trains further', async () => {
    const saved = JSON.stringify({ peft_type: 'LORA', r: 64, target_modules: ['q_proj', 'v_proj'] });
    const of = async (beside: FilesBeside) => {
      const all = { 'llama/config.json': llamaConfig(), ...beside };
      return (await estimateText('lora.yaml', axolotl('lora_model_dir: ./before\n'), { beside: all })).report;
    };
    expect((await of({ 'before/adapter_config.json': saved })).checkpoint.bytes).toBe(ofRank(64));
    const unread = await of({});
    expect(unread.checkpoint.bytes).toBeNull();
    expect(unread.assumptions.some(({ source }) => source === 'axolotl: adapter-elsewhere')).toBe(true);
  });

  it.each([
    ['run.sh', launch('--use_peft --lora_target_modules q_proj v_proj --bf16', 'trl/scripts/sft.py'), 16],
    ['run.sh', 'swift sft --model ./llama --tuner_type lora --target_modules q_proj v_proj --dataset a --output_dir out\n', 8],
  ])('has the framework’s default, which is said: %s', async (name, text, rank) => {
    const { checkpoint, words } = await estimateOf(text, { name });
    expect(checkpoint.bytes).toBe(ofRank(rank));
    expect(words).toContain('the adapter’s rank is the framework’s default');
  });
});

describe('rows of embeddings that are trained by themselves', () => {
  const adapter = (tokens: object) =>
    JSON.stringify({ peft_type: 'LORA', r: 8, target_modules: ['q_proj'], base_model_name_or_path: './llama', ...tokens });
  const query = 8 * 32 * 2 * 4096;

  it.each([
    [{ trainable_token_indices: [1, 2, 3] }, 3],
    [{ trainable_token_indices: { embed_tokens: [1, 2], lm_head: [7] } }, 3],
    [{ trainable_token_indices: null }, 0],
    [{ trainable_token_indices: [] }, 0],
  ])('%j are in 32 bits as the adapter is', async (tokens, rows) => {
    const { checkpoint } = await estimateOf(adapter(tokens), { name: 'adapter_config.json' });
    expect(checkpoint.bytes).toBe(4 * (query + rows * 4096));
  });

  it('are once where the output layer is the embedding', async () => {
    const { checkpoint } = await estimateOf(adapter({ trainable_token_indices: { embed_tokens: [1], lm_head: [1] } }), {
      name: 'adapter_config.json',
      model: { tie_word_embeddings: true },
    });
    expect(checkpoint.bytes).toBe(4 * (query + 4096));
  });

  it('are those of axolotl', async () => {
    const text =
      'base_model: ./llama\nadapter: lora\nlora_r: 8\nlora_target_modules: [q_proj]\npeft_trainable_token_indices: [5, 6]\ndatasets: []\nsequence_len: 512\nmicro_batch_size: 1\nbf16: true\n';
    expect((await estimateOf(text, { name: 'a.yaml' })).checkpoint.bytes).toBe(12 * (query + 2 * 4096));
  });
});

it.each([
  [
    'swift rlhf --rlhf_type grpo --model ./llama --max_length 512 --max_steps 10 --per_device_train_batch_size 1 --dataset a --output_dir o --nproc_per_node 8\n',
    'run.sh',
  ],
  [
    'stage: ppo\ndo_train: true\nmodel_name_or_path: ./llama\ntemplate: llama3\noutput_dir: o\nmax_steps: 10\ndataset: a\n',
    'ppo.yaml',
  ],
])('a run that generates its answers has no amount of data: %s', async (text, name) => {
  const { data, training } = await estimateOf(text, { name });
  expect([data, training.sequenceLength]).toEqual([null, null]);
});
