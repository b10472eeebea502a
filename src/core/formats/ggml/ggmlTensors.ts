/** The tensors of ggml files before GGUF: each is a head of its own, and its data. Where a head is damaged the rest cannot be found. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { limits } from '../../bytes/limits.js';
import { ReadAhead } from '../../bytes/readAhead.js';
import { decodeText } from '../../bytes/text.js';
import type { FileFinding } from '../../findings/finding.js';
import type { FileSink } from '../sink/fileSink.js';
import type { GgmlHeader } from './ggmlHeader.js';
import { bytesBeforeGguf, nameOfType } from './ggmlTypes.js';

/** Four dimensions are the most that ggml has. */
const MAX_DIMENSIONS = 4;
/** ggml itself keeps 63 bytes of a name. */
const LONGEST_NAME_BYTES = 1024;
const FIXED_BYTES = 12;
/** Takes in most names with one read. */
const HEAD_BYTES = 128;

interface StoredTensor {
  name: string;
  /** Slowest first. */
  shape: number[];
  type: number;
  offset: number;
  bytes: number;
}

export interface GgmlTensors {
  tensors: StoredTensor[];
  /** Where what is understood ends. */
  end: number;
  /** Why that is not the end of the file. */
  problem?: FileFinding;
}

/** Reads the heads of all tensors. @throws FormatError `io` or `cancelled` */
export async function readGgmlTensors(
  source: ByteSource,
  header: GgmlHeader,
  signal: AbortSignal | undefined,
): Promise<GgmlTensors> {
  const ahead = new ReadAhead(source, signal, HEAD_BYTES);
  const tensors: StoredTensor[] = [];
  let end = header.end;
  while (end < source.sizeBytes) {
    const next = tensors.length < limits.headerTensors ? await nextTensor(ahead, source.sizeBytes, end, header) : tooMany(end);
    if ('code' in next) return { tensors, end, problem: next };
    tensors.push(next);
    end = next.offset + next.bytes;
  }
  return { tensors, end };
}

/** Puts the tensors into the sink, and why there are no more of them. */
export function listGgmlTensors({ tensors, end, problem }: GgmlTensors, fileBytes: number, sink: FileSink): void {
  for (const { name, shape, type, offset, bytes } of tensors)
    sink.tensor({ keyPath: [name], dtype: nameOfType(type), shape, bytes, pieces: [{ offset, bytes }] });
  if (problem !== undefined) {
    sink.unexplained(end, fileBytes - end);
    sink.finding(problem);
  } else if (end > fileBytes)
    sink.finding({ code: 'file-truncated', offset: fileBytes, facts: { expectedBytes: end, bytes: fileBytes } });
}

async function nextTensor(
  ahead: ReadAhead,
  fileBytes: number,
  at: number,
  header: GgmlHeader,
): Promise<StoredTensor | FileFinding> {
  const first = await ahead.read(at, Math.min(HEAD_BYTES, fileBytes - at));
  if (first === undefined || first.byteLength < FIXED_BYTES) return damaged(at, 'the file ends in the head of a tensor');
  const [dimensions, nameBytes, type] = wordsOf(first, 0, 3) as [number, number, number];
  if (dimensions < 1 || dimensions > MAX_DIMENSIONS || nameBytes < 1 || nameBytes > LONGEST_NAME_BYTES)
    return damaged(at, `no tensor begins here: ${dimensions} dimensions, a name of ${nameBytes} bytes`);
  const headBytes = FIXED_BYTES + 4 * dimensions + nameBytes;
  const head = await ahead.read(at, headBytes);
  if (head === undefined) return damaged(at, 'the file ends in the head of a tensor');
  const name = decodeText(head, FIXED_BYTES + 4 * dimensions);
  const shape = wordsOf(head, FIXED_BYTES, dimensions).reverse();
  const bytes = bytesOf(shape, type, header);
  if (typeof bytes === 'string') return damaged(at, `${name} ${bytes}`);
  return { name, shape, type, offset: Math.ceil((at + headBytes) / header.alignment) * header.alignment, bytes };
}

function wordsOf(bytes: Uint8Array, at: number, count: number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, index) => view.getUint32(at + 4 * index, true));
}

/** Bytes of the data, or why they cannot be told. */
function bytesOf(shape: readonly number[], type: number, { hasEarlyBlocks }: GgmlHeader): number | string {
  const elements = elementCount(shape);
  const bytes = bytesBeforeGguf(type, elements ?? Infinity, hasEarlyBlocks);
  if (bytes === undefined) return `has the unknown type ${type}`;
  return bytes <= Number.MAX_SAFE_INTEGER ? bytes : 'has more elements than any file';
}

function tooMany(offset: number): FileFinding {
  const detail = `more than ${limits.headerTensors} tensors`;
  return { code: 'header-too-large', offset, facts: { detail } };
}

function damaged(offset: number, detail: string): FileFinding {
  return { code: 'header-corrupt', offset, facts: { detail } };
}
