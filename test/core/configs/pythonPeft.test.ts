/** Adapters that a Python file makes with PEFT: sized as the adapter_config.json that is saved of them. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';

const script = (adapter: string) => `
model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-3.1-8B", dtype=torch.bfloat16)
${adapter}
args = TrainingArguments(output_dir="out", bf16=True, max_steps=2000, save_steps=1000)
Trainer(model=model, args=args).train()
`;
const estimateOf = (adapter: string) => estimateText('train.py', script(adapter));

describe('an adapter of PEFT in a Python file', () => {
  it.each([
    'model = get_peft_model(model, PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=20))',
    'config = IA3Config(target_modules=["k_proj"], feedforward_modules=[])\nmodel = get_peft_model(model, config)',
    'model = get_peft_model(model, VeraConfig(r=256, target_modules=["q_proj"]))',
    'model = get_peft_model(model, LoHaConfig(r=8, target_modules=["q_proj"]))',
    'model.add_adapter(VBLoRAConfig(r=8, target_modules=["q_proj"]))',
    'trainer = SFTTrainer(model=model, peft_config=BOFTConfig())',
    'model = get_peft_model(model, config_from_elsewhere())',
    'trainer = SFTTrainer(model=model, peft_config=config_from_elsewhere())',
    'model = PeftModel.from_pretrained(model, "before", is_trainable=True)',
    'model = get_peft_model(model, LoraConfig(r=options.rank, target_modules=["q_proj"]))',
    'model = get_peft_model(model, LoraConfig(**options))',
    'config = LoraConfig(r=8) if is_lora else IA3Config()\nmodel = get_peft_model(model, config)',
  ])('has no size where it is not counted, and never that of the whole model: %s', async (adapter) => {
    const { estimate, report } = await estimateOf(adapter);
    expect(estimate.plan.adapter).toMatchObject({ kind: 'other' });
    expect(report.checkpoint.bytes).toBeNull();
    expect(report.run.bytes).toBeNull();
    expect(report.assumptions.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('the size of a checkpoint is not known'),
    );
  });

  it.each([
    ['r=8, target_modules=["q_proj", "v_proj"]', 3_407_872],
    ['r=8, target_modules=["q_proj", "v_proj"], use_dora=True', 3_407_872 + 32 * (4096 + 1024)],
    ['r=8, target_modules=["q_proj", "v_proj"], layers_to_transform=[0, 1, 2, 3]', 3_407_872 / 8],
    ['r=8, target_modules=["q_proj", "v_proj"], rank_pattern={"v_proj": 16}', 3_407_872 + 32 * 8 * (4096 + 1024)],
    ['r=8, target_modules=["q_proj", "v_proj"], exclude_modules=["v_proj"]', 32 * 8 * 8192],
    ['target_modules=["q_proj", "v_proj"]', 3_407_872],
  ])('is counted with %s', async (options, parameters) => {
    const { estimate } = await estimateOf(`model = get_peft_model(model, LoraConfig(${options}))`);
    expect(estimate.adapter?.parameters).toBe(parameters);
  });

  it('counts as the same adapter_config.json does', async () => {
    const python = await estimateOf(
      'model = get_peft_model(model, LoraConfig(r=8, target_modules="all-linear", bias="all", lora_bias=True, task_type="SEQ_CLS"))',
    );
    const members = { r: 8, target_modules: 'all-linear', bias: 'all', lora_bias: true, task_type: 'SEQ_CLS' };
    const json = await estimateText(
      'adapter_config.json',
      JSON.stringify({ peft_type: 'LORA', base_model_name_or_path: 'meta-llama/Llama-3.1-8B', ...members }),
    );
    expect(python.estimate.adapter?.parameters).toBe(json.estimate.adapter?.parameters);
    const oft = await estimateOf('model = get_peft_model(model, OFTConfig(target_modules=["q_proj"]))');
    expect(oft.estimate.adapter?.parameters).toBe((32 * 4096 * 31) / 2);
  });

  it('keeps the dtype of the base where PEFT is not to cast it', async () => {
    const lora = (rest: string) => `model = get_peft_model(model, LoraConfig(r=8, target_modules=["q_proj", "v_proj"])${rest})`;
    const bytesOf = async (adapter: string) => (await estimateOf(adapter)).estimate.size.terms.map(({ bytes }) => bytes);
    expect(await bytesOf(lora(''))).toEqual([4, 4, 4].map((bytes) => bytes * 3_407_872));
    expect(await bytesOf(lora(', autocast_adapter_dtype=False'))).toEqual([2, 2, 2].map((bytes) => bytes * 3_407_872));
  });
});

describe('an adapter_config.json', () => {
  it('has modules that are trained whole in the dtype of the base, as a script has', async () => {
    const { report } = await estimateText(
      'adapter_config.json',
      JSON.stringify({
        peft_type: 'LORA',
        base_model_name_or_path: 'meta-llama/Llama-3.1-8B',
        r: 8,
        target_modules: ['q_proj', 'v_proj'],
        modules_to_save: ['lm_head'],
      }),
    );
    expect(report.checkpoint.bytes).toBe(3_407_872 * 4 + 128_256 * 4096 * 2);
    expect(report.assumptions.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('transformers 4 loads them in 32 bits'),
    );
  });

  it('says that a method is not counted', async () => {
    const { report } = await estimateText(
      'adapter_config.json',
      JSON.stringify({ peft_type: 'PROMPT_TUNING', base_model_name_or_path: 'meta-llama/Llama-3.1-8B', num_virtual_tokens: 20 }),
    );
    expect(report.checkpoint.bytes).toBeNull();
    expect(report.assumptions).toContainEqual(expect.objectContaining({ about: 'adapter' }));
  });
});
