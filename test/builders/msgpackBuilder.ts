/** MessagePack as flax writes it (flax/serialization.py). */
import { bytes, concat, integerLE, utf8 } from './byteWriter.js';

/** An `ext` value. */
class Extension {
  constructor(
    readonly type: number,
    readonly data: Uint8Array,
  ) {}
}

/** Bytes are a `bin`. */
export type Value = number | string | boolean | null | Uint8Array | Extension | Value[] | { [key: string]: Value };

const bigEndian = (value: number, width: number): Uint8Array => integerLE(value, width).reverse();

export function pack(value: Value): Uint8Array {
  if (value === null) return bytes(0xc0);
  if (typeof value === 'boolean') return bytes(value ? 0xc3 : 0xc2);
  if (typeof value === 'number') return packNumber(value);
  if (typeof value === 'string') return packText(value);
  if (value instanceof Uint8Array) return concat(bytes(0xc6), bigEndian(value.byteLength, 4), value);
  if (Array.isArray(value)) return concat(bytes(0x90 | value.length), ...value.map((item) => pack(item)));
  if (value instanceof Extension) return concat(bytes(0xc9), bigEndian(value.data.byteLength, 4), bytes(value.type), value.data);
  const entries = Object.entries(value);
  return concat(bytes(0xde), bigEndian(entries.length, 2), ...entries.flatMap(([key, member]) => [pack(key), pack(member)]));
}

function packNumber(value: number): Uint8Array {
  if (!Number.isInteger(value)) {
    const out = new Uint8Array(9);
    out[0] = 0xcb;
    new DataView(out.buffer).setFloat64(1, value);
    return out;
  }
  if (value >= 0 && value < 128) return bytes(value);
  return value < 0 ? concat(bytes(0xd2), bigEndian(value, 4)) : concat(bytes(0xce), bigEndian(value, 4));
}

function packText(value: string): Uint8Array {
  const text = utf8(value);
  return text.byteLength < 32 ? concat(bytes(0xa0 | text.byteLength), text) : concat(bytes(0xd9, text.byteLength), text);
}

/** An array as `ext` 1, or a NumPy scalar as `ext` 3. */
export function array(shape: number[], dtype: string, data: Uint8Array, type = 1): Extension {
  return extension(pack([shape, dtype, data]), type);
}

export function extension(data: Uint8Array, type = 1): Extension {
  return new Extension(type, data);
}
