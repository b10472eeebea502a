import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { utf8 } from './byteWriter.js';
import type { MemoryFile } from './memoryTree.js';
import * as p from './pickleBuilder.js';
import { layOutTorchZip, sparseSource, stateDict, type SparseFile } from './torchZipBuilder.js';

/**
 * A ZeRO-3 save of a model of any size, laid out as DeepSpeed does: a model state and an optimizer shard for each data-parallel rank, and
 * the 16-bit weights gathered beside them. Payloads are holes: a checkpoint of 100 GB takes no disk.
 */

export type Shapes = Readonly<Record<string, readonly number[]>>;

export interface ZeroThreeSave {
  shapes: Shapes;
  ranks: number;
  step: number;
  /** Gathered 16-bit weights beside the tag, in as many shards; none where 0. */
  exportShards: number;
  /** Elements of each flat group of a rank but the last one; all are in one without it. */
  groupElements?: number;
}

/** Llama 3 8B: 8,030,261,248 parameters, embeddings not tied. */
export function llamaShapes(): Shapes {
  const shapes: Record<string, readonly number[]> = { 'model.embed_tokens.weight': [128_256, 4096] };
  for (let layer = 0; layer < 32; layer++) {
    const name = (part: string) => `model.layers.${layer}.${part}.weight`;
    shapes[name('self_attn.q_proj')] = [4096, 4096];
    shapes[name('self_attn.k_proj')] = [1024, 4096];
    shapes[name('self_attn.v_proj')] = [1024, 4096];
    shapes[name('self_attn.o_proj')] = [4096, 4096];
    shapes[name('mlp.gate_proj')] = [14_336, 4096];
    shapes[name('mlp.up_proj')] = [14_336, 4096];
    shapes[name('mlp.down_proj')] = [4096, 14_336];
    shapes[name('input_layernorm')] = [4096];
    shapes[name('post_attention_layernorm')] = [4096];
  }
  return { ...shapes, 'model.norm.weight': [4096], 'lm_head.weight': [128_256, 4096] };
}

const elementsOf = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

/** All files of the save by path; texts as they are. */
export function zeroThreeSave(save: ZeroThreeSave): Record<string, SparseFile | Uint8Array> {
  const files: Record<string, SparseFile | Uint8Array> = {};
  const tag = `global_step${save.step}`;
  for (let rank = 0; rank < save.ranks; rank++) {
    files[`${tag}/zero_pp_rank_${rank}_mp_rank_00_model_states.pt`] = modelState(save);
    files[`${tag}/bf16_zero_pp_rank_${rank}_mp_rank_00_optim_states.pt`] = optimizerShard(save);
  }
  files['latest'] = utf8(tag);
  files['zero_to_fp32.py'] = utf8('#!/usr/bin/env python\n');
  return { ...files, ...gathered(save) };
}

const pair = (key: string, value: Uint8Array): p.Pair => [p.str(key), value];

function configuration(): Uint8Array {
  const zero = p.dict(pair('stage', p.int(3)), pair('stage3_gather_16bit_weights_on_model_save', p.bool(true)));
  return p.dict(
    pair('train_micro_batch_size_per_gpu', p.int(1)),
    pair('bf16', p.dict(pair('enabled', p.bool(true)))),
    pair('zero_optimization', zero),
  );
}

/** Placeholders of shape [0] for the weights, and their true shapes. */
function modelState({ shapes, ranks, step }: ZeroThreeSave): SparseFile {
  const names = Object.keys(shapes);
  const placeholders = names.map((name, index) =>
    pair(name, p.torchTensor({ storageType: 'BFloat16Storage', key: String(index), shape: [0] })),
  );
  const sizes = Object.entries(shapes).map(([name, shape]) =>
    pair(name, p.reduce(p.global('torch', 'Size'), p.tuple(p.tuple(...shape.map((size) => p.int(size)))))),
  );
  return layOutTorchZip({
    pickle: p.pickle(
      p.dict(
        pair('module', p.orderedDict(...placeholders)),
        pair('param_shapes', p.list(p.orderedDict(...sizes))),
        pair('frozen_param_shapes', p.none()),
        pair('lr_scheduler', p.dict(pair('last_batch_iteration', p.int(step)))),
        pair('global_steps', p.int(step)),
        pair('dp_world_size', p.int(ranks)),
        pair('mp_world_size', p.int(1)),
        pair('ds_config', configuration()),
        pair('ds_version', p.str('0.19.8')),
      ),
    ),
    storages: Object.fromEntries(names.map((_, index) => [String(index), 0])),
  });
}

