/** What a Python file does with its model between loading and training. */
import { describe, expect, it } from 'vitest';
import { estimateText } from '../../builders/estimateText.js';

const script = (load: string, after = '') => `
model = AutoModelForCausalLM.from_pretrained("Qwen/Qwen2.5-7B"${load}
other = build()
${after}
args = TrainingArguments(output_dir="out", bf16=True, max_steps=300, save_steps=100)
trainer = Trainer(model=model, args=args)
trainer.train()
`;
const estimateOf = (load: string, after?: string) => estimateText('train.py', script(load, after));
const frozen = 'only a part of the model is trained';

describe('weights that a Python file casts', () => {
  it.each([
    [').float()', '', 4],
    [', dtype=torch.bfloat16)', 'model.float()', 4],
    [', dtype=torch.bfloat16)', 'model = model.to(torch.float32)', 4],
    [', dtype=torch.bfloat16)', 'model = model.to("cuda", dtype=torch.float32)', 4],
    [', dtype=torch.float32)\n  .half()', '', 2],
    [', dtype=torch.float32)', 'model.to(device)\nmodel = model.bfloat16()', 2],
  ])('have the dtype of the cast: %s %s', async (load, after, bytes) => {
    const { estimate, report } = await estimateOf(load, after);
    expect(estimate.size.terms[0]?.bytesPerParameter).toBe(bytes);
    expect(estimate.loaded).toBeNull();
    expect(report.assumptions.map(({ text }) => text)).toContainEqual(expect.stringContaining('casts the weights'));
  });

  it.each(['model.to("cuda")', 'other.float()', 'loss = outputs.loss.float()', 'other(model).float()'])(
    'stay as they are with %s',
    async (after) => {
      const { estimate } = await estimateOf(', dtype=torch.bfloat16)', after);
      expect(estimate.size.terms[0]?.bytesPerParameter).toBe(2);
      expect(estimate.plan.notes).not.toContain('weights-cast');
    },
  );
});

describe('weights that a Python file freezes', () => {
  it.each([
    'for p in model.model.parameters(): p.requires_grad = False',
    'for name, param in model.named_parameters():\n    if "layers.2" not in name:\n        param.requires_grad = False',
    'for name, param in model.named_parameters():\n    param.requires_grad = "lm_head" in name',
    'model.requires_grad_(False)\nmodel.lm_head.requires_grad_(True)',
    'for index, layer in enumerate(model.model.layers):\n    for p in layer.parameters():\n        p.requires_grad_(False)',
    'model.model.embed_tokens.requires_grad_(requires_grad=False)',
    'for layer in model.model.layers[:20]:\n    layer.requires_grad_(False)',
  ])('have no optimizer state: %s', async (after) => {
    const { estimate, report } = await estimateOf(')', after);
    expect(estimate.plan.notes).toContain('partly-frozen');
    expect(report.parameters?.trainable).toBeLessThan(report.parameters?.unique ?? 0);
    expect(report.assumptions.map(({ text }) => text)).not.toContainEqual(expect.stringContaining(frozen));
  });

  it.each([
    'other.requires_grad_(False)',
    'for p in other.parameters(): p.requires_grad = False',
    'for p in model.parameters(): p.requires_grad = True',
    'for p in model.parameters():\n    print(p)\nreference.weight.requires_grad = False',
    'model = get_peft_model(model, LoraConfig(r=8))\nfor p in model.parameters(): p.requires_grad = False',
  ])('are none with %s', async (after) => {
    const { report } = await estimateOf(')', after);
    expect(report.assumptions.map(({ text }) => text)).not.toContainEqual(expect.stringContaining(frozen));
  });

  it('are said of axolotl’s patterns, too', async () => {
    const config =
      'base_model: Qwen/Qwen2.5-7B\nmicro_batch_size: 1\nsequence_len: 4096\nunfrozen_parameters:\n  - ^lm_head.weight$\n';
    const { report } = await estimateText('a.yaml', config);
    expect(report.assumptions.map(({ text }) => text)).toContainEqual(expect.stringContaining(frozen));
  });
});

describe('a model that a Python file saves when training ends', () => {
  it('is counted once more', async () => {
    const text = script(', dtype=torch.bfloat16)');
    const { estimate } = await estimateText('train.py', `${text}trainer.save_model("final")\n`);
    expect(estimate.run.endBytes).toBe(7_615_616_512 * 2);
    expect((await estimateText('train.py', text)).estimate.run.endBytes).toBeNull();
  });
});
