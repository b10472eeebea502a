/** The formats of single files: how each is read, and how a file with an unknown name is recognised by its first bytes. */
import type { ByteSource } from '../bytes/byteSource.js';
import type { FileSink } from '../formats/sink/fileSink.js';
import { isGguf, readGguf } from '../formats/ggml/gguf.js';
import { isHdf5, readHdf5 } from '../formats/hdf5/readHdf5.js';
import { readKerasArchive } from '../formats/kerasArchive.js';
import { readFlaxMsgpack } from '../formats/msgpack/flaxMsgpack.js';
import { isMsgpackMap } from '../formats/msgpack/msgpack.js';
import { isLlmc, readLlmc } from '../formats/llmc/llmc.js';
import { readNemoArchive } from './nemoArchive.js';
import { isNpy, readNpy } from '../formats/numpy/npy.js';
import { readNumpyArchive } from '../formats/numpy/numpyArchive.js';
import { readSafetensors } from '../formats/safetensors.js';
import { isPickle, readTorchFile } from '../formats/torch/torchFile.js';
import type { FileFormatId } from './roles/fileRule.js';
import type { RolesOfPaths } from './roles/fileRoles.js';
import type { RoleId } from './roles/roleLabels.js';
import { isZip } from '../formats/zip.js';
import type { ComponentId } from '../tensors/component.js';

interface FileFormat {
  /** Shown where a damaged file cannot say itself what it is. */
  format: string;
  /** Lists what the file holds into the sink; answers what kind of file it is. `roles` are for the members of an archive. Throws FormatError. */
  read: (source: ByteSource, sink: FileSink, roles: RolesOfPaths) => Promise<string>;
}

/** Formats by the name that a file's role calls them by. */
export const fileFormats: Readonly<Record<FileFormatId, FileFormat>> = {
  safetensors: {
    format: 'safetensors',
    read: async (source, sink) => {
      await readSafetensors(source, sink);
      return 'safetensors';
    },
  },
  torch: { format: 'torch-zip', read: readTorchFile },
  npy: { format: 'npy', read: readNpy },
  npz: { format: 'npz', read: readNumpyArchive },
  hdf5: { format: 'hdf5', read: readHdf5 },
  keras: { format: 'keras', read: readKerasArchive },
  llmc: { format: 'llm.c', read: readLlmc },
  nemo: { format: 'tar', read: readNemoArchive },
  gguf: { format: 'gguf', read: readGguf },
  flaxMsgpack: {
    format: 'msgpack',
    read: async (source, sink) => {
      await readFlaxMsgpack(source, sink);
      return 'msgpack';
    },
  },
};

interface Sniff {
  matches: (head: Uint8Array) => boolean;
  reader: FileFormatId;
  /** What such a file is for when its name does not say. */
  role: RoleId;
  component: ComponentId;
  /** Other formats begin with the same bytes: one that turns out to be another is no damage. */
  otherwise?: string;
}

/** First bytes needed for `sniffFormat`. */
export const SNIFF_BYTES = 64;

const sniffs: readonly Sniff[] = [
  {
    matches: (head) => isZip(head) || isPickle(head),
    reader: 'torch',
    role: 'pickled-object',
    component: 'trainerState',
    otherwise: 'zip',
  },
  { matches: isNpy, reader: 'npy', role: 'array', component: 'weights' },
  { matches: isHdf5, reader: 'hdf5', role: 'arrays', component: 'weights' },
  { matches: isLlmc, reader: 'llmc', role: 'llmc-file', component: 'weights' },
  { matches: isGguf, reader: 'gguf', role: 'model-weights', component: 'weights' },
  { matches: isMsgpackMap, reader: 'flaxMsgpack', role: 'flax-state', component: 'weights', otherwise: 'msgpack' },
];

/** The format that a file with these first bytes has; undefined for one that nobody knows. */
export function sniffFormat(head: Uint8Array): Sniff | undefined {
  return sniffs.find(({ matches }) => matches(head));
}
