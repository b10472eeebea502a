/**
 * The length that headers declare: of files without checksums it is the one witness against their being cut. It covers no byte. A tensor's end in
 * safetensors and GGUF, type and shape in `.npy` give it.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { baseName } from '../../files/paths.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import { isGguf, readGguf } from '../../formats/ggml/gguf.js';
import { readNpy } from '../../formats/numpy/npy.js';
import { isNpy } from '../../formats/numpy/npyHeader.js';
import { isSafetensors, readSafetensors } from '../../formats/safetensors/safetensors.js';
import { counted } from '../../text/quantities.js';
import type { Damage } from '../verification.js';
import type { SumContext } from './sumFormat.js';
import { TensorPlaces } from './tensorPlaces.js';

const readers: readonly {
  recognises: (path: string, head: Uint8Array) => boolean;
  read: (source: ByteSource, sink: FileSink) => Promise<unknown>;
}[] = [
  { recognises: (path, head) => /\.safetensors$/i.test(path) || isSafetensors(head), read: readSafetensors },
  { recognises: (_, head) => isGguf(head), read: readGguf },
  { recognises: (_, head) => isNpy(head), read: readNpy },
];

/**
 * The end of a file that comes short of what its header declares; none of any other, and of headers that are no such ones.
 * @throws FormatError `io`, `cancelled`
 */
export async function lengthDamage(
  source: ByteSource,
  { path, head, signal }: Pick<SumContext, 'path' | 'head' | 'signal'>,
): Promise<Damage[]> {
  const reader = readers.find(({ recognises }) => recognises(path, head));
  if (reader === undefined) return [];
  const { sizeBytes } = source;
  const sink = new TensorPlaces(path, signal);
  try {
    await reader.read(source, sink);
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'io' || error.code === 'cancelled') throw error;
    return error.code === 'truncated' ? [{ offset: sizeBytes, length: 0, what: `ends in its header: ${error.detail}` }] : [];
  }
  return sink.findings.flatMap((finding) => {
    if (finding.code !== 'file-truncated' || !('expectedBytes' in finding.facts)) return [];
    const missing = finding.facts.expectedBytes - sizeBytes;
    return [{ offset: sizeBytes, length: 0, what: `ends ${counted(missing, 'byte')} short of what its header declares` }];
  });
}

const neverEmpty =
  /\.(?:safetensors|npy|npz|gz|tgz|zip|h5|hdf5|keras|pt|pth|pkl|pickle|gguf|parquet|json)$|-\d{5}-of-\d{5}\.bin$|^pytorch_model\.bin$/i;

/** True for a file whose format has no empty files. */
export function isNeverEmpty(path: string): boolean {
  return neverEmpty.test(baseName(path));
}
