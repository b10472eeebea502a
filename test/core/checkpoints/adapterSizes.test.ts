/** The rank in adapter_config.json against the shapes of the adapter. */
import { describe, expect, it } from 'vitest';
import type { CheckpointReport } from '../../../src/core/checkpoints/checkpointReport.js';
import { buildSafetensors } from '../../builders/safetensorsBuilder.js';
import { inspectFiles, json } from '../../builders/torchDirectory.js';

const name = (module: string, matrix: string): string => `base_model.model.layers.0.${module}.lora_${matrix}.weight`;
const adapter = (rank: number, other = rank): Uint8Array =>
  buildSafetensors({
    tensors: {
      [name('q_proj', 'A')]: { dtype: 'F32', shape: [rank, 32] },
      [name('q_proj', 'B')]: { dtype: 'F32', shape: [64, rank] },
      [name('v_proj', 'A')]: { dtype: 'F32', shape: [other, 32] },
      [name('v_proj', 'B')]: { dtype: 'F32', shape: [64, other] },
    },
  });
const config = { peft_type: 'LORA', r: 16, base_model_name_or_path: 'org/base' };
const inspectAdapter = (settings: object, weights: Uint8Array, place = ''): Promise<CheckpointReport> =>
  inspectFiles({ [`${place}adapter_config.json`]: json(settings), [`${place}adapter_model.safetensors`]: weights });
const messagesOf = ({ findings }: CheckpointReport): string[] =>
  findings.flatMap(({ code, message }) => (code === 'config-sizes-differ' ? [message] : []));

describe('the rank of an adapter', () => {
  it('that differs from that of its config is an error', async () => {
    const message = 'The config is of another model: its LoRA rank is 16, that of the weights 8.';
    const report = await inspectAdapter(config, adapter(8));
    expect(messagesOf(report)).toEqual([message]);
    expect(report.resume.verdict).toBe('broken');
    expect(messagesOf(await inspectAdapter(config, adapter(16, 8)))).toEqual([message]);
  });

  it.each<[what: string, settings: object, weights: Uint8Array]>([
    ['the same', config, adapter(16)],
    ['of a pattern', { ...config, rank_pattern: { v_proj: 8 } }, adapter(16, 8)],
    ['of another kind', { ...config, peft_type: 'ADALORA' }, adapter(8)],
    ['not stated', { peft_type: 'LORA' }, adapter(8)],
  ])('is no finding: %s', async (_, settings, weights) => {
    expect(messagesOf(await inspectAdapter(settings, weights))).toEqual([]);
  });

  it('is among the checks', async () => {
    expect((await inspectAdapter(config, adapter(16))).checks.done).toContain(
      'adapter_config.json: rank against the shapes of the tensors',
    );
  });
});
