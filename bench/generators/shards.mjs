import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';

/**
 * A sharded safetensors model with an index, as an expert-heavy model is published; the payload is holes.
 * @param {string} directory
 * @param {number} shards
 * @param {number} tensorsPerShard
 * @param {(layer: number, expert: number) => string} [nameOf] names of the tensors, those of transformers without it
 */
export function writeShards(directory, shards, tensorsPerShard, nameOf = nameInTransformers) {
  const partial = `${directory}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const tensorBytes = 512 * 128 * 2;
  /** @type {Record<string, string>} */
  const weightMap = {};
  for (let shard = 0; shard < shards; shard++) {
    const name = `model-${String(shard + 1).padStart(5, '0')}-of-${String(shards).padStart(5, '0')}.safetensors`;
    /** @type {Record<string, unknown>} */
    const header = { __metadata__: { format: 'pt' } };
    for (let index = 0; index < tensorsPerShard; index++) {
      const key = nameOf(shard, index);
      header[key] = { dtype: 'BF16', shape: [512, 128], data_offsets: [index * tensorBytes, (index + 1) * tensorBytes] };
      weightMap[key] = name;
    }
    let text = JSON.stringify(header);
    text = text.padEnd(Math.ceil(text.length / 8) * 8);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    const handle = openSync(path.join(partial, name), 'w');
    writeSync(handle, length);
    writeSync(handle, text);
    ftruncateSync(handle, 8 + text.length + tensorsPerShard * tensorBytes);
    closeSync(handle);
  }
  const metadata = { total_size: shards * tensorsPerShard * tensorBytes };
  writeFileSync(path.join(partial, 'model.safetensors.index.json'), JSON.stringify({ metadata, weight_map: weightMap }));
  renameSync(partial, directory);
}

/** @param {number} layer @param {number} expert */
function nameInTransformers(layer, expert) {
  return `model.layers.${layer}.mlp.experts.${expert}.down_proj.weight`;
}

/** @param {number} layer @param {number} expert */
export function inWrapper(layer, expert) {
  return `module.${nameInTransformers(layer, expert)}`;
}

/** @param {number} layer @param {number} expert */
export function nameInMegatron(layer, expert) {
  return `decoder.layers.${layer}.mlp.experts.local_experts.${expert}.linear_fc2.weight`;
}
