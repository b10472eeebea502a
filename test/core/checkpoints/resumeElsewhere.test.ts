import { describe, expect, it } from 'vitest';
import { loadsAnywhere, loadsAsSaved, loadsConverted } from '../../../src/core/checkpoints/reshard.js';
import { resumeElsewhere, type JobSizes } from '../../../src/core/checkpoints/resumeElsewhere.js';
import type { Reshard, ResumeVerdict, Topology } from '../../../src/core/checkpoints/checkpointReport.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { inspectFiles, json } from '../../builders/torchDirectory.js';
import { unknownTopology } from '../../../src/core/checkpoints/parts.js';

const topology = (sizes: Partial<Topology>): Topology => ({ ...unknownTopology(), ...sizes });
const saved = topology({ worldSize: 8, dataParallel: 2, tensorParallel: 2, pipelineParallel: 2 });

function canResume(reshard: Reshard | undefined, job: JobSizes, of = saved, verdict: ResumeVerdict = 'complete'): string {
  const resume = {
    verdict,
    basis: 'header' as const,
    coverage: null,
    present: [],
    missing: [],
    blockedBy: [],
    ...(reshard && { reshard }),
  };
  return resumeElsewhere({ resume, topology: of }, job).can;
}

describe('a job of other sizes', () => {
  const dataOnly = loadsConverted('', 'convert', { dataParallel: 'load' });

  it.each<[string, Reshard, JobSizes, string]>([
    ['the same sizes', loadsAsSaved(''), { ranks: 8 }, 'yes'],
    ['more ranks where each loads its own', loadsAsSaved(''), { ranks: 16 }, 'no'],
    ['any sizes of global shapes', loadsAnywhere(''), { ranks: 3, tensorParallel: 1, pipelineParallel: 1 }, 'yes'],
    ['more data-parallel ranks', dataOnly, { ranks: 16 }, 'yes'],
    ['another tensor-parallel size', dataOnly, { ranks: 8, tensorParallel: 4 }, 'convert'],
    ['another pipeline-parallel size', dataOnly, { ranks: 8, pipelineParallel: 1 }, 'convert'],
    ['ranks that cannot be split', loadsAnywhere(''), { ranks: 6 }, 'no'],
  ])('%s', (_, reshard, job, can) => {
    expect(canResume(reshard, job)).toBe(can);
  });

  it('is not known where the loader, or the saved size, is not', () => {
    expect(canResume(undefined, { ranks: 4 }, topology({ worldSize: 2 }))).toBe('unknown');
    expect(canResume(loadsAsSaved(''), { ranks: 4 }, topology({}))).toBe('unknown');
    expect(canResume(undefined, { ranks: 4 }, topology({ worldSize: 1 }))).toBe('yes');
  });

  it('is no where the model cannot be divided among its ranks', () => {
    const model = { attentionHeads: 4, queryGroups: null, layers: 2 };
    const of = (job: JobSizes, sizes: object = model): string =>
      canResume({ ...loadsAnywhere(''), model: { ...model, ...sizes } }, job);
    expect(of({ ranks: 8, tensorParallel: 4, pipelineParallel: 2 })).toBe('yes');
    expect(of({ ranks: 12, tensorParallel: 3 })).toBe('no');
    expect(of({ ranks: 6, tensorParallel: 1, pipelineParallel: 3 })).toBe('no');
    expect(of({ ranks: 12, tensorParallel: 3 }, { attentionHeads: null })).toBe('yes');
  });

  it('is no where the config of whole files says that the model cannot be divided', async () => {
    const config = { model_type: 'llama', num_attention_heads: 4, num_key_value_heads: 2, num_hidden_layers: 2, vocab_size: 255 };
    const weights = buildSafetensors({ tensors: { 'model.norm.weight': { dtype: 'F32', shape: [8] } } });
    const report = await inspectFiles({ 'config.json': json(config), 'model.safetensors': weights });
    const of = (job: JobSizes): string => `${resumeElsewhere(report, job).can}: ${resumeElsewhere(report, job).why}`;
    expect(of({ ranks: 64, tensorParallel: 8 })).toBe('no: 4 attention heads cannot be divided among 8 tensor-parallel ranks.');
    expect(of({ ranks: 64, pipelineParallel: 64 })).toContain('no: 2 layers are fewer than 64 pipeline stages');
    expect(of({ ranks: 4, tensorParallel: 4 })).toContain(
      'yes: It was saved by one process, in whole files. Its vocabulary of 255',
    );
    const trainer = await inspectFiles({
      'config.json': json(config),
      'model.safetensors': weights,
      'trainer_state.json': json({ global_step: 4 }),
    });
    expect(resumeElsewhere(trainer, { ranks: 8, tensorParallel: 8 }).can).toBe('no');
    const alone = await inspectFiles({ 'model.safetensors': weights });
    expect(resumeElsewhere(alone, { ranks: 8, tensorParallel: 8 })).toMatchObject({
      can: 'yes',
      why: expect.stringContaining('sizes were not considered') as string,
    });
  });

  it('loads nothing of a broken save', () => {
    expect(canResume(loadsAnywhere(''), { ranks: 8 }, saved, 'broken')).toBe('no');
  });
});
