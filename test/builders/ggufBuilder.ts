import { concat, integerLE, u32, u64, utf8 } from './byteWriter.js';

/** Writes GGUF files of any version and byte order; every count and length may be overridden to lie. */

export type GgufValue = { type: number; bytes: Uint8Array };

export interface GgufTensor {
  name: string;
  /** ggml's order: fastest first. */
  dimensions: readonly (number | bigint)[];
  type: number;
  offset: number | bigint;
}

export interface GgufOptions {
  version?: 1 | 2 | 3;
  keyValues?: readonly (readonly [key: string, value: GgufValue])[];
  tensors?: readonly GgufTensor[];
  data?: Uint8Array;
  alignment?: number;
  tensorCount?: number | bigint;
  keyValueCount?: number | bigint;
}

export const ggufValue = {
  u8: (value: number): GgufValue => ({ type: 0, bytes: integerLE(value, 1) }),
  u32: (value: number): GgufValue => ({ type: 4, bytes: u32(value) }),
  text: (value: string, length?: bigint): GgufValue => ({ type: 8, bytes: ggufText(value, length) }),
  array: (type: number, items: readonly Uint8Array[], count?: number | bigint): GgufValue => ({
    type: 9,
    bytes: concat(u32(type), u64(count ?? items.length), ...items),
  }),
};

export function ggufText(value: string, length?: number | bigint): Uint8Array {
  const text = utf8(value);
  return concat(u64(length ?? text.byteLength), text);
}

export function buildGguf(options: GgufOptions): Uint8Array {
  const { version = 3, keyValues = [], tensors = [], data = new Uint8Array(0), alignment = 32 } = options;
  const count = (value: number | bigint): Uint8Array => (version === 1 ? u32(value) : u64(value));
  const text = (value: string): Uint8Array => concat(count(utf8(value).byteLength), utf8(value));
  const header = concat(
    utf8('GGUF'),
    u32(version),
    count(options.tensorCount ?? tensors.length),
    count(options.keyValueCount ?? keyValues.length),
    ...keyValues.flatMap(([key, value]) => [text(key), u32(value.type), value.bytes]),
    ...tensors.flatMap(({ name, dimensions, type, offset }) => [
      text(name),
      u32(dimensions.length),
      ...dimensions.map(count),
      u32(type),
      u64(offset),
    ]),
  );
  return concat(header, new Uint8Array((alignment - (header.byteLength % alignment)) % alignment), data);
}
