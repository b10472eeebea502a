import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Values of one tensor: 64 MiB of bf16. */
const tensorValues = 32 * 1024 * 1024;

/**
 * Safetensors files of bf16 weights that are really written: a normal distribution around 0, as weights have it. Every tensor is one block of values, moved on
 * by some places.
 * @param {string} directory
 * @param {{ files: number, tensors: number, shape: [number, number] }} size tensors of each file, of at most 32 Mi values
 */
export function writeWeights(directory, { files, tensors, shape }) {
  const values = shape[0] * shape[1];
  const drawn = normalBf16(Math.min(2 * values, tensorValues + 4096));
  mkdirSync(directory, { recursive: true });
  for (let file = 0; file < files; file++) {
    /** @type {Record<string, unknown>} */
    const header = { __metadata__: { format: 'pt' } };
    for (let index = 0; index < tensors; index++) {
      const name = `model.layers.${file * tensors + index}.mlp.up_proj.weight`;
      header[name] = { dtype: 'BF16', shape, data_offsets: [index * values * 2, (index + 1) * values * 2] };
    }
    const text = JSON.stringify(header);
    const padded = text.padEnd(Math.ceil(text.length / 8) * 8);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(padded.length));
    const handle = openSync(path.join(directory, `model-${file + 1}.safetensors`), 'w');
    writeSync(handle, length);
    writeSync(handle, padded);
    for (let index = 0; index < tensors; index++) {
      const from = (index * 7) % (drawn.length - values);
      writeSync(handle, new Uint8Array(drawn.buffer, 2 * from, 2 * values));
    }
    closeSync(handle);
  }
}

/**
 * Box and Muller, by a seeded generator (mulberry32).
 * @param {number} count
 */
function normalBf16(count) {
  const values = new Uint16Array(count);
  const word = new Float32Array(1);
  const bits = new Uint32Array(word.buffer);
  let state = 1;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  for (let at = 0; at < count; at++) {
    word[0] = 0.02 * Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    values[at] = /** @type {number} */ (bits[0]) >>> 16;
  }
  return values;
}