/** One rank's share of the float32 master weights and of both moments, flat. */
function optimizerShard({ shapes, ranks, step, groupElements }: ZeroThreeSave): SparseFile {
  const elements = Object.values(shapes).reduce((sum, shape) => sum + Math.ceil(elementsOf(shape) / ranks), 0);
  const flat = (key: string) => p.torchTensor({ storageType: 'FloatStorage', key, shape: [elements] });
  const groups: number[] = [];
  for (let left = elements; left > 0; left -= groups.at(-1) ?? left) groups.push(Math.min(left, groupElements ?? left));
  const flatGroups = groups.map((size, at) => p.torchTensor({ storageType: 'FloatStorage', key: String(2 + at), shape: [size] }));
  const state = p.dict(pair('step', p.int(step)), pair('exp_avg', flat('0')), pair('exp_avg_sq', flat('1')));
  const group = p.dict(
    pair('lr', p.float(1e-5)),
    pair('betas', p.tuple(p.float(0.9), p.float(0.95))),
    pair('params', p.list(p.int(0))),
  );
  const optimizer = p.dict(
    pair('zero_stage', p.reduce(p.global('deepspeed.runtime.zero.config', 'ZeroStageEnum'), p.tuple(p.int(3)))),
    pair('partition_count', p.int(ranks)),
    pair('optimizer_state_dict', p.dict(pair('state', p.dict([p.int(0), state])), pair('param_groups', p.list(group)))),
    pair('fp32_flat_groups', p.list(...flatGroups)),
  );
  return layOutTorchZip({
    pickle: p.pickle(
      p.dict(pair('optimizer_state_dict', optimizer), pair('ds_config', configuration()), pair('ds_version', p.str('0.19.8'))),
    ),
    storages: Object.fromEntries([elements, elements, ...groups].map((size, at) => [String(at), size * 4])),
  });
}

/** `save_16bit_model`: shards with an index, as many parameters in each. */
function gathered({ shapes, exportShards }: ZeroThreeSave): Record<string, SparseFile | Uint8Array> {
  if (exportShards === 0) return {};
  const entries = Object.entries(shapes);
  const files: Record<string, SparseFile | Uint8Array> = {};
  const weightMap: Record<string, string> = {};
  for (let shard = 0; shard < exportShards; shard++) {
    const own = entries.filter((_, index) => Math.floor((index * exportShards) / entries.length) === shard);
    const number = (value: number) => String(value).padStart(5, '0');
    const file = `pytorch_model-${number(shard + 1)}-of-${number(exportShards)}.bin`;
    files[file] = layOutTorchZip(stateDict(Object.fromEntries(own.map(([name, shape]) => [name, ['bf16', shape] as const]))));
    for (const [name] of own) weightMap[name] = file;
  }
  const totalBytes = entries.reduce((sum, [, shape]) => sum + elementsOf(shape) * 2, 0);
  files['pytorch_model.bin.index.json'] = utf8(JSON.stringify({ metadata: { total_size: totalBytes }, weight_map: weightMap }));
  return files;
}

/** Writes files with holes: what is between their segments takes no disk. */
export function writeSparseFiles(folder: string, files: Readonly<Record<string, SparseFile | Uint8Array>>): void {
  for (const [name, file] of Object.entries(files)) {
    const target = path.join(folder, name);
    mkdirSync(path.dirname(target), { recursive: true });
    const handle = openSync(target, 'w');
    const segments = file instanceof Uint8Array ? [{ offset: 0, bytes: file }] : file.segments;
    for (const { offset, bytes } of segments) writeSync(handle, bytes, 0, bytes.byteLength, offset);
    ftruncateSync(handle, file instanceof Uint8Array ? file.byteLength : file.sizeBytes);
    closeSync(handle);
  }
}

/** The files as a tree in memory takes them. */
export function sourcesOf(files: Readonly<Record<string, SparseFile | Uint8Array>>): Record<string, MemoryFile> {
  return Object.fromEntries(
    Object.entries(files).map(([name, file]) => [name, file instanceof Uint8Array ? file : sparseSource(file, name)]),
  );
}
