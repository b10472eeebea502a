/** The report of an estimate: its schema, its words, and the card and line that the editor shows. */
import { describe, expect, it } from 'vitest';
import { createConfigAccess } from '../../../../src/core/configs/configAccess.js';
import { keyEffect } from '../../../../src/core/estimates/keyEffect.js';
import { parameterSentence } from '../../../../src/core/pages/estimate/estimateLines.js';
import { estimateHover, estimateLens } from '../../../../src/core/pages/estimate/estimateHover.js';
import { renderEstimateMarkdown } from '../../../../src/core/pages/estimate/estimateMarkdown.js';
import { renderEstimateTerminal } from '../../../../src/core/pages/estimate/estimateTerminal.js';
import { estimateText, llamaConfig, sourcesOf } from '../../../builders/estimateText.js';
import { compileSchemaFile, schemaErrors } from '../../../builders/schemaErrors.js';

const validate = compileSchemaFile('docs/estimate-report.schema.json');
const links = { plan: 'command:plan', why: 'command:why' };
const trainer = `model_name_or_path: ./llama
per_device_train_batch_size: 4
gradient_accumulation_steps: 2
learning_rate: 1.0e-4
max_steps: 10000
save_steps: 1000
save_total_limit: 3
bf16: true
torch_dtype: float32
optim: adamw_torch
`;
const beside = { 'llama/config.json': llamaConfig() };

describe('parameters', () => {
  it('say how often tied weights are counted, which an encoder with a decoder has in four places', async () => {
    const t5 = { model_type: 't5', architectures: ['T5ForConditionalGeneration'], d_model: 512, vocab_size: 32_128 };
    const { report } = await estimateText('config.json', JSON.stringify({ ...t5, tie_word_embeddings: true }));
    const { unique = 0, total = 0 } = report.parameters ?? {};
    expect(total - unique).toBe(3 * 512 * 32_128);
    expect(parameterSentence(report)).toContain(`tied; ${total.toLocaleString('en-US')} counted in each place`);
    expect(parameterSentence(report)).not.toContain('both copies');
  });
});

