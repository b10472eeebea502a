/** Values of a config with which the tensors would fit, where the config has others. */
import { describe, expect, it } from 'vitest';
import type { FittingValue } from '../../../src/core/checkpoints/loadReport.js';
import { inspectModel, linear, tinyBert, tinyLlama, tinyVit, type Shapes, type TinyModel } from '../../builders/tinyModels.js';

async function fitsOf(
  { config, tensors }: TinyModel,
  settings: object,
  changed: Shapes = {},
): Promise<FittingValue[] | undefined> {
  const { load } = await inspectModel({ ...config, ...settings }, { ...tensors, ...changed });
  return load?.fits;
}

const labels = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, label) => [String(label), `LABEL_${label}`]));

const { 'lm_head.weight': _, ...llamaTensors } = tinyLlama.tensors;
const labelledLlama: TinyModel = {
  config: { ...tinyLlama.config, architectures: ['LlamaForSequenceClassification'] },
  tensors: { ...llamaTensors, 'score.weight': [2, 16] },
};

describe('labels', () => {
  const five = linear('classifier', 5, 16);

  it('are those of the classifier', async () => {
    expect(await fitsOf(tinyBert, { id2label: labels(3) }, five)).toEqual([{ key: 'num_labels', config: 3, tensors: 5 }]);
    expect(await fitsOf(tinyBert, { num_labels: 3 }, five)).toEqual([{ key: 'num_labels', config: 3, tensors: 5 }]);
    expect(await fitsOf(tinyBert, {}, five)).toEqual([{ key: 'num_labels', config: null, tensors: 5 }]);
    expect(await fitsOf(tinyVit, { id2label: labels(3) }, five)).toEqual([{ key: 'num_labels', config: 3, tensors: 5 }]);
  });
});

describe('a number of labels beside a list of another length', () => {
  it.each([
    { num_labels: 2, id2label: labels(3), verdict: 'loads' },
    { num_labels: 2, id2label: {}, verdict: 'loads' },
    { num_labels: 2, id2label: null, verdict: 'loads' },
    { num_labels: 3, id2label: labels(2), verdict: 'fails' },
    { num_labels: 0, id2label: labels(2), verdict: 'fails' },
    { num_labels: '2', id2label: labels(2), verdict: 'fails' },
    { num_labels: null, id2label: labels(2), verdict: 'fails' },
  ])('counts: $num_labels', async ({ verdict, ...settings }) => {
    for (const { config, tensors } of [tinyBert, labelledLlama])
      expect((await inspectModel({ ...config, ...settings }, tensors)).load?.verdict).toBe(verdict);
  });

  it('is what would fit', async () => {
    const five = linear('classifier', 5, 16);
    expect(await fitsOf(tinyBert, { id2label: labels(5), num_labels: 3 }, five)).toEqual([
      { key: 'num_labels', config: 3, tensors: 5 },
    ]);
  });
});

describe('a layer that predicts a further token', () => {
  const layer = (index: number): Shapes =>
    Object.fromEntries(
      Object.entries(tinyLlama.tensors).flatMap(([name, shape]) =>
        name.includes('.layers.0.') ? [[name.replace('.0.', `.${index}.`), shape]] : [],
      ),
    );

  it('is left out, and is none of the model', async () => {
    const prediction = { ...layer(1), 'model.layers.1.eh_proj.weight': [16, 32], 'model.layers.1.enorm.weight': [16] };
    const { load, findings } = await inspectModel(tinyLlama.config, { ...tinyLlama.tensors, ...prediction });
    expect(load).toMatchObject({ verdict: 'loads-with-warnings', fits: [], counts: { missing: 0, unexpected: 11 } });
    expect(findings.map(({ code }) => code)).toEqual(['tensors-unexpected']);
  });

  it('hides no other layers', async () => {
    const prediction = { ...layer(1), ...layer(2), 'model.layers.2.eh_proj.weight': [16, 32] };
    expect(await fitsOf(tinyLlama, {}, prediction)).toEqual([{ key: 'num_hidden_layers', config: 1, tensors: 3 }]);
  });
});

describe('an image', () => {
  it('has as many patches as there are positions', async () => {
    const positions = { 'vit.embeddings.position_embeddings': [1, 17, 16] };
    expect(await fitsOf(tinyVit, {}, positions)).toEqual([{ key: 'image_size', config: 8, tensors: 16 }]);
    expect(await fitsOf(tinyVit, { image_size: [8, 8] }, positions)).toEqual([{ key: 'image_size', config: 8, tensors: 16 }]);
  });

  it('has patches of the size of the convolution', async () => {
    const smaller = {
      'vit.embeddings.position_embeddings': [1, 17, 16],
      'vit.embeddings.patch_embeddings.projection.weight': [16, 3, 2, 2],
    };
    expect(await fitsOf(tinyVit, {}, smaller)).toEqual([{ key: 'patch_size', config: 4, tensors: 2 }]);
  });

  it('may be no square', async () => {
    expect(await fitsOf(tinyVit, {}, { 'vit.embeddings.position_embeddings': [1, 7, 16] })).toEqual([]);
  });
});
