import { concat, u64, utf8 } from './byteWriter.js';

/** Bits of one element, as the reference implementation counts them. */
const dtypeBits: Readonly<Record<string, number>> = {
  BOOL: 8,
  F4: 4,
  F6_E2M3: 6,
  F6_E3M2: 6,
  U8: 8,
  I8: 8,
  F8_E5M2: 8,
  F8_E4M3: 8,
  F8_E8M0: 8,
  F8_E4M3FNUZ: 8,
  F8_E5M2FNUZ: 8,
  I16: 16,
  U16: 16,
  F16: 16,
  BF16: 16,
  I32: 32,
  U32: 32,
  F32: 32,
  C64: 64,
  F64: 64,
  I64: 64,
  U64: 64,
};

export interface SafetensorsTensor {
  dtype: string;
  shape: readonly number[];
  /** Payload; zeros where it is left out. */
  data?: Uint8Array;
  /** Replaces the computed `data_offsets`: gaps, overlaps, reversed or huge ranges. */
  offsets?: readonly [number, number];
}

export interface SafetensorsFile {
  /** Tensors in file order; their offsets follow each other without a gap unless they say otherwise. */
  tensors?: Readonly<Record<string, SafetensorsTensor>>;
  /** Goes to `__metadata__`; any JSON, so that wrong types can be written too. */
  metadata?: unknown;
  /** The whole header as JSON, instead of `tensors` and `metadata`. */
  header?: unknown;
  /** The header as text, valid JSON or not; wins over `header`. Use it for duplicate keys, escapes and broken JSON. */
  headerText?: string;
  /** The header as raw bytes, e.g. invalid UTF-8; wins over `headerText`. */
  headerBytes?: Uint8Array;
  /** Spaces are appended up to a multiple of this. Default 8, as the reference writer does; 1 writes none. */
  headerAlignment?: number;
  /** Spaces appended on top of the alignment. */
  headerPadding?: number;
  /** What the first eight bytes claim, instead of the real header length. */
  declaredLength?: number | bigint;
  /** Bytes after the header, instead of the tensors' data. A number writes that many zeros. */
  payload?: Uint8Array | number;
  /** Bytes after the payload that no tensor owns. */
  trailing?: Uint8Array;
}

/** Bytes a tensor of this dtype and shape takes; 0 for a dtype that does not exist. */
export function safetensorsByteLength(dtype: string, shape: readonly number[]): number {
  return Math.ceil((shape.reduce((product, size) => product * size, 1) * (dtypeBits[dtype] ?? 0)) / 8);
}

/** A safetensors file, valid unless an option makes it wrong. */
export function buildSafetensors(file: SafetensorsFile = {}): Uint8Array {
  const header: Record<string, unknown> = {};
  if (file.metadata !== undefined) header['__metadata__'] = file.metadata;
  const data: Uint8Array[] = [];
  let at = 0;
  for (const [name, tensor] of Object.entries(file.tensors ?? {})) {
    const payload = tensor.data ?? new Uint8Array(safetensorsByteLength(tensor.dtype, tensor.shape));
    // defineProperty, because a tensor may be called __proto__.
    Object.defineProperty(header, name, {
      value: { dtype: tensor.dtype, shape: tensor.shape, data_offsets: tensor.offsets ?? [at, at + payload.byteLength] },
      enumerable: true,
      configurable: true,
    });
    data.push(payload);
    at += payload.byteLength;
  }
  const text = file.headerBytes ?? utf8(file.headerText ?? JSON.stringify(file.header ?? header));
  const alignment = file.headerAlignment ?? 8;
  const spaces = (alignment - (text.byteLength % alignment)) % alignment;
  const head = concat(text, new Uint8Array(spaces + (file.headerPadding ?? 0)).fill(0x20));
  const payload = typeof file.payload === 'number' ? new Uint8Array(file.payload) : (file.payload ?? concat(...data));
  return concat(u64(file.declaredLength ?? head.byteLength), head, payload, file.trailing ?? new Uint8Array(0));
}

/** `model.safetensors.index.json` as bytes; `totalSize` is left out when undefined. */
export function buildSafetensorsIndex(weightMap: Readonly<Record<string, string>>, totalSize?: number): Uint8Array {
  return utf8(
    JSON.stringify({ metadata: totalSize === undefined ? {} : { total_size: totalSize }, weight_map: weightMap }, null, 2),
  );
}
