/** Writes torch files whose payload is holes. usage: sparseTorchFiles weights|optimizer FILE */
import { closeSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';
import * as p from '../../test/builders/pickleBuilder.js';
import { layOutTorchZip, stateDict, type SparseFile, type TorchZipFile } from '../../test/builders/torchZipBuilder.js';

/** 16 tensors of 4.5 GB, which need zip64 sizes, and 1,000 of 28 MB: 100.0 GB. */
function weights(): TorchZipFile {
  const tensors: Record<string, readonly [string, readonly number[]]> = {};
  for (let index = 0; index < 16; index++) tensors[`model.experts.${index}.embedding.weight`] = ['bf16', [1_125_000, 2000]];
  for (let index = 0; index < 1000; index++) tensors[`model.layers.${index}.mlp.down_proj.weight`] = ['bf16', [14_000, 1000]];
  return stateDict(tensors);
}

/** The layout of `writeOptimizer.py` for machines without torch. */
function optimizer(): TorchZipFile {
  const storages: Record<string, number> = {};
  const tensor = (shape: readonly number[]) => {
    const key = String(Object.keys(storages).length);
    storages[key] = shape.reduce((product, size) => product * size, 4);
    return p.torchTensor({ storageType: 'FloatStorage', key, shape });
  };
  const state = Array.from({ length: 2000 }, (_, index): p.Pair => {
    const moments: p.Pair[] = [
      [p.str('step'), tensor([])],
      [p.str('exp_avg'), tensor([1953, 64])],
      [p.str('exp_avg_sq'), tensor([1953, 64])],
    ];
    return [p.int(index), p.dict(...moments)];
  });
  const group = p.dict(
    [p.str('lr'), p.float(1e-3)],
    [p.str('betas'), p.tuple(p.float(0.9), p.float(0.999))],
    [p.str('params'), p.list(...Array.from({ length: 2000 }, (_, index) => p.int(index)))],
  );
  return { pickle: p.pickle(p.dict([p.str('state'), p.dict(...state)], [p.str('param_groups'), p.list(group)])), storages };
}

function writeSparse(file: string, layout: SparseFile): void {
  const handle = openSync(`${file}.partial`, 'w');
  ftruncateSync(handle, layout.sizeBytes);
  for (const { offset, bytes } of layout.segments) writeSync(handle, bytes, 0, bytes.byteLength, offset);
  closeSync(handle);
  renameSync(`${file}.partial`, file);
}

const [kind, file = ''] = process.argv.slice(2);
const content = kind === 'optimizer' ? optimizer() : weights();
writeSparse(file, layOutTorchZip(content, { prefix: kind === 'optimizer' ? 'optimizer' : 'model' }));
