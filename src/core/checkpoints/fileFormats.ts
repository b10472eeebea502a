/** The formats of single files, one line each. What they are is in their descriptors. */
import { ggmlFormat } from '../formats/ggml/ggmlFormat.js';
import { ggufFormat } from '../formats/ggml/ggufFormat.js';
import { hdf5Format } from '../formats/hdf5/hdf5Format.js';
import { kerasFormat } from '../formats/keras/kerasFormat.js';
import { llmcFormat } from '../formats/llmc/llmcFormat.js';
import { flaxMsgpackFormat } from '../formats/msgpack/flaxMsgpackFormat.js';
import { npyFormat } from '../formats/numpy/npyFormat.js';
import { npzFormat } from '../formats/numpy/npzFormat.js';
import { safetensorsFormat } from '../formats/safetensors/safetensorsFormat.js';
import { pickleFormat } from '../formats/torch/pickleFormat.js';
import { stableBaselines3Format } from '../formats/stableBaselines3/stableBaselines3Format.js';
import { torchFormat } from '../formats/torch/torchFormat.js';
import type { FileFormat } from '../formats/fileFormat.js';
import { nemoFormat } from './nemoArchive.js';

/**
 * First bytes are compared in this order: of the zip archives the most telling come first; those of msgpack and of pickles without magic are
 * the least telling.
 */
export const fileFormats = [
  safetensorsFormat,
  stableBaselines3Format,
  torchFormat,
  npyFormat,
  npzFormat,
  hdf5Format,
  kerasFormat,
  llmcFormat,
  nemoFormat,
  ggufFormat,
  ggmlFormat,
  flaxMsgpackFormat,
  pickleFormat,
] as const;

export type FileFormatId = (typeof fileFormats)[number]['id'];

const byId: ReadonlyMap<string, FileFormat<FileFormatId>> = new Map(fileFormats.map((format) => [format.id, format]));

export function fileFormatOf(id: FileFormatId): FileFormat<FileFormatId> {
  return byId.get(id) as FileFormat<FileFormatId>;
}

/** The format that a file with these first bytes has; undefined for an unknown one. */
export function sniffFormat(head: Uint8Array): FileFormat<FileFormatId> | undefined {
  return fileFormats.find((format) => format.content?.matches(head) === true);
}

/**
 * The format that a file has in place of the one that its name promises. Undefined where its first bytes are what was promised, or of
 * no format: then the file is damaged.
 */
export function formatInstead(promised: FileFormat<FileFormatId>, head: Uint8Array): FileFormat<FileFormatId> | undefined {
  return promised.content?.matches(head) === true ? undefined : sniffFormat(head);
}
