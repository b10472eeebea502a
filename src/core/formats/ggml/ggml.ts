/**
 * The files of ggml before GGUF (llama.cpp until August 2023: llama.cpp, convert.py; whisper.cpp: whisper.cpp, convert-pt-to-ggml.py),
 * little-endian:
 *
 *   "ggml" as u32 | hyperparameters | vocabulary | tensors                 LLaMA until March 2023, Whisper, and others
 *   "ggmf" as u32 | version u32 = 1 | the same                             LLaMA; tokens have scores
 *   "ggjt" as u32 | version u32 = 1 to 3 | the same                        LLaMA; data begin at multiples of 32
 *
 * A tensor is its dimensions u32, length of the name u32, ggml type u32, the sizes u32 (fastest first), the name and the data; the next
 * one follows at once, up to the end of the file. Read: the header, doubling what was read until it ends, and the head of each tensor.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { GrowingHead } from '../../bytes/growingHead.js';
import { limits } from '../../bytes/limits.js';
import type { FileSink } from '../sink/fileSink.js';
import { readGgmlHeader, type GgmlContainer, type GgmlHeader } from './ggmlHeader.js';
import { listGgmlTensors, readGgmlTensors } from './ggmlTensors.js';

const FIRST_READ_BYTES = 128 * 1024;

/** Containers by their magic number, and the last of their versions: 0 for the one without. */
const containers = new Map<number, { name: GgmlContainer['name']; lastVersion: number }>([
  [0x67676d6c, { name: 'ggml', lastVersion: 0 }],
  [0x67676d66, { name: 'ggmf', lastVersion: 1 }],
  [0x67676a74, { name: 'ggjt', lastVersion: 3 }],
]);

export function isGgml(head: Uint8Array): boolean {
  return head.byteLength >= 4 && containers.has(new DataView(head.buffer, head.byteOffset).getUint32(0, true));
}

/**
 * Lists tensors and hyperparameters into the sink; answers the name of the container. Nothing in such a file says which model it is of:
 * a header that is of neither LLaMA nor Whisper leaves all behind the magic number unexplained.
 * @throws FormatError `not-this-format`, `unsupported`, `truncated`, `limit-exceeded`
 */
export async function readGgml(source: ByteSource, sink: FileSink): Promise<string> {
  const head = new GrowingHead(source, FIRST_READ_BYTES, limits.ggufHeaderBytes, sink.signal);
  const container = await head.parse(() => containerOf(head));
  const containerBytes = head.at;
  const header = await readGgmlHeader(head, container);
  const found = header === undefined ? undefined : await readGgmlTensors(source, header, sink.signal);
  await sink.turn();
  if (container.version > 0) sink.metadata('version', String(container.version));
  // With a damaged head in place of the first tensor's, the header was that of another model.
  if (header === undefined || found === undefined || (found.tensors.length === 0 && found.problem !== undefined)) {
    sink.unexplained(containerBytes, source.sizeBytes - containerBytes);
    sink.finding({ code: 'unsupported-version', offset: containerBytes, facts: { detail: unknownModel(container) } });
  } else {
    describeHeader(header, sink);
    listGgmlTensors(found, source.sizeBytes, sink);
  }
  return container.name;
}

function containerOf(head: GrowingHead): GgmlContainer {
  const known = containers.get(head.view.getUint32(head.take(4), true));
  if (known === undefined) throw new FormatError('not-this-format', 'no magic number of ggml', { offset: 0 });
  const { name, lastVersion } = known;
  if (lastVersion === 0) return { name, version: 0 };
  const version = head.view.getUint32(head.take(4), true);
  if (version < 1 || version > lastVersion) throw new FormatError('unsupported', `${name} version ${version}`, { offset: 4 });
  return { name, version };
}

function unknownModel({ name }: GgmlContainer): string {
  return `a ${name} file whose hyperparameters and vocabulary are not those of LLaMA${name === 'ggml' ? ' or Whisper' : ''}`;
}

function describeHeader({ model, hyperparameters, vocabulary }: GgmlHeader, sink: FileSink): void {
  sink.json({ model, ...hyperparameters, vocabulary });
}
