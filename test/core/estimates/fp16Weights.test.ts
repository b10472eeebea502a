/** Weights in float16 under fp16 mixed precision, which torch's scaler of gradients refuses, and what a quantized base is kept in. */
import { describe, expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';

const beside = { 'llama/config.json': llamaConfig({ torch_dtype: 'float16' }) };
const reportOf = async (name: string, text: string) => (await estimateText(name, text, { beside })).report;

const script = (load: string, args: string, peft = '') =>
  `from transformers import AutoModelForCausalLM, Trainer, TrainingArguments\nmodel = AutoModelForCausalLM.from_pretrained("./llama"${load})\n${peft}args = TrainingArguments(output_dir="o", max_steps=100, save_steps=50, per_device_train_batch_size=1${args})\nTrainer(model=model, args=args).train()\n`;
const lora = (more = '', call = '') =>
  `from peft import LoraConfig, get_peft_model\nmodel = get_peft_model(model, LoraConfig(r=8, target_modules=["q_proj"], task_type="CAUSAL_LM"${more})${call})\n`;
const bits = ', quantization_config=BitsAndBytesConfig(load_in_4bit=True)';
const recipe = (lines: string) =>
  `model_name_or_path: ./llama\nper_device_train_batch_size: 1\nsave_total_limit: 3\nmax_steps: 100\nsave_steps: 50\noutput_dir: o\n${lines}`;
const axolotl = (lines: string) =>
  `base_model: ./llama\nmicro_batch_size: 1\nnum_epochs: 3\nsequence_len: 64\ndatasets: [{path: d, type: alpaca}]\n${lines}`;
const factory = (lines: string) =>
  `model_name_or_path: ./llama\nstage: sft\ndo_train: true\ntemplate: llama3\nper_device_train_batch_size: 1\ndataset: d\noutput_dir: o\n${lines}`;
const swift = (flags: string) => `swift sft --model ./llama --dataset d --output_dir o --torch_dtype float16 ${flags}\n`;

const half = ', torch_dtype=torch.float16';

describe('weights in float16 under fp16 mixed precision', () => {
  it.each([
    ['a script', 'a.py', script(half, ', fp16=True')],
    ['a script that casts', 'a.py', script('', ', fp16=True').replace('args =', 'model.half()\nargs =')],
    ['an adapter with whole modules', 'a.py', script(half, ', fp16=True', lora(', modules_to_save=["lm_head"]'))],
    ['an adapter as the base', 'a.py', script(half, ', fp16=True', lora('', ', autocast_adapter_dtype=False'))],
    ['a recipe', 'a.yaml', recipe('fp16: true\ntorch_dtype: float16\n')],
    ['axolotl', 'a.yaml', axolotl('fp16: true\nbf16: false\n')],
    ['ms-swift', 'run.sh', swift('--tuner_type full --fp16 true')],
  ])('are refused of %s', async (_, name, text) => {
    const { findings } = await reportOf(name, text);
    expect(findings.filter(({ code }) => code === 'fp16-weights-in-mixed-precision')).toHaveLength(1);
  });

  it.each([
    ['weights in 32 bits', 'a.py', script(', torch_dtype=torch.float32', ', fp16=True')],
    ['bf16', 'a.py', script(half, ', bf16=True')],
    ['no mixed precision', 'a.py', script(half, '')],
    ['an adapter, which PEFT casts', 'a.py', script(half, ', fp16=True', lora())],
    [
      'DeepSpeed, which scales by itself',
      'a.yaml',
      recipe('fp16: true\ntorch_dtype: float16\ndeepspeed: {zero_optimization: {stage: 2}}\n'),
    ],
    ['FSDP, whose weights accelerate casts', 'a.yaml', recipe('fp16: true\ntorch_dtype: float16\nfsdp: full_shard auto_wrap\n')],
    ['LLaMA-Factory, which casts what is trained', 'a.yaml', factory('fp16: true\nfinetuning_type: full\n')],
    ['an adapter of ms-swift, which casts it', 'run.sh', swift('--tuner_type lora --fp16 true')],
  ])('are not found with %s', async (_, name, text) => {
    const { findings } = await reportOf(name, text);
    expect(findings.map(({ code }) => code)).not.toContain('fp16-weights-in-mixed-precision');
  });

  it('are those of the model in transformers 5 where no dtype is set', async () => {
    const { findings } = await reportOf('a.py', script('', ', fp16=True'));
    const [found] = findings.filter(({ code }) => code === 'fp16-weights-in-mixed-precision');
    expect(found).toMatchObject({ severity: 'warning' });
    expect(found?.message).toContain('in transformers 5 loaded in float16');
  });
});

describe('modules that are trained whole beside a quantized base', () => {
  // lm_head of 128,256 x 4,096, and 32 layers of 2 matrices of rank 8 beside queries of 4,096.
  const head = 128_256 * 4096;
  const matrices = 32 * 8 * (4096 + 4096);
  const whole = lora(', modules_to_save=["lm_head"]');
  const prepared = `from peft import prepare_model_for_kbit_training\nmodel = prepare_model_for_kbit_training(model)\n${whole}`;
  const weights = async (text: string) =>
    (await reportOf('a.py', text)).checkpoint.terms
      .filter(({ name }) => name === 'weights')
      .reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);

  it('are in 32 bits where the base is prepared, whatever it was loaded in', async () => {
    expect(await weights(script(bits + half, ', bf16=True', prepared))).toBe(4 * (head + matrices));
    expect(await weights(script(bits, ', bf16=True', prepared))).toBe(4 * (head + matrices));
  });

  it('are as they were loaded where it is not', async () => {
    expect(await weights(script(bits + half, ', bf16=True', whole))).toBe(2 * head + 4 * matrices);
    expect(await weights(script(bits, ', bf16=True', whole))).toBe(2 * head + 4 * matrices);
  });

  it('are refused in float16 as well', async () => {
    const codes = async (peft: string) =>
      (await reportOf('a.py', script(bits + half, ', fp16=True', peft))).findings.map(({ code }) => code);
    expect(await codes(whole)).toContain('fp16-weights-in-mixed-precision');
    expect(await codes(prepared)).not.toContain('fp16-weights-in-mixed-precision');
  });
});
