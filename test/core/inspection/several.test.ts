/** What makes several things of the models and data sets below one directory, and what makes one. */
import { describe, expect, it } from 'vitest';
import { inspect } from '../../../src/core/inspection/inspect.js';
import type { Report } from '../../../src/core/inspection/report.js';
import { fixtureBelow } from '../../builders/frameworkFixtures.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { memoryTree } from '../../builders/memoryTree.js';

type Files = Record<string, Uint8Array>;

const text = (content: unknown): Uint8Array =>
  new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));

async function reportOf(files: Files): Promise<Report> {
  const { report } = await inspect(memoryTree('model', files), { path: 'model' });
  const bytes = Object.values(files).reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(report.totalBytes).toBe(bytes);
  if (report.kind === 'collection')
    expect(report.parts.reduce((sum, { totalBytes }) => sum + totalBytes, report.other.bytes)).toBe(bytes);
  return report;
}

/** The rows of a collection, or the kind and layout of a single thing. */
async function rowsOf(files: Files): Promise<string[]> {
  const report = await reportOf(files);
  return report.kind === 'collection'
    ? report.parts.map(({ path: part, layout }) => `${part || '.'} ${layout}`).sort()
    : [`one ${report.layout}`];
}

const model = 'hf/qwen3-tied';
const other = 'hf/gpt2-tied';

describe('models below a model', () => {
  it('with configs of their own are several, and none counts for another', async () => {
    const files = { ...fixtureBelow(model), ...fixtureBelow(other, 'small-draft') };
    expect(await rowsOf(files)).toEqual(['. huggingface-model', 'small-draft huggingface-model']);
    const report = await reportOf(files);
    const alone = await Promise.all([reportOf(fixtureBelow(model)), reportOf(fixtureBelow(other))]);
    const counts = alone.map((each) => (each.kind === 'checkpoint' ? each.parameters.unique : 0));
    const found =
      report.kind === 'collection' ? report.parts.map((part) => (part.kind === 'checkpoint' ? part.parameters : 0)) : [];
    expect(found.sort()).toEqual(counts.sort());
  });

  it('beside each other are several', async () => {
    expect(await rowsOf({ ...fixtureBelow(model, 'best'), ...fixtureBelow(model, 'last') })).toEqual([
      'best huggingface-model',
      'last huggingface-model',
    ]);
  });

  it('are one where a file names them as its parts', async () => {
    const pipeline = { ...fixtureBelow(model, 'text_encoder'), ...fixtureBelow(other, 'unet') };
    const index = text({ _class_name: 'StableDiffusionPipeline', text_encoder: ['transformers', 'X'], unet: ['diffusers', 'Y'] });
    expect(await rowsOf({ ...pipeline, 'model_index.json': index })).toEqual(['one huggingface-model']);
    const modules = text([
      { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
      { idx: 1, name: '1', path: '2_Dense', type: 'sentence_transformers.models.Dense' },
    ]);
    expect(await rowsOf({ ...fixtureBelow(model), ...fixtureBelow(other, '2_Dense'), 'modules.json': modules })).toEqual([
      'one huggingface-model',
    ]);
    expect(
      await rowsOf({ ...fixtureBelow(other, '0_Transformer'), ...fixtureBelow(model, '2_Dense'), 'modules.json': modules }),
    ).toEqual(['one huggingface-model']);
  });

  it('beside a pipeline are apart from it', async () => {
    const pipeline = {
      ...fixtureBelow(model, 'pipe/text_encoder'),
      ...fixtureBelow(other, 'pipe/unet'),
      'pipe/model_index.json': text({}),
    };
    expect(await rowsOf({ ...pipeline, ...fixtureBelow(model, 'plain') })).toEqual([
      'pipe huggingface-model',
      'plain huggingface-model',
    ]);
  });

  it('that are an export of it are one, and are not added to its parameters', async () => {
    const onnx = Object.values(fixtureBelow('misc/onnx-inline'))[0] as Uint8Array;
    const files = { ...fixtureBelow(model), 'onnx/model.onnx': onnx, 'onnx/config.json': text({}) };
    const [report, alone] = await Promise.all([reportOf(files), reportOf(fixtureBelow(model))]);
    if (report.kind !== 'checkpoint' || alone.kind !== 'checkpoint') throw new Error('it is one checkpoint');
    expect(report.parameters.unique).toBe(alone.parameters.unique);
    expect(report.parameters.stored).toBeGreaterThan(alone.parameters.stored);
    expect(report.parameters.source).toMatch(/in other formats or precisions, taken for copies/);
  });

  it('that are its variant in another precision are not added to its parameters', async () => {
    const ofDtype = (dtype: string): Uint8Array => buildSafetensors({ tensors: { 'a.weight': { dtype, shape: [8, 4] } } });
    const both = await reportOf({
      'config.json': text({}),
      'model.safetensors': ofDtype('F32'),
      'model.fp16.safetensors': ofDtype('F16'),
    });
    expect(both).toMatchObject({ kind: 'checkpoint', parameters: { stored: 64, unique: 32 } });
  });
});

describe('data sets beside a checkpoint', () => {
  const trainer = 'hf/trainer-pure-bf16';

  it('have a row each, of any layout, in its own directory', async () => {
    const files = { ...fixtureBelow(model), ...fixtureBelow('datasets/parquet-tokenized'), ...fixtureBelow('datasets/jsonl') };
    expect(await rowsOf(files)).toEqual(['. huggingface-model', '. jsonl', 'tokenized.parquet parquet']);
  });

  it('have a row each where they share a directory', async () => {
    const data = { ...fixtureBelow('datasets/mds-tokens', 'data/mds'), ...fixtureBelow('datasets/parquet-tokenized', 'data') };
    expect(await rowsOf({ ...fixtureBelow(model), ...data })).toEqual([
      '. huggingface-model',
      'data/mds mds',
      'data/tokenized.parquet parquet',
    ]);
    expect(await rowsOf({ ...fixtureBelow(trainer), ...data })).toEqual([
      expect.stringMatching(/run$|huggingface-trainer$/),
      'data/mds mds',
      'data/tokenized.parquet parquet',
    ]);
  });

  it('are one where their splits have a directory each', async () => {
    const splits: Files = {};
    for (const [file, bytes] of Object.entries(fixtureBelow('datasets/arrow-dict-fixed')))
      splits[file.replace('packed/', '')] = bytes;
    expect(await rowsOf({ ...fixtureBelow(model), ...splits })).toEqual(['. huggingface-dataset', '. huggingface-model']);
  });

  it('are not what a trainer and an evaluation note', async () => {
    const record = '{"prompt": "what is it?", "answer": "a sample of what it says"}\n';
    const notes = {
      'eval_results.json': text({ loss: 1 }),
      'all_results.json': text([{ loss: 1 }]),
      'trainer_log.jsonl': text(record.repeat(1000)),
      'predictions.jsonl': text(record.repeat(1000)),
      'examples.jsonl': text(record.repeat(5)),
      'vocab.txt': text('token\n'.repeat(400_000)),
    };
    expect(await rowsOf({ ...fixtureBelow(model), ...notes })).toEqual(['one huggingface-model']);
  });
});
