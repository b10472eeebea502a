import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';

const [U32, I32, F32, TEXT, ARRAY] = [4, 5, 6, 8, 9];

/** Little-endian bytes put one after the other. */
class Writer {
  bytes = Buffer.alloc(1 << 20);
  at = 0;

  /** @param {number} length */
  room(length) {
    while (this.at + length > this.bytes.length) this.bytes = Buffer.concat([this.bytes, Buffer.alloc(this.bytes.length)]);
  }

  /** @param {number} value */
  u32(value) {
    this.room(4);
    this.at = this.bytes.writeUInt32LE(value, this.at);
  }

  /** @param {number} value */
  u64(value) {
    this.room(8);
    this.at = this.bytes.writeBigUInt64LE(BigInt(value), this.at);
  }

  /** @param {string} value */
  text(value) {
    const length = Buffer.byteLength(value);
    this.u64(length);
    this.room(length);
    this.at += this.bytes.write(value, this.at);
  }

  /**
   * @param {string} key
   * @param {number} type
   * @param {number} count
   * @param {(index: number) => void} item
   */
  array(key, type, count, item) {
    this.text(key);
    this.u32(ARRAY);
    this.u32(type);
    this.u64(count);
    for (let index = 0; index < count; index++) item(index);
  }
}

/**
 * Writes a GGUF as a converted model has it: a vocabulary with scores and types, and tensors whose data are sparse.
 * @param {string} file
 * @param {number} tokens
 * @param {number} tensors
 */
export function writeGguf(file, tokens, tensors) {
  const out = new Writer();
  out.room(4);
  out.at += out.bytes.write('GGUF', out.at);
  out.u32(3);
  out.u64(tensors);
  out.u64(5);
  out.text('general.architecture');
  out.u32(TEXT);
  out.text('gemma3');
  out.text('general.file_type');
  out.u32(U32);
  out.u32(15);
  out.array('tokenizer.ggml.tokens', TEXT, tokens, (index) => out.text(`▁token${index.toString(36)}`));
  out.array('tokenizer.ggml.scores', F32, tokens, (index) => out.u32(index));
  out.array('tokenizer.ggml.token_type', I32, tokens, () => out.u32(1));
  const bytes = (1024 / 256) * 144 * 1024;
  for (let index = 0; index < tensors; index++) {
    out.text(`blk.${Math.floor(index / 10)}.ffn_${index % 10}.weight`);
    out.u32(2);
    out.u64(1024);
    out.u64(1024);
    out.u32(12);
    out.u64(index * bytes);
  }
  const handle = openSync(file, 'w');
  writeSync(handle, out.bytes, 0, out.at);
  ftruncateSync(handle, Math.ceil(out.at / 32) * 32 + tensors * bytes);
  closeSync(handle);
}
