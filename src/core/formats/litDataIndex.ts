/**
 * The index.json of LitData (litdata/streaming/writer.py): `{"chunks": [{"chunk_bytes", "chunk_size", "dim", "filename"}], "config": {...}}`.
 * A chunk is u32 samples n | u32 offsets[n + 1] | samples. A sample of several leaves begins with their sizes (u32 each); one that
 * TokensLoader reads is bare elements, and `dim` is how many a chunk has.
 */
import { FormatError } from '../bytes/formatError.js';
import { memberOf } from './text/jsonMember.js';
import { jsonValue } from './text/jsonValue.js';

export interface LitDataChunk {
  name: string;
  samples: number;
  /** Size of the file, or of what it decompresses to where the whole file is compressed. */
  bytes: number;
  /** Elements of the only tensor of all samples; null for samples of another kind. */
  elements: number | null;
}

export interface LitDataLeaf {
  name: string;
  /** As LitData writes it: `no_header_tensor:16`. */
  format: string;
  dtype: string | null;
}

export interface LitDataIndex {
  chunks: LitDataChunk[];
  leaves: LitDataLeaf[];
  compression: string | null;
  /** `batch` and `sample` compress inside of a chunk; null is the whole file where there is a compression. */
  compressionLevel: string | null;
  isEncrypted: boolean;
  itemLoader: string | null;
}

/** litdata/constants.py, _TORCH_DTYPES_MAPPING: a dtype has two numbers where torch has two names for it. */
const torchDtypes: readonly (string | null)[] = [
  ...['f32', 'f32', 'f64', 'f64', 'c64', 'c64', 'c128', 'c128', 'f16', 'f16', 'bf16', 'u8', 'i8', 'i16', 'i16'],
  ...['i32', 'i32', 'i64', 'i64', 'bool', 'u16'],
];
/** The same file, _NUMPY_SCTYPES. */
const numpyDtypes: readonly (string | null)[] = [
  ...['i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64', 'f16', 'f32', 'f64', 'c64', 'c128', 'bool'],
];

/** Beginning of an index: keys are sorted, so that the chunks come first. */
export function looksLikeLitDataIndex(head: string): boolean {
  return /^\s*\{\s*"chunks"\s*:\s*\[/.test(head) || (/^\s*\{\s*"config"\s*:/.test(head) && head.includes('"item_loader"'));
}

/**
 * Chunks and settings of an index.
 * @throws FormatError `not-this-format` or `corrupt`
 */
export function parseLitDataIndex(value: unknown): LitDataIndex {
  const chunks = memberOf(value, 'chunks');
  if (!Array.isArray(chunks)) throw new FormatError('not-this-format', 'no list of chunks');
  const config = memberOf(value, 'config');
  const parsed = chunks.map(parseChunk);
  // The writer gives all or none their elements (BinaryWriter.write_chunk).
  const without = parsed.findIndex(({ elements }) => elements === null);
  if (without !== -1 && parsed.some(({ elements }) => elements !== null))
    throw new FormatError('corrupt', `chunk ${without} of the index has no number of elements, others have one`);
  return {
    chunks: parsed,
    leaves: leavesOf(config),
    compression: textOf(memberOf(config, 'compression')),
    compressionLevel: textOf(memberOf(config, 'compression_level')),
    isEncrypted: (memberOf(config, 'encryption') ?? null) !== null,
    itemLoader: textOf(memberOf(config, 'item_loader')),
  };
}

function parseChunk(chunk: unknown, index: number): LitDataChunk {
  const name = memberOf(chunk, 'filename');
  const samples = memberOf(chunk, 'chunk_size');
  const bytes = memberOf(chunk, 'chunk_bytes');
  const elements = memberOf(chunk, 'dim') ?? null;
  if (typeof name !== 'string' || !isCount(samples) || !isCount(bytes) || (elements !== null && !isCount(elements)))
    throw new FormatError('corrupt', `chunk ${index} of the index is not complete`);
  return { name, samples, bytes, elements };
}

function leavesOf(config: unknown): LitDataLeaf[] {
  const formats = memberOf(config, 'data_format');
  if (!Array.isArray(formats)) return [];
  const names = leafNames(memberOf(config, 'data_spec'), formats.length);
  return formats.map((each: unknown, at) => {
    const format = textOf(each) ?? 'unknown';
    return { name: names?.[at] ?? (formats.length === 1 ? 'tokens' : `leaf ${at}`), format, dtype: dtypeOf(format) };
  });
}

function dtypeOf(format: string): string | null {
  const [kind = '', code = ''] = format.split(':');
  const number = /^\d{1,3}$/.test(code) ? Number(code) : NaN;
  if (kind.endsWith('tensor')) return torchDtypes[number] ?? null;
  return kind.endsWith('numpy') ? (numpyDtypes[number] ?? null) : null;
}

/** Keys of a flat dict in a tree specification of torch (torch.utils._pytree.treespec_dumps); undefined for any other tree. */
function leafNames(spec: unknown, leaves: number): string[] | undefined {
  const tree = memberOf(Array.isArray(parsed(spec)) ? (parsed(spec) as unknown[])[1] : undefined, 'context');
  const names = parsed(tree);
  const isFlat = Array.isArray(names) && names.length === leaves && names.every((name) => typeof name === 'string');
  return isFlat ? names : undefined;
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return jsonValue(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** True for the first bytes of a chunk whose samples begin right behind their offsets. */
export function looksLikeLitDataChunk(head: Uint8Array): boolean {
  if (head.byteLength < 8) return false;
  const view = new DataView(head.buffer, head.byteOffset);
  return view.getUint32(0, true) > 0 && view.getUint32(4, true) === 4 * (view.getUint32(0, true) + 2);
}

/** In-file compression by batches (litdata/streaming/framed_zstd.py): `LDFZ01\0\0`, u16 version, u16 flags, u32 samples. */
export function samplesOfFramedChunk(head: Uint8Array): number | undefined {
  const magic = [0x4c, 0x44, 0x46, 0x5a, 0x30, 0x31, 0, 0];
  if (head.byteLength < 24 || magic.some((byte, at) => head[at] !== byte)) return undefined;
  return new DataView(head.buffer, head.byteOffset).getUint32(12, true);
}
