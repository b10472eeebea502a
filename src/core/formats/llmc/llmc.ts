/**
 * Files of llm.c (llm.c, train_gpt2.cu: gpt2_write_to_checkpoint, save_state). Both begin with 256 little-endian int32:
 *
 *   model_<step>.bin         magic 20240326, version 3 (f32) or 5 (bf16), longest sequence, vocabulary, layers, heads, channels,
 *                            padded vocabulary; then the parameters, packed in a fixed order
 *   state_<step>_<rank>.bin  magic 20240527, version 1, processes, rank, [4] master weights, [5] shuffled, [10] step; then
 *                            first moments, second moments, master weights as f32 of one size; of shuffled data, the loader's state
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import type { FileSink } from '../sink/fileSink.js';
import { checkExtents, type Extent } from '../sink/extents.js';

const HEADER_BYTES = 1024;
const MODEL_MAGIC = 20_240_326;
const STATE_MAGIC = 20_240_527;

const dtypeOfVersion: Readonly<Record<number, 'f32' | 'bf16'>> = { 3: 'f32', 5: 'bf16' };

export function isLlmc(head: Uint8Array): boolean {
  if (head.byteLength < 4) return false;
  const magic = new DataView(head.buffer, head.byteOffset).getInt32(0, true);
  return magic === MODEL_MAGIC || magic === STATE_MAGIC;
}

/**
 * Lists the parameters, or the optimizer's state.
 * @throws FormatError `not-this-format`, `unsupported`, `truncated` or `corrupt`
 */
export async function readLlmc(source: ByteSource, sink: FileSink): Promise<string> {
  const bytes = await source.read(0, Math.min(HEADER_BYTES, source.sizeBytes), sink.signal);
  await sink.turn();
  if (!isLlmc(bytes)) throw new FormatError('not-this-format', 'no llm.c magic', { offset: 0 });
  if (bytes.byteLength < HEADER_BYTES)
    throw new FormatError('truncated', 'the file ends in its header', { offset: bytes.byteLength });
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (header.getInt32(0, true) === MODEL_MAGIC) listModel(header, source.sizeBytes, sink);
  else listState(header, source.sizeBytes, sink);
  return 'llm.c';
}

function listModel(header: DataView, fileBytes: number, sink: FileSink): void {
  const version = header.getInt32(4, true);
  const dtype = dtypeOfVersion[version];
  if (dtype === undefined) throw new FormatError('unsupported', `llm.c model version ${version}`, { offset: 4 });
  const [sequence, vocabulary, layers, heads, channels, padded] = [8, 12, 16, 20, 24, 28].map((at) =>
    header.getInt32(at, true),
  ) as [number, number, number, number, number, number];
  if ([sequence, vocabulary, layers, heads, channels, padded].some((size) => size <= 0))
    throw new FormatError('corrupt', 'a size of the model is not positive', { offset: 8 });
  sink.json({
    max_seq_len: sequence,
    vocab_size: vocabulary,
    num_layers: layers,
    num_heads: heads,
    channels,
    padded_vocab_size: padded,
  });
  const elementBytes = dtype === 'f32' ? 4 : 2;
  const extents: Extent[] = [];
  let offset = HEADER_BYTES;
  for (const [name, shape] of parametersOf(sequence, layers, channels, padded)) {
    const bytes = shape.reduce((product, size) => product * size, elementBytes);
    if (!Number.isSafeInteger(offset + bytes))
      throw new FormatError('corrupt', `the model is too large for any file`, { offset: 8 });
    sink.tensor({ keyPath: [name], dtype, shape, bytes, pieces: [{ offset, bytes }] });
    extents.push({ name, offset, bytes });
    offset += bytes;
  }
  checkExtents(extents, { sink, start: HEADER_BYTES, fileBytes, alignUp: (end) => end });
}

/** Parameters in the order in which they are packed; weights of all layers are one tensor. */
function parametersOf(sequence: number, layers: number, channels: number, vocabulary: number): [name: string, shape: number[]][] {
  const [L, C] = [layers, channels];
  return [
    ['wte', [vocabulary, C]],
    ['wpe', [sequence, C]],
    ['ln1w', [L, C]],
    ['ln1b', [L, C]],
    ['qkvw', [L, 3 * C, C]],
    ['qkvb', [L, 3 * C]],
    ['attprojw', [L, C, C]],
    ['attprojb', [L, C]],
    ['ln2w', [L, C]],
    ['ln2b', [L, C]],
    ['fcw', [L, 4 * C, C]],
    ['fcb', [L, 4 * C]],
    ['fcprojw', [L, C, 4 * C]],
    ['fcprojb', [L, C]],
    ['lnfw', [C]],
    ['lnfb', [C]],
  ];
}

/** How many parameters a rank has is nowhere stated: it follows from the size, unless the loader's state comes behind them. */
function listState(header: DataView, fileBytes: number, sink: FileSink): void {
  const version = header.getInt32(4, true);
  if (version !== 1) throw new FormatError('unsupported', `llm.c state version ${version}`, { offset: 4 });
  const [processes, rank, hasMaster, isShuffled, step] = [8, 12, 16, 20, 40].map((at) => header.getInt32(at, true)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  sink.json({ num_processes: processes, process_rank: rank, use_master_weights: hasMaster, should_shuffle: isShuffled, step });
  sink.metadata('step', String(step));
  sink.metadata('processes', String(processes));
  if (isShuffled !== 0) {
    sink.claim(HEADER_BYTES, fileBytes - HEADER_BYTES, 'optimizer');
    return;
  }
  const names = ['m', 'v', ...(hasMaster === 0 ? [] : ['master'])];
  const elements = Math.floor((fileBytes - HEADER_BYTES) / (4 * names.length));
  const bytes = elements * 4;
  const stateBytes = bytes * names.length;
  names.forEach((name, index) => {
    sink.tensor({
      keyPath: [name],
      dtype: 'f32',
      shape: [elements],
      bytes,
      pieces: [{ offset: HEADER_BYTES + index * bytes, bytes }],
    });
  });
  if (HEADER_BYTES + stateBytes === fileBytes) return;
  sink.unexplained(HEADER_BYTES + stateBytes, fileBytes - HEADER_BYTES - stateBytes);
  sink.finding({
    code: 'file-truncated',
    offset: fileBytes,
    facts: { expectedBytes: HEADER_BYTES + (elements + 1) * 4 * names.length, bytes: fileBytes },
  });
}
