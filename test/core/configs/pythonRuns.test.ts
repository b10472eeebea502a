/** Trainers of Python files by what they get: a model by place, arguments out of a map, none at all; and what is saved in the end. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';
import { readText } from './readConfigFixture.js';

const read = (text: string) => readText('train.py', text);
const model = 'Qwen/Qwen2.5-0.5B';

const ofTrl = 'from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer\n';

describe('a trainer of TRL', () => {
  it.each([
    ['by place', `SFTTrainer("${model}", args=SFTConfig(output_dir="out", max_steps=10)).train()`],
    ['by the place of a name', `name = "${model}"\ntrainer = SFTTrainer(name, train_dataset=ds)\ntrainer.train()`],
    ['by name, without arguments', `trainer = SFTTrainer(\n    model="${model}",\n    train_dataset=load(),\n)\ntrainer.train()`],
    ['with no argument of a run', `args = DPOConfig(output_dir="out")\nDPOTrainer("${model}", args=args).train()`],
  ])('has its model %s', async (_, text) => {
    const found = await read(`${ofTrl}${text}`);
    expect(found?.reading.model).toMatchObject({ kind: 'named', name: model });
    expect(found?.reading.plan).toMatchObject({ saveIntervalSteps: 500 });
  });

  it.each([
    ['a class of its own', `class SFTTrainer(Base):\n    pass\nSFTTrainer("${model}").train()`],
    ['two of them', `SFTTrainer("${model}").train()\nDPOTrainer("${model}").train()`],
    ['arguments from elsewhere', `SFTTrainer("${model}", args=parse()).train()`],
    ['arguments by place', `SFTTrainer("${model}", parse()).train()`],
    ['keywords from elsewhere', `SFTTrainer("${model}", **parse()).train()`],
    ['no training', `trainer = SFTTrainer("${model}")\ntrainer.evaluate()`],
    ['the Trainer of another program', `Trainer("${model}").train()`],
    ['a test', `class A:\n    def test_run(self):\n        SFTTrainer("${model}").train()`],
  ])('is none with %s', async (_, text) => {
    expect(await read(`${ofTrl}${text}`)).toBeNull();
  });

  it('is none of another program', async () => {
    expect(await read(`from coati.trainer import DPOTrainer\nDPOTrainer("${model}").train()`)).toBeNull();
  });
});

describe('arguments out of a map', () => {
  const run = (map: string, call = '**args') => `${map}\ntrainer = Trainer(model, TrainingArguments(${call}))\ntrainer.train()\n`;

  it.each([
    ['a literal', run('args = {"save_steps": 100, "max_steps": 1000}')],
    ['lines with comments', run('args = {\n    "save_steps": 100,  # often\n    # never less\n    "max_steps": 1000,\n}')],
    ['a call of dict', run('args = dict(save_steps=100, max_steps=1000)')],
    ['a map in place', run('', '**{"save_steps": 100, "max_steps": 1000}')],
    ['a part of them', run('args = {"save_steps": 100}', 'output_dir="out", max_steps=1000, **args')],
    [
      'a map within a function',
      `def main():\n    args: dict = {"save_steps": 100, "max_steps": 1000}\n    ${run('').replaceAll('\n', '\n    ')}`,
    ],
    ['expressions beside it', run('args = {"save_steps": 100, "max_steps": 1000, "bf16": torch.cuda.is_bf16_supported()}')],
    ['a key that is set then', run('args = {"save_steps": 100, "max_steps": 1000, "seed": 1}\nargs["seed"] = 2')],
  ])('are read of %s', async (_, text) => {
    expect((await read(text))?.reading.plan).toMatchObject({ steps: 1000, saveIntervalSteps: 100 });
  });

  it('are not known where a key is set then', async () => {
    const found = await read(run('args = {"save_steps": 100, "max_steps": 1000}\nif small:\n    args["save_steps"] = 5'));
    expect(found?.reading.plan).toMatchObject({ steps: 1000 });
    expect(found?.reading.plan.saveIntervalSteps).toBeUndefined();
    expect(found?.reading.plan.notes).not.toContain('default-save-interval');
  });

  it.each([
    ['a map that is updated', 'args = {"save_steps": 100}\nargs.update(load())'],
    ['one of two', 'args = {"save_steps": 100}\nif small:\n    args = {"save_steps": 5}'],
    ['a union', 'args = {"save_steps": 100} | load()'],
    ['a part of a map', 'args = {"a": {"save_steps": 100}}["a"]'],
    ['a call', 'args = load({"save_steps": 100})'],
    ['a map that never ends', `args = {"save_steps": 100, ${'['.repeat(60_000)}`],
  ])('are none of %s', async (_, map) => {
    expect(await read(run(map))).toBeNull();
  });

  it('are an adapter’s too', async () => {
    const { estimate } = await estimateText(
      'train.py',
      `lora = dict(r=8, target_modules=["q_proj", "v_proj"])\nmodel = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-3.1-8B")\nmodel = get_peft_model(model, LoraConfig(**lora))\nTrainer(model, TrainingArguments(max_steps=10)).train()\n`,
    );
    expect(estimate.adapter?.parameters).toBe(3_407_872);
  });
});

describe('what is saved in the end', () => {
  const script = (end: string, adapter = '') => `
model = AutoModelForCausalLM.from_pretrained("${model}", dtype=torch.bfloat16)
${adapter}
trainer = Trainer(model=model, args=TrainingArguments(output_dir="out", max_steps=1000, save_steps=1000))
model.save_pretrained("before")
trainer.train()
${end}
`;
  const lora = 'model = get_peft_model(model, LoraConfig(r=8, target_modules=["q_proj"]))';
  const planOf = async (end: string, adapter = '') => (await estimateText('train.py', script(end, adapter))).estimate;

  it.each([
    'trainer.save_model("final")',
    'model.save_pretrained("final")',
    'trainer.model.save_pretrained("final")',
    'trainer.accelerator.unwrap_model(trainer.model).save_pretrained("final", safe_serialization=True)',
    'model.save_pretrained_merged("final", tokenizer, save_method="lora")',
  ])('%s is the model alone', async (end) => {
    const { run } = await planOf(end);
    expect(run.endBytes).toBe(2 * 494_032_768);
  });

  it('is the adapter alone where there is one', async () => {
    const { run, adapter } = await planOf('model.save_pretrained("final")', lora);
    expect(run.endBytes).toBe(4 * (adapter?.parameters ?? 0));
  });

  it.each(['tokenizer.save_pretrained("final")', 'processor.save_pretrained("final")', 'model.config.save_pretrained("a")', ''])(
    '%s is no model',
    async (end) => {
      expect((await planOf(end)).plan.endFolder).toBeUndefined();
    },
  );

  it.each([
    'merged = model.merge_and_unload()\nmerged.save_pretrained("final")',
    'trainer.model.merge_and_unload().save_pretrained("final")',
    'model.save_pretrained_merged("final", tokenizer)',
  ])('%s is a model that is said not to be counted', async (end) => {
    const { plan } = await planOf(end, lora);
    expect(plan.endFolder).toBeUndefined();
    expect(plan.notes).toContain('merged-at-end');
  });
});

describe('AdaLoRA', () => {
  const script = (options: string, more = '') => `
model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-3.1-8B", dtype=torch.bfloat16)
model = get_peft_model(model, AdaLoraConfig(${options}))
trainer = Trainer(model=model, args=TrainingArguments(output_dir="out", max_steps=1000, save_steps=1000))
${more}
trainer.train()
`;

  it.each([
    ['init_r=12, target_r=8, r=4, target_modules=["q_proj", "v_proj"], total_step=1000', 12],
    ['target_modules=["q_proj", "v_proj"], total_step=1000', 12],
    ['init_r=6, target_modules=["q_proj", "v_proj"], total_step=1000', 6],
  ])('has the initial rank and a number for each: %s', async (options, rank) => {
    const { estimate } = await estimateText('train.py', script(options));
    expect(estimate.adapter?.parameters).toBe(32 * rank * (4096 + 4096 + 1 + 4096 + 1024 + 1));
    expect(estimate.plan.notes).not.toContain('ranks-reduced');
  });

  it('says that ranks are reduced where the script does it', async () => {
    const more = 'trainer.add_callback(Allocate(lambda step: model.base_model.update_and_allocate(step)))';
    const { report } = await estimateText('train.py', script('target_modules=["q_proj"], total_step=1000', more));
    expect(report.assumptions.map(({ text }) => text).join('\n')).toContain('shrink to target_r on average');
  });

  it('is not counted without targets, or where ranks were reduced', async () => {
    const config = (more: object) =>
      estimateText(
        'adapter_config.json',
        JSON.stringify({ peft_type: 'ADALORA', base_model_name_or_path: 'meta-llama/Llama-3.1-8B', init_r: 12, ...more }),
      );
    const targets = { target_modules: ['q_proj'] };
    expect((await config(targets)).estimate.adapter?.parameters).toBe(32 * 12 * 8193);
    expect((await config({ ...targets, rank_pattern: null })).estimate.adapter?.parameters).toBe(32 * 12 * 8193);
    const reduced = { 'model.layers.0.self_attn.q_proj.lora_E': [true, false] };
    expect((await config({ ...targets, rank_pattern: reduced })).estimate.adapter?.parameters).toBeNull();
    expect((await estimateText('train.py', script('total_step=1000'))).estimate.adapter?.parameters).toBeNull();
  });
});

describe('Unsloth', () => {
  const script = (call: string, load = 'max_seq_length=2048') => `
model, tokenizer = FastLanguageModel.from_pretrained(model_name="unsloth/Meta-Llama-3.1-8B", ${load})
model = ${call}
trainer = SFTTrainer(model=model, args=SFTConfig(output_dir="out", max_steps=60, save_steps=60))
trainer.train()
`;
  const all = 41_943_040;

  it.each([
    ['FastLanguageModel.get_peft_model(model)', all],
    ['FastLanguageModel.get_peft_model(model, r=32, use_gradient_checkpointing="unsloth")', 2 * all],
    ['FastLanguageModel.get_peft_model(model, r=8, target_modules=["q_proj", "v_proj"])', 3_407_872],
    [
      'FastLanguageModel.get_peft_model(model, target_modules=["q_proj", "v_proj", "embed_tokens"])',
      2 * 3_407_872 + 128_256 * 4096,
    ],
    ['FastModel.get_peft_model(model, r=8, target_modules=["q_proj", "v_proj"], finetune_vision_layers=True)', 3_407_872],
    ['FastVisionModel.get_peft_model(model, r=8)', null],
    ['FastModel.get_peft_model(model, r=8, target_modules=["q_proj"], finetune_mlp_modules=False)', null],
    ['FastModel.get_peft_model(model, r=8, target_modules="all-linear")', null],
    ['FastLanguageModel.get_peft_model(model, r=rank())', null],
    ['FastLanguageModel.get_peft_model(model, **options)', null],
  ])('%s', async (call, parameters) => {
    const { estimate } = await estimateText('train.py', script(call));
    expect(estimate.adapter?.parameters).toBe(parameters);
  });

  it('loads 4 bits and trains its adapter in 32', async () => {
    const of = async (load: string) =>
      (await estimateText('train.py', script('FastLanguageModel.get_peft_model(model)', load))).estimate;
    const usual = await of('max_seq_length=2048');
    expect(usual.plan.loadBits).toBe(4);
    expect(usual.size.bytes).toBe(12 * all);
    expect((await of('load_in_4bit=False')).plan.loadBits).toBeUndefined();
    expect((await of('load_in_8bit=True, load_in_4bit=False')).plan.loadBits).toBe(8);
    expect((await of('load_in_16bit=True')).plan.loadBits).toBeUndefined();
    expect((await of('load_in_4bit=options.bits')).plan.loadBits).toBeUndefined();
  });
});
