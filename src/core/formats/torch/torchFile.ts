/** Any file that torch.load would be asked to open: a zip, a legacy file, or a bare pickle, whatever its name says. */
import { appendAll } from '../../bytes/appendAll.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { encodeText } from '../../bytes/text.js';
import type { FileSink } from '../sink/fileSink.js';
import { joblibDataBehind } from '../pickle/joblibArrays.js';
import { runPickle, type PickleResult } from '../pickle/pickleMachine.js';
import type { PickleCall } from '../pickle/pickleValue.js';
import { listTorchTensors } from './torchStorages.js';
import { isTorchLegacy, readTorchLegacy } from './torchLegacy.js';
import { isTorchTar, readTorchTar } from './torchTar.js';
import { readTorchZip, type TorchZipKind } from './torchZip.js';
import { readTruncatedTorchZip } from './truncatedTorchZip.js';
import { isZip, readZipDirectory, type ZipDirectory } from '../zip.js';

export type TorchFileKind = TorchZipKind | 'torch-legacy' | 'torch-tar' | 'pickle';

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
  if (isTorchTar(head)) {
    await readTorchTar(source, sink);
    return 'torch-tar';
  }
  if (isTorchLegacy(head)) {
    await readTorchLegacy(source, sink);
    return 'torch-legacy';
  }
  const compression = compressionOfPickle(head);
  if (compression !== undefined) throw new FormatError('unsupported', `a file in ${compression}`, { offset: 0 });
  if (!isPickle(head) && !(await mayBeOldPickle(source, head, sink.signal))) throw notATorchFile();
  await readBarePickle(source, sink, isPickle(head));
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

/** Compressions of joblib.dump, and of pickles that programs pack themselves: what is inside is not looked at. */
const compressions: readonly [name: string, magic: readonly number[]][] = [
  ['gzip', [0x1f, 0x8b, 0x08]],
  ['zlib', [0x78, 0x01]],
  ['zlib', [0x78, 0x5e]],
  ['zlib', [0x78, 0x9c]],
  ['zlib', [0x78, 0xda]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['lzma', [0x5d, 0x00, 0x00]],
  ['lz4', [0x04, 0x22, 0x4d, 0x18]],
];

function compressionOfPickle(head: Uint8Array): string | undefined {
  return compressions.find(([, magic]) => magic.every((byte, at) => head[at] === byte))?.[0];
}

/** Opcodes that begin a pickle of protocol 0 or 1: a mark, a global, an empty container, a text, a number or a singleton. */
const firstOpcodes = new Set([...'(c]})SVUXTILFGJKMN'].map((character) => character.charCodeAt(0)));
const STOP = 0x2e;

/** Protocols 0 and 1 have no magic: the first opcode and the STOP at the end are looked at, the machine tells the rest. */
async function mayBeOldPickle(source: ByteSource, head: Uint8Array, signal: AbortSignal | undefined): Promise<boolean> {
  if (!firstOpcodes.has(head[0] ?? 0) || source.sizeBytes > limits.pickleBytes) return false;
  const [last] = await source.read(source.sizeBytes - 1, 1, signal);
  return last === STOP;
}

function notATorchFile(): FormatError {
  return new FormatError('not-this-format', 'neither a zip nor a pickle', { offset: 0 });
}

/** Runs a pickle with the arrays that joblib writes into it. */
function runWithArrays(bytes: Uint8Array): PickleResult {
  const inner: string[] = [];
  const bytesBehind = (object: PickleCall, offset: number): number => {
    const data = joblibDataBehind(object, bytes, offset);
    if (data?.kind !== 'pickle') return data?.bytes ?? 0;
    const nested = runPickle(bytes, offset);
    appendAll(inner, nested.globals);
    return nested.end - offset;
  };
  const pickle = runPickle(bytes, 0, { bytesBehind, forget: false });
  return { ...pickle, globals: [...new Set([...pickle.globals, ...inner])] };
}

/** @param hasMagic false for one that only its opcodes can tell from any other file */
async function readBarePickle(source: ByteSource, sink: FileSink, hasMagic: boolean): Promise<void> {
  if (source.sizeBytes > limits.pickleBytes) {
    sink.finding({ code: 'pickle-too-large', facts: { bytes: source.sizeBytes, limitBytes: limits.pickleBytes } });
    sink.unexplained(0, source.sizeBytes);
    return;
  }
  const bytes = await source.read(0, source.sizeBytes, sink.signal);
  try {
    const pickle = isFromJoblib(bytes) ? runWithArrays(bytes) : runPickle(bytes);
    if (!hasMagic && pickle.end !== source.sizeBytes) throw notATorchFile();
    const behind = source.sizeBytes - pickle.end;
    if (behind > 0) {
      sink.unexplained(pickle.end, behind);
      sink.finding({ code: 'pickle-followed-by-bytes', offset: pickle.end, facts: { bytes: behind } });
    }
    for (const name of pickle.globals) sink.pickleImport(name);
    sink.object(pickle.root);
    listTorchTensors(pickle.root, () => undefined, sink);
  } catch (error) {
    if (!FormatError.is(error, 'corrupt') && !FormatError.is(error, 'truncated')) throw error;
    if (!hasMagic) throw notATorchFile();
    sink.finding({ code: 'pickle-corrupt', offset: error.offset ?? 0, facts: { record: 'pickle', detail: error.detail } });
  }
}

const joblibModule = encodeText('joblib.numpy_pickle');

/** The module's name stands before the first array, wherever that is. */
function isFromJoblib(bytes: Uint8Array): boolean {
  const [first] = joblibModule;
  for (let at = bytes.indexOf(first as number); at !== -1; at = bytes.indexOf(first as number, at + 1))
    if (joblibModule.every((byte, index) => bytes[at + index] === byte)) return true;
  return false;
}
