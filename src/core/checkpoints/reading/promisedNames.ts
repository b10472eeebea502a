/** Names that promise more, less or another thing than the content is. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { baseName } from '../../files/paths.js';
import { promisesData } from '../../files/readableFiles.js';
import type { FileFormat } from '../../formats/fileFormat.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import type { FileFormatId } from '../fileFormats.js';
import type { FilePart } from '../parts.js';

/** One of the formats that files are read as. */
export type AnyFormat = FileFormat<FileFormatId>;

const pickledFormats = new Set(['pickle', 'torch-zip', 'torch-legacy']);

/** A pickle that is taken for weights by its name, and of which nothing else is known. */
export function isPickled({ component, format, claims }: FilePart): boolean {
  return component === 'weights' && claims.length === 0 && pickledFormats.has(format);
}

/** Other programs store data in MessagePack, too. The name of a model of transformers promises one. */
export function isOtherMsgpack({ path, role, format }: FilePart): boolean {
  return format === 'msgpack' && role === 'flax-state' && !baseName(path).startsWith('flax_model');
}

/** A pickle may hold any object, whatever its name: without a tensor it is no model. */
export function describeWithoutTensors(part: FilePart): void {
  if (part.role === 'torch-file') part.role = 'pickled-object';
  if (part.role === 'flax-state') part.role = 'object';
  part.component = 'trainerState';
}

/** `.bin` alone promises nothing: ggml, ncnn, CTranslate2 and tokenizers have files of that name too. */
export function isAnyBinary({ path, role }: FilePart): boolean {
  return role === 'torch-file' && path.endsWith('.bin');
}

/** Training scripts of PyTorch's tutorials give what torch.save writes the extension `.tar`. */
export function isTorchTarName(path: string, { id }: AnyFormat): boolean {
  return id === 'torch' && path.endsWith('.tar');
}

/** An archive with a checkpoint in it, which no loader opens as it is. */
export function noteArchive(source: ByteSource, part: FilePart, sink: FileSink): void {
  part.role = 'archived-checkpoint';
  sink.finding({ code: 'checkpoint-archived', facts: { bytes: source.sizeBytes } });
}

/** Says that a name promises another format than the content has. */
export function noteName(promised: string, { id }: AnyFormat, { format }: FilePart, sink: FileSink): void {
  const isUnpickled = id === 'safetensors' && /^(?:torch|bin|pt|pth|ckpt|pkl)$/.test(promised);
  if (isUnpickled) return sink.finding({ code: 'safetensors-under-another-name', offset: 0, facts: { promised } });
  const code = id === 'torch' ? 'pickle-under-another-name' : 'name-of-another-format';
  sink.finding({ code, offset: 0, facts: { promised, found: format } });
}

/** False for files of which neither the name nor a rule says that they hold data: an empty one is a mark of its program. */
export function isPromisedByName({ path, format }: FilePart): boolean {
  return format !== 'unknown' || promisesData(path);
}
