/** Any file that torch.load would be asked to open: a zip, a legacy file, or a bare pickle, whatever its name says. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import type { FileSink } from '../sink/fileSink.js';
import { runPickle } from '../pickle/pickleMachine.js';
import { listTorchTensors } from './torchStorages.js';
import { isTorchLegacy, readTorchLegacy } from './torchLegacy.js';
import { readTorchZip, type TorchZipKind } from './torchZip.js';
import { readTruncatedTorchZip } from './truncatedTorchZip.js';
import { isZip, readZipDirectory, type ZipDirectory } from '../zip.js';

export type TorchFileKind = TorchZipKind | 'torch-legacy' | 'pickle';

const HEAD_BYTES = 64;

/**
 * Lists the file's tensors and object into the sink; answers which kind it is. The end is looked at first, as an intact zip then
 * needs no look at its beginning.
 * @throws FormatError `not-this-format` when it is none of these
 */
export async function readTorchFile(source: ByteSource, sink: FileSink): Promise<TorchFileKind> {
  let missing: FormatError;
  try {
    return await readTorchZip(source, await directoryOf(source, sink), sink);
  } catch (error) {
    if (!FormatError.is(error) || !(error instanceof NoDirectory)) throw error;
    missing = error;
  }
  const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), sink.signal);
  await sink.turn();
  if (isZip(head)) {
    sink.finding({
      code: 'zip-directory-missing',
      offset: missing.offset ?? source.sizeBytes,
      facts: { detail: missing.detail },
    });
    await readTruncatedTorchZip(source, sink);
    return 'torch-zip';
  }
  if (isTorchLegacy(head)) {
    await readTorchLegacy(source, sink);
    return 'torch-legacy';
  }
  if (!isPickle(head)) throw new FormatError('not-this-format', 'neither a zip nor a pickle', { offset: 0 });
  await readBarePickle(source, sink);
  return 'pickle';
}

/** The directory of a zip cannot be found; the file may still be something else. */
class NoDirectory extends FormatError {}

async function directoryOf(source: ByteSource, sink: FileSink): Promise<ZipDirectory> {
  try {
    return await readZipDirectory(source, sink.signal);
  } catch (error) {
    if (!FormatError.is(error, 'truncated') && !FormatError.is(error, 'corrupt')) throw error;
    throw new NoDirectory(error.code, error.detail, error.offset === undefined ? {} : { offset: error.offset });
  }
}

/** Protocol 2 and up begin with PROTO; older ones with an opcode that is a printable character, so that only names tell. */
export function isPickle(head: Uint8Array): boolean {
  return head[0] === 0x80 && (head[1] ?? 0xff) >= 2 && (head[1] ?? 0xff) <= 5;
}

async function readBarePickle(source: ByteSource, sink: FileSink): Promise<void> {
  if (source.sizeBytes > limits.pickleBytes) {
    sink.finding({ code: 'pickle-too-large', facts: { bytes: source.sizeBytes, limitBytes: limits.pickleBytes } });
    sink.unexplained(0, source.sizeBytes);
    return;
  }
  const bytes = await source.read(0, source.sizeBytes, sink.signal);
  try {
    const pickle = runPickle(bytes);
    for (const name of pickle.globals) sink.pickleImport(name);
    sink.object(pickle.root);
    listTorchTensors(pickle.root, () => undefined, sink);
  } catch (error) {
    if (!FormatError.is(error, 'corrupt') && !FormatError.is(error, 'truncated')) throw error;
    sink.finding({ code: 'pickle-corrupt', offset: error.offset ?? 0, facts: { record: 'pickle', detail: error.detail } });
  }
}
