/** What a checkpoint of an adapter holds, by the program that trains it. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';

/** Qwen3-0.6B, rank 8 on queries and values: 8 x (1024 + 2048 + 1024 + 1024) x 28. */
const parameters = 8 * (1024 + 2048 + 1024 + 1024) * 28;
const flags = '--model_name_or_path Qwen/Qwen3-0.6B --output_dir out --save_steps 10 --per_device_train_batch_size 1 --bf16';
const lora = '--use_peft --lora_r 8 --lora_target_modules q_proj v_proj';

async function termsOf(name: string, text: string): Promise<[source: string, perParameter: number][]> {
  const { estimate } = await estimateText(name, text);
  return estimate.size.terms.map(({ source, bytes }) => [source, (bytes ?? NaN) / parameters]);
}

describe('an adapter of TRL', () => {
  it('is cast to bf16 with its moments on a model in 4 bits', async () => {
    expect(await termsOf('job.sh', `trl sft ${flags} ${lora} --load_in_4bit`)).toEqual([
      ['adapter-cast', 2],
      ['optimizer-default', 2],
      ['optimizer-default', 2],
    ]);
  });

  it('stays in 32 bits on a model in 16', async () => {
    expect((await termsOf('job.sh', `trl sft ${flags} ${lora}`))[0]).toEqual(['adapter-f32', 4]);
    expect((await termsOf('job.sh', `python orpo.py ${flags} ${lora} --load_in_4bit`))[0]).toEqual(['adapter-f32', 4]);
  });

  it('is cast where a Python file quantizes the model', async () => {
    const text = `
model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen3-0.6B", quantization_config=BitsAndBytesConfig(load_in_4bit=True))
trainer = SFTTrainer(model=model, args=SFTConfig(output_dir="out", max_steps=1000, save_steps=100),
  peft_config=LoraConfig(r=8, target_modules=["q_proj", "v_proj"]))
trainer.train()
`;
    expect((await termsOf('train.py', text))[0]).toEqual(['adapter-cast', 2]);
    const other = text.replace('SFTTrainer', 'Trainer').replace('SFTConfig', 'TrainingArguments');
    expect((await termsOf('train.py', other))[0]).toEqual(['adapter-f32', 4]);
  });
});

describe('an adapter of torchtune', () => {
  const recipe = (type: string) => `
model:
  _component_: torchtune.models.qwen3.lora_qwen3_0_6b_instruct
  lora_attn_modules: [q_proj, v_proj]
  lora_rank: 8
tokenizer:
  _component_: torchtune.models.qwen3.qwen3_tokenizer
checkpointer:
  _component_: torchtune.training.FullModelHFCheckpointer
  checkpoint_dir: Qwen/Qwen3-0.6B
  model_type: ${type}
optimizer:
  _component_: torch.optim.AdamW
save_adapter_weights_only: true
epochs: 1
dtype: bf16
`;

  it('is saved for PEFT too', async () => {
    expect((await termsOf('a.yaml', recipe('QWEN3'))).filter(([source]) => source.startsWith('adapter'))).toEqual([
      ['adapter-dtype', 2],
      ['adapter-formats', 2],
    ]);
  });

  it('is saved once for models that have no conversion', async () => {
    expect((await termsOf('a.yaml', recipe('LLAMA4'))).filter(([source]) => source.startsWith('adapter'))).toEqual([
      ['adapter-dtype', 2],
    ]);
  });
});
