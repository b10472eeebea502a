import { describe, expect, it } from 'vitest';
import { readText } from './readConfigFixture.js';

const read = (text: string) => readText('train.py', text);

describe('a Python file that trains', () => {
  it('is the config of its trainer: the arguments, the model and its dtype', async () => {
    const found = await read(`
import torch
from transformers import AutoModelForCausalLM, Trainer, TrainingArguments
"""Example: TrainingArguments(output_dir="other", save_steps=7)"""
name = "Qwen/Qwen2.5-7B"
steps = 1000
tokenizer = AutoTokenizer.from_pretrained("other/tokenizer")
model = AutoModelForCausalLM.from_pretrained(name, torch_dtype=torch.bfloat16)  # TrainingArguments(save_steps=8)
args = TrainingArguments(
    output_dir="out",  # where, (and "why")
    max_steps=steps * 2, save_steps=100, save_total_limit=2,
    logging_dir=os.path.join("a", "b"), per_device_train_batch_size=compute(3, (4)),
    bf16=True,
)
Trainer(model=model, args=args).train()
`);
    expect(found?.id).toBe('training-arguments');
    expect(found?.reading.model).toMatchObject({ kind: 'named', name: 'Qwen/Qwen2.5-7B' });
    expect(found?.reading.plan).toMatchObject({
      steps: 2000,
      saveIntervalSteps: 100,
      keep: 2,
      parameterDtype: 'bf16',
      precision: 'bf16',
    });
    expect(found?.file.fields.isOpen('per_device_train_batch_size')).toBe(true);
    expect(found?.reading.plan.microBatch).toBeUndefined();
  });

  it('is a run where it accumulates gradients, too (trl/examples/scripts/rloo.py)', async () => {
    const found = await read(`
args = RLOOConfig(output_dir="out", model_init_kwargs={"dtype": torch.bfloat16}, gradient_accumulation_steps=2, use_vllm=True)
trainer = RLOOTrainer(model="Qwen/Qwen3-0.6B", args=args, peft_config=LoraConfig())
trainer.train()
`);
    expect(found?.reading.model).toMatchObject({ name: 'Qwen/Qwen3-0.6B' });
    expect(found?.reading.plan).toMatchObject({ accumulation: 2, saveIntervalSteps: 500, adapter: { kind: 'lora', rank: 8 } });
  });

  it('may name the model in its trainer, and an adapter', async () => {
    const found = await read(`
peft_config = LoraConfig(r=16, lora_alpha=32, target_modules=["q_proj", "v_proj"])
trainer = SFTTrainer(
    model="Qwen/Qwen3-0.6B",
    args=SFTConfig(output_dir="out", max_steps=1000, save_steps=100),
    peft_config=peft_config,
)
trainer.train()
`);
    expect(found?.reading.model).toMatchObject({ kind: 'named', name: 'Qwen/Qwen3-0.6B' });
    expect(found?.reading.plan.adapter).toMatchObject({ rank: 16 });
  });

  it.each([
    [
      'several trainers, as tests have',
      'a = TrainingArguments(output_dir="a", save_steps=1)\nb = TrainingArguments(output_dir="b", save_steps=2)\nt.train()\n',
    ],
    [
      'arguments and no training',
      'args = Seq2SeqTrainingArguments(output_dir="dummy", per_device_train_batch_size=1)\nmodel.generate()\n',
    ],
    ['a class of its own', 'class SFTConfig(Config):\n    pass\nSFTConfig(output_dir="a", max_steps=1)\ntrainer.train()\n'],
    ['a class of arguments', 'class TrainingArguments(Base, metaclass=Meta):\n    save_steps: int = 500\n'],
    [
      'an example in documentation',
      '"""\n>>> TrainingArguments(output_dir="a", save_steps=1)\n"""\n# TrainingArguments(output_dir="a", save_steps=1)\n',
    ],
    [
      'arguments from elsewhere',
      'parser = HfArgumentParser((ModelArguments, TrainingArguments))\nargs = TrainingArguments(**values)\n',
    ],
    ['a call that never ends', `TrainingArguments(output_dir="a", save_steps=[${'('.repeat(100_000)}`],
  ])('is none with %s', async (_, text) => {
    expect(await read(text)).toBeNull();
  });

  it('reads a long file in one pass', async () => {
    const text = `${"x = '''\n".repeat(20_000)}TrainingArguments(${'a='.repeat(20_000)}`;
    expect(await read(text)).toBeNull();
  });
});