describe('the card', () => {
  it('says parameters, the checkpoint as a sum, and what a key is worth', async () => {
    const { estimate, report } = await estimateText('config.json', llamaConfig());
    const effect = await keyEffect(estimate, createConfigAccess(sourcesOf({})), ['num_hidden_layers']);
    expect(estimateHover(report, { key: 'num_hidden_layers', effect }, links).split('  \n')).toEqual([
      '`num_hidden_layers`: one more layer = +218,112,000 parameters, +3.05 GB a checkpoint',
      '**Llama · 8,030,261,248 parameters** (8.03 B)',
      'Weights alone 16.1 GB \\(bf16\\) · serving + 131 kB of cache a token',
      'Checkpoint in training **112 GB** = 8.03 B × (2 weights bf16 + 4 master f32 + 8 Adam f32)',
      expect.stringMatching(/^\*Assumed: mixed precision with a 32\\-bit copy.*Adam.*\*$/) as string,
      '[Plan storage](command:plan) · [Why 14?](command:why)',
    ]);
  });

  it('says what the run keeps and what is free', async () => {
    const { report } = await estimateText('train.yaml', trainer, { beside, freeBytes: 200_000_000_000 });
    const lines = estimateHover(report, { key: 'save_steps', effect: null }, links).split('  \n');
    expect(lines[2]).toBe(
      '3 kept × 96.4 GB = **289 GB** · free here: 200 GB ⚠ At most 2 fit at once, the one being written included: keep fewer, save less often, or save to another file system.',
    );
    expect(lines.filter((line) => line.includes('⚠'))).toHaveLength(1);
    expect(lines.length).toBeLessThanOrEqual(12);
  });

  it('merges the warnings about how much stays on disk, and gives their bytes once', async () => {
    const keepsAll = trainer.replace('save_total_limit: 3\n', '').replace('save_steps: 1000', 'save_steps: 200');
    const { report } = await estimateText('train.yaml', keepsAll, { beside, freeBytes: 200_000_000_000 });
    expect(report.findings.map(({ code }) => code)).toEqual(['checkpoints-exceed-free-space', 'every-checkpoint-kept']);
    const card = estimateHover(report, { key: 'save_steps', effect: null }, links);
    expect(card.match(/⚠/g)).toHaveLength(1);
    expect(card.match(/4\.82 TB/g)).toHaveLength(1);
    expect(estimateLens(report)).toMatch(/50 kept = 4\.82 TB · ⚠ only 200 GB free here$/);
  });

  it('says above the config when one checkpoint does not fit, and nothing when all fit', async () => {
    const one = await estimateText('train.yaml', trainer.replace(/max_steps.*\nsave_steps.*\nsave_total.*\n/, ''), {
      beside,
      freeBytes: 1_000_000_000,
    });
    expect(estimateLens(one.report)).toMatch(/⚠ only 1 GB free here$/);
    const all = await estimateText('train.yaml', trainer, { beside, freeBytes: 900_000_000_000 });
    expect(estimateLens(all.report)).not.toContain('⚠');
  });

  it('compares optimizers over the key that names one', async () => {
    const { estimate, report } = await estimateText('train.yaml', trainer, { beside });
    const effect = await keyEffect(estimate, createConfigAccess(sourcesOf(beside)), ['optim']);
    const card = estimateHover(report, { key: 'optim', effect }, links);
    expect(card).toContain('`optim`: a checkpoint with 8-bit Adam 48.4 GB, Adafactor 32.1 GB, Lion 64.2 GB, Muon 68.4 GB');
  });

  it('has no effect for keys that the estimate does not rest on, or whose value is no number', async () => {
    const { estimate } = await estimateText('train.yaml', trainer, { beside });
    const access = createConfigAccess(sourcesOf(beside));
    expect(await keyEffect(estimate, access, ['learning_rate'])).toBeNull();
    expect(await keyEffect(estimate, access, ['bf16'])).toBeNull();
  });

  it('compares optimizers without the momentum of the one in use', async () => {
    const config = {
      train_batch_size: 8,
      zero_optimization: { stage: 0 },
      optimizer: { type: 'SGD', params: { momentum: 0.9 } },
    };
    const { estimate } = await estimateText('ds.json', JSON.stringify(config));
    const effect = await keyEffect(estimate, createConfigAccess(sourcesOf({})), ['optimizer', 'type']);
    const rates = effect?.kind === 'optimizers' ? effect.choices : [];
    const rateOf = (id: string) => rates.find(({ optimizer }) => optimizer === id)?.bytesPerParameter ?? NaN;
    expect(rateOf('adafactor')).toBeLessThan(rateOf('lion'));
  });

  it('counts nothing on from 0 and -1, which stand for all or none', async () => {
    const config = trainer.replace('save_total_limit: 3', 'save_total_limit: 0');
    const { estimate } = await estimateText('train.yaml', config, { beside });
    expect(await keyEffect(estimate, createConfigAccess(sourcesOf(beside)), ['save_total_limit'])).toBeNull();
  });

  it('keeps text of files text', async () => {
    const hostile = '](command:evil)<img src=x>`**';
    const { report } = await estimateText('config.json', llamaConfig({ num_hidden_layers: `\${${hostile}}` }));
    const card = estimateHover(report, { key: hostile, effect: null }, links);
    expect(card).not.toContain('](command:evil)');
    expect(card).not.toMatch(/(?<!\\)<img/);
    // Between backticks nothing is markup.
    expect(renderEstimateMarkdown(report).replaceAll(/(`+) .*? \1/g, '')).not.toMatch(/(?<!\\)<img/);
  });
});

describe('the line', () => {
  it.each([
    ['config.json', llamaConfig(), '8.03 B parameters · checkpoint 112 GB (14 B/param)'],
    ['train.yaml', trainer, '8.03 B parameters · checkpoint 96.4 GB (12 B/param) · 3 kept = 289 GB'],
    ['ds.json', '{"train_batch_size": 8, "bf16": {"enabled": true}, "zero_optimization": {"stage": 2}}', 'checkpoint 14 B/param'],
    ['config.json', llamaConfig({ model_type: 'no_such_type' }), '~8.03 B parameters · checkpoint ~112 GB (14 B/param)'],
  ])('of %s', async (name, text, line) => {
    expect(estimateLens((await estimateText(name, text, { beside })).report)).toBe(line);
  });
});

describe('the report', () => {
  it.each([
    ['config.json', llamaConfig()],
    ['config.json', llamaConfig({ model_type: 'no_such_type' })],
    ['config.json', llamaConfig({ num_hidden_layers: 1e30, vocab_size: '{{vocab}}' })],
    ['train.yaml', trainer],
    ['train.yaml', trainer.replace('save_total_limit: 3', 'save_total_limit: "3"')],
    ['ds.json', '{"train_batch_size": "auto", "zero_optimization": {"stage": 3}}'],
  ])('of %s has just the fields of its schema, in every form', async (name, text) => {
    const { report } = await estimateText(name, text, { beside });
    expect(schemaErrors(validate, JSON.parse(JSON.stringify(report)))).toEqual([]);
    expect(renderEstimateMarkdown(report)).not.toMatch(/undefined|NaN|null/);
    expect(renderEstimateTerminal(report, { width: 80, color: false })).not.toMatch(/undefined|NaN|null/);
  });

  it('lists what an adapter saves apart from the base model, which is not saved', async () => {
    const config = `base_model: ./llama\nadapter: lora\nlora_r: 16\nlora_target_modules:\n  - q_proj\n  - v_proj\noptimizer: adamw_torch\nmicro_batch_size: 2\n`;
    const { report } = await estimateText('axolotl.yaml', config, { beside });
    // Rank times inputs and outputs of 32 layers: q is 4096 x 4096, v is 1024 x 4096.
    expect(report.checkpoint.adapter).toEqual([
      { module: 'model.layers.N.self_attn.q_proj', parameters: 16 * (4096 + 4096) * 32, whole: false },
      { module: 'model.layers.N.self_attn.v_proj', parameters: 16 * (4096 + 1024) * 32, whole: false },
    ]);
    expect(report.checkpoint.adapter?.reduce((sum, { parameters }) => sum + parameters, 0)).toBe(report.checkpoint.parameters);
    expect(schemaErrors(validate, report)).toEqual([]);
    const page = renderEstimateMarkdown(report);
    expect(page).toContain('| `model.layers.N.self_attn.q_proj` | low-rank matrices | 4,194,304 |');
    expect(page.indexOf('### Saved by the adapter')).toBeLessThan(
      page.indexOf('### Tensors of the base model, which is not saved'),
    );
    const { report: whole } = await estimateText('train.yaml', trainer, { beside });
    expect(whole.checkpoint.adapter).toBeNull();
    expect(renderEstimateMarkdown(whole)).toContain('### Tensors\n');
  });

  it('names what it cannot resolve', async () => {
    const { report } = await estimateText('train.yaml', trainer.replace('max_steps: 10000', 'max_steps: ${oc.env:STEPS}'), {
      beside,
    });
    expect(report.unresolved).toEqual([{ key: 'max_steps', text: '${oc.env:STEPS}', why: 'is filled in by another program' }]);
    expect(report.training.steps).toBeNull();
  });

  it('says where a line cannot be read', async () => {
    const { report } = await estimateText('train.yaml', `${trainer}gradient_checkpointing: [true\nwarmup: "x`, { beside });
    expect(report.unresolved[0]?.key).toMatch(/^line \d+$/);
    expect(report.parameters?.unique).toBe(8_030_261_248);
  });
});
