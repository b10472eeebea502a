/** The first lines and the tables of an estimate's panel. */
import { describe, expect, it } from 'vitest';
import { estimateTables } from '../../../../src/core/pages/estimate/estimateTables.js';
import { estimateHeadline, estimateVerdict } from '../../../../src/core/pages/estimate/estimateVerdict.js';
import { estimateText, llamaConfig } from '../../../builders/estimateText.js';

const trainer = `model_name_or_path: ./llama
per_device_train_batch_size: 4
max_steps: 10000
save_steps: 1000
save_total_limit: 3
bf16: true
torch_dtype: float32
optim: adamw_torch
`;
const beside = { 'llama/config.json': llamaConfig() };
const one = trainer.replace(/max_steps.*\nsave_steps.*\nsave_total.*\n/, '');

describe('the verdict of an estimate', () => {
  const verdictOf = async (text: string, freeBytes: number | null, name = 'train.yaml', files: typeof beside | object = beside) =>
    estimateVerdict((await estimateText(name, text, { beside: { ...files }, freeBytes })).report);

  it('says whether what the run keeps fits, to the byte', async () => {
    const { report } = await estimateText('train.yaml', trainer, { beside });
    const bytes = report.run.peakBytes ?? 0;
    expect(bytes).toBe(4 * (report.checkpoint.bytes ?? 0));
    expect(await verdictOf(trainer, bytes)).toEqual({
      severity: 'fine',
      text: 'Fits: the run keeps 289 GB, 385 GB while the next save is written; 385 GB are free here, of which it takes 100.0 %.',
      more: '',
    });
    expect(await verdictOf(trainer, bytes - 1)).toEqual({
      severity: 'warning',
      text: 'Does not fit: the run keeps 289 GB, 385 GB while the next save is written; 385 GB are free here.',
      more: '1 warning.',
    });
  });

  it('says it of one checkpoint where the run is not known', async () => {
    expect((await verdictOf(one, 1e9)).text).toBe('Does not fit: a checkpoint takes 96.4 GB; 1 GB are free here.');
    expect(await verdictOf(one, 1e9)).toMatchObject({ severity: 'warning', more: '' });
    expect((await verdictOf(one, 0)).text).toBe('Does not fit: a checkpoint takes 96.4 GB; 0 B are free here.');
  });

  it('claims nothing of what is not known', async () => {
    expect(await verdictOf(llamaConfig(), null, 'config.json')).toEqual({
      severity: 'note',
      text: 'Free space here is not known; a checkpoint takes 112 GB.',
      more: '',
    });
    const unknown = await verdictOf(trainer, 1e12, 'train.yaml', {});
    expect(unknown).toMatchObject({
      severity: 'note',
      text: './llama is not counted: its config.json is neither beside this config nor in the local cache of the Hugging Face Hub, and Stowage’s table does not list it.',
    });
  });

  it('has the severity of the gravest finding, and counts them', async () => {
    const keepsAll = trainer.replace('save_total_limit: 3\n', '').replace('save_steps: 1000', 'save_steps: 200');
    expect(await verdictOf(keepsAll, 9e15)).toMatchObject({ severity: 'warning', more: '1 warning.' });
    expect((await verdictOf(keepsAll, 9e15)).text).toMatch(/^Fits: /);
  });
});

describe('the headline of an estimate', () => {
  it('has the size, and what makes it up', async () => {
    const { report } = await estimateText('train.yaml', trainer, { beside });
    expect(estimateHeadline(report)).toMatchObject({
      size: '96.4 GB',
      binarySize: '89.7 GiB',
      answer: 'a checkpoint: 8,030,261,248 parameters (8.03 B), 12.00 bytes each',
      more: '3 of 10 checkpoints stay on disk, one every 1,000 steps: 289 GB. Serving takes 16.1 GB of weights (bf16) and 131 kB of cache (bf16) for each token of each sequence.',
    });
  });

  it('counts what an adapter saves, not its base model', async () => {
    const lora = `${trainer}finetuning_type: lora\nlora_rank: 16\nlora_target: all\n`;
    const { report } = await estimateText('lora.yaml', lora, { beside });
    expect(estimateHeadline(report).answer).toMatch(
      /^a checkpoint: 41,943,040 saved parameters, 12\.00 bytes each, of a model of 8,030/,
    );
  });

  it('gives the sum for each parameter where there is no size', async () => {
    const { report } = await estimateText('train.yaml', trainer, {});
    expect(estimateHeadline(report)).toMatchObject({
      size: '',
      answer: expect.stringMatching(/^12\.00 bytes per parameter = 4\.00/) as string,
    });
  });
});

describe('the tables of an estimate', () => {
  it('have a cell for each column, with the exact value beside the text', async () => {
    const { report } = await estimateText('train.yaml', trainer.replace('save_total_limit: 3', ''), { beside });
    const tables = estimateTables(report);
    expect(tables.map(({ id }) => id)).toEqual(['terms', 'tensors', 'serving', 'training', 'assumptions']);
    for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
    const [terms] = tables;
    const sum = (index: number): number => (terms?.rows ?? []).reduce((total, row) => total + Number(row[index]?.value), 0);
    expect([sum(2), sum(3)]).toEqual([report.checkpoint.bytesPerParameter, report.checkpoint.bytes]);
    expect(terms?.notes?.join(' ')).toContain('weights: ');
  });
});

it('says that checkpoints go when training ends, and how much was there', async () => {
  const launch =
    'accelerate launch open_instruct/finetune.py --model_name_or_path meta-llama/Llama-3.1-8B --max_train_steps 3000 --checkpointing_steps 500 --output_dir out\n';
  const { report } = await estimateText('run.sh', launch, {});
  expect(estimateHeadline(report).more).toContain(
    'Checkpoints go when training ends, one every 500 steps: 385 GB at most, and 16.1 GB at the end.',
  );
});
