/** What is trained of a model of which a Python file freezes parts. */
import { describe, expect, it } from 'vitest';
import { estimateText, llamaConfig } from '../../builders/estimateText.js';

/** Of one layer of Llama 3 8B: queries and outputs, keys and values, three matrices, two norms. */
const attention = 2 * 4096 * 4096 + 2 * 1024 * 4096;
const perceptron = 3 * 4096 * 14_336;
const layer = attention + perceptron + 2 * 4096;
const embedding = 128_256 * 4096;
const norm = 4096;
const whole = 2 * embedding + 32 * layer + norm;

const script = (after: string, load = ', dtype=torch.bfloat16') => `
model = AutoModelForCausalLM.from_pretrained("./llama"${load})
${after}
args = TrainingArguments(output_dir="out", bf16=True, max_steps=300, save_steps=100)
trainer = Trainer(model=model, args=args)
print(sum(p.numel() for p in model.parameters() if p.requires_grad))
trainer.train()
`;
const reportOf = async (text: string, keys: Record<string, unknown> = {}, freeBytes: number | null = null) =>
  (await estimateText('train.py', text, { beside: { 'llama/config.json': llamaConfig(keys) }, freeBytes })).report;
const saidAtMost = 'a checkpoint takes at most what is shown';

describe('what is trained after steps that are plain', () => {
  it.each([
    ['for p in model.model.layers[:16].parameters(): p.requires_grad = False', whole - 16 * layer],
    ['for p in model.model.layers[:-2].parameters():\n    p.requires_grad_(False)', whole - 30 * layer],
    ['model.model.embed_tokens.requires_grad_(False)', whole - embedding],
    ['model.requires_grad_(False)\nmodel.lm_head.requires_grad_(True)', embedding],
    ['for p in model.model.parameters(): p.requires_grad = False', embedding],
    ['for n, p in model.named_parameters():\n    if "lm_head" not in n:\n        p.requires_grad = False', embedding],
    ['for n, p in model.named_parameters():\n    p.requires_grad = "mlp" in n', 32 * perceptron],
    [
      'for n, p in model.named_parameters():\n    if n.startswith("model.embed_tokens"):\n        p.requires_grad = False',
      whole - embedding,
    ],
    [
      'for n, p in model.named_parameters():\n    if any(k in n for k in ["q_proj", "k_proj", "v_proj", "o_proj"]):\n        p.requires_grad = True\n    else:\n        p.requires_grad = False',
      32 * attention,
    ],
    [
      'for n, p in model.named_parameters():\n    if not any(k in n for k in ("layers.30.", "layers.31.")):\n        p.requires_grad = False',
      2 * layer,
    ],
    ['for layer in model.model.layers[:20]:\n    layer.requires_grad_(False)', whole - 20 * layer],
    [
      'for layer in model.model.layers[:20]:\n    for p in layer.parameters():\n        p.requires_grad = False',
      whole - 20 * layer,
    ],
    [
      'for i, layer in enumerate(model.model.layers):\n    for p in layer.parameters():\n        p.requires_grad_(False)',
      whole - 32 * layer,
    ],
    ['model.model.layers[-1].mlp.requires_grad_(False)', whole - perceptron],
    [
      'for p in model.parameters():\n    p.requires_grad = False\nfor p in model.model.layers[-1].parameters():\n    p.requires_grad = True',
      layer,
    ],
  ])('is counted: %s', async (after, trained) => {
    const report = await reportOf(script(after));
    expect(report.parameters?.trainable).toBe(trained);
    expect(report.checkpoint.bytes).toBe(2 * whole + 2 * 2 * trained);
    expect(report.assumptions.map(({ text }) => text).join()).not.toContain(saidAtMost);
  });

  it('is nothing of the output layer where it is tied to a frozen embedding', async () => {
    const tied = { tie_word_embeddings: true };
    const frozen = await reportOf(script('model.model.embed_tokens.requires_grad_(False)'), tied);
    expect(frozen.parameters?.trainable).toBe(32 * layer + norm);
    const head = await reportOf(script('model.requires_grad_(False)\nmodel.lm_head.requires_grad_(True)'), tied);
    expect(head.parameters?.trainable).toBe(embedding);
  });
});

describe('what is trained after steps that are not plain', () => {
  it.each([
    'if freeze:\n    model.model.embed_tokens.requires_grad_(False)',
    'def freeze(model):\n    model.model.embed_tokens.requires_grad_(False)',
    'for p in model.model.layers[:count].parameters(): p.requires_grad = False',
    'for n, p in model.named_parameters():\n    if pattern in n:\n        p.requires_grad = False',
    'for n, p in model.named_parameters():\n    if "of_no_module" in n:\n        p.requires_grad = False',
    'model.model.of_no_module.requires_grad_(False)',
    'model.model.embed_tokens.requires_grad_(False)\nhead = model.lm_head\nhead.requires_grad_(False)',
    'for n, p in model.named_parameters():\n    if "mlp" in n:\n        continue\n    p.requires_grad = False',
    'for n, p in model.named_parameters():\n    if "mlp" in n and "layers.1." not in n:\n        p.requires_grad = False',
  ])('is said to be at most: %s', async (after) => {
    const report = await reportOf(script(after));
    expect(report.parameters?.trainable).toBe(whole);
    expect(report.assumptions.map(({ text }) => text).join()).toContain(saidAtMost);
  });

  it('makes no fact of what may be less', async () => {
    const unclear = 'if freeze:\n    model.model.embed_tokens.requires_grad_(False)';
    const [unknown] = (await reportOf(script(unclear), {}, 50_000_000_000)).findings;
    expect(unknown?.message).toContain('take at most 145 GB');
    expect(unknown?.advice).toContain('they may take less');
    const [known] = (await reportOf(script('model.lm_head.requires_grad_(False)'), {}, 50_000_000_000)).findings;
    expect(known?.message).not.toContain('at most');
  });
});

it('counts what ms-swift freezes by the beginning of names', async () => {
  const command = (flags: string) =>
    `swift sft --model ./llama --dataset d --output_dir o --tuner_type full --torch_dtype bfloat16 ${flags}\n`;
  const swift = async (flags: string) =>
    (await estimateText('run.sh', command(flags), { beside: { 'llama/config.json': llamaConfig() } })).report;
  const frozen = await swift('--freeze_parameters model.embed_tokens model.layers.0.');
  expect(frozen.parameters?.trainable).toBe(whole - embedding - layer);
  const again = await swift('--freeze_parameters model --trainable_parameters model.norm');
  expect(again.parameters?.trainable).toBe(embedding + norm);
  const ratio = await swift('--freeze_parameters model.embed_tokens --freeze_parameters_ratio 0.5');
  expect(ratio.assumptions.map(({ text }) => text).join()).toContain(saidAtMost);
});
