import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../builders/byteWriter.js';
import { inspectFiles, model, training } from '../../../builders/torchDirectory.js';

describe('LitGPT', () => {
  it('a training state', async () => {
    const state = training({ train_dataloader: { position: 3 }, iter_num: 80, step_count: 20 });
    const report = await inspectFiles({ 'lit_model.pth': state, 'model_config.yaml': utf8('name: x') }, 'step-00000020');
    expect(report).toMatchObject({ layout: 'litgpt', step: 20, framework: { name: 'litgpt' }, resume: { verdict: 'complete' } });
  });

  it('weights', async () => {
    const report = await inspectFiles({ 'lit_model.pth': model, 'model_config.yaml': utf8('name: x') }, 'final');
    expect(report).toMatchObject({ layout: 'litgpt', step: null, resume: { verdict: 'weights-only' } });
  });
});
