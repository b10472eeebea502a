import { closeSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';

const BLOCK_BYTES = 512;

/**
 * A WebDataset shard: samples of an image and its mask, a ustar header each; the images are holes.
 * @param {string} file
 * @param {number} members
 * @param {number} memberBytes
 */
export function writeTarShard(file, members, memberBytes) {
  const handle = openSync(`${file}.partial`, 'w');
  const stride = BLOCK_BYTES + Math.ceil(memberBytes / BLOCK_BYTES) * BLOCK_BYTES;
  for (let index = 0; index < members; index++) {
    const name = `${String(index >> 1).padStart(8, '0')}.${index % 2 === 0 ? 'jpg' : 'mask.png'}`;
    writeSync(handle, header(name, memberBytes), 0, BLOCK_BYTES, index * stride);
  }
  ftruncateSync(handle, members * stride + 2 * BLOCK_BYTES);
  closeSync(handle);
  renameSync(`${file}.partial`, file);
}

/**
 * @param {string} name
 * @param {number} bytes
 */
function header(name, bytes) {
  const block = Buffer.alloc(BLOCK_BYTES);
  const octal = (/** @type {number} */ value, /** @type {number} */ at, /** @type {number} */ digits) =>
    block.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  block.write(name, 0, 'latin1');
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(bytes, 124, 11);
  octal(0, 136, 11);
  block.write('        0', 148, 'latin1');
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
