import { describe, expect, it } from 'vitest';
import { inspectCheckpoint } from '../../../builders/inspectCheckpoint.js';
import { listTensors } from '../../../../src/core/inspection/reportJson.js';
import { utf8 } from '../../../builders/byteWriter.js';
import { memoryTree } from '../../../builders/memoryTree.js';
import * as p from '../../../builders/pickleBuilder.js';
import { buildSafetensors } from '../../../builders/safetensorsBuilder.js';
import { buildTorchZip, stateDict } from '../../../builders/torchZipBuilder.js';
import { inspectHostile } from '../../../hostile/accountable.js';

const metadata = utf8(
  JSON.stringify({ version: '1.4', tp: 2, dp: 2, cp: 1, metas: { last_train_step: 70, consumed_train_samples: 9 } }),
);
const optimizer = buildTorchZip(stateDict({ exp_avg: ['f32', [4]] }));

function weight(shape: readonly number[], whole?: string): Uint8Array {
  return buildSafetensors({
    tensors: { data: { dtype: 'BF16', shape } },
    ...(whole === undefined
      ? {}
      : { metadata: { version: '1.4', local_global_slices_pairs: '((0,4),(0,4))', unsharded_shape: whole } }),
  });
}

const run = {
  'checkpoint_metadata.json': metadata,
  'model_config.json': utf8('{}'),
  'config.yaml': utf8('a: 1'),
  'model/model/decoder/0/pp_block/ln/model_weight.safetensors': weight([8]),
  'model/model/decoder/0/pp_block/qkv/model_weight_pp-rank-0-of-1_tp-rank-0-of-2.safetensors': weight([4, 8], '(8, 8)'),
  'model/model/decoder/0/pp_block/qkv/model_weight_pp-rank-0-of-1_tp-rank-1-of-2.safetensors': weight([4, 8], '(np.int64(8), 8)'),
  'optimizer/optimizer_config.json': utf8('{}'),
  ...Object.fromEntries(
    [0, 1].flatMap((dp) =>
      [0, 1].map((tp) => [`optimizer/optimizer_pp-0-of-1_dp-${dp}-of-2_tp-${tp}-of-2_exp-0-of-1.pt`, optimizer]),
    ),
  ),
  'lr_scheduler/lr_scheduler.pt': buildTorchZip({ pickle: p.pickle(p.dict([p.str('last_epoch'), p.int(70)])) }),
  'random/tp-0-of-2_dp-0-of-2_pp-0-of-1.pt': optimizer,
};

describe('nanotron', () => {
  it('puts the ranks’ slices together under the parameter’s name', async () => {
    const { report, tensors } = await inspectCheckpoint(memoryTree('70', run), { path: '70' });
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(report).toMatchObject({
      layout: 'nanotron',
      step: 70,
      framework: { name: 'nanotron', version: '1.4' },
      topology: { worldSize: 4, dataParallel: 2, tensorParallel: 2, pipelineParallel: 1, zeroStage: 1 },
    });
    const listed = listTensors(tensors, report.files).filter(({ component }) => component === 'weights');
    expect(listed).toMatchObject([
      { name: 'model.decoder.0.pp_block.ln.weight', dtype: 'bf16', shape: [8], bytes: 16 },
      { name: 'model.decoder.0.pp_block.qkv.weight', dtype: 'bf16', shape: [8, 8], bytes: 128 },
    ]);
    expect(report.resume.verdict).toBe('complete');
    expect(report.ranks.length).toBeGreaterThan(2);
  });

  it('misses ranks by the number that their names declare', async () => {
    const files: Record<string, Uint8Array> = { ...run };
    delete files['model/model/decoder/0/pp_block/qkv/model_weight_pp-rank-0-of-1_tp-rank-1-of-2.safetensors'];
    delete files['optimizer/optimizer_pp-0-of-1_dp-1-of-2_tp-1-of-2_exp-0-of-1.pt'];
    const report = await inspectHostile(memoryTree('70', files));
    expect(report.findings.filter(({ code }) => code === 'rank-file-missing')).toHaveLength(2);
  });

  it('one damaged file leaves the others', async () => {
    const path = 'model/model/decoder/0/pp_block/ln/model_weight.safetensors';
    const report = await inspectHostile(memoryTree('70', { ...run, [path]: utf8('nothing of the kind') }));
    expect(report.findings.filter(({ severity }) => severity === 'error').map((finding) => finding.path)).toEqual([path]);
    expect(report.components.weights?.tensors).toBe(1);
  });
});
