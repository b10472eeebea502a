/** Any file that torch.load would be asked to open: a zip, a legacy file, or a bare pickle, whatever its name says. */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { encodeText } from '../../bytes/text.js';
import { unpack, type PackedFormat } from '../../bytes/unpack.js';
import { ofBeginning, reasonOfCut } from '../../bytes/unpackBudget.js';
import type { FileSink } from '../sink/fileSink.js';
import { reportDamagedArchive } from '../pickle/imports/damagedArchive.js';
import { FileImports, mayHoldPickles } from '../pickle/imports/fileImports.js';
import type { ScanResult } from '../pickle/imports/pickleScan.js';
import { joblibDataBehind } from '../pickle/joblibArrays.js';
import { runPickle, type PickleResult } from '../pickle/pickleMachine.js';
import { damageCodes, pickleDamage } from '../pickle/pickleDamage.js';
import { compressionOfPickle, isPickle, mayBeOldPickle } from '../pickle/pickleHead.js';
import type { PickleCall } from '../pickle/pickleValue.js';
import { listTorchTensors } from './torchStorages.js';
import { isTorchLegacy, readTorchLegacy } from './torchLegacy.js';
import { isTorchTar, readTorchTar } from './torchTar.js';
import { readTorchZip, type TorchZipKind } from './torchZip.js';
import { readTruncatedTorchZip } from './truncatedTorchZip.js';
import { TAR_HEADER_BYTES } from '../tar.js';
import { isZip, readZipDirectory, type ZipDirectory } from '../zip.js';

export type TorchFileKind = TorchZipKind | 'torch-legacy' | 'torch-tar' | 'pickle';

const HEAD_BYTES = 64;
/** A block of the compressions that joblib has, for its first bytes. */
const PACKED_HEAD_BYTES = 1024 * 1024;

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
    await reportDamagedArchive(source, sink);
    return 'torch-zip';
  }
  try {
    return await readOther(source, sink, head);
  } catch (error) {
    // Programs that do not go by the first bytes find an archive behind others.
    if (FormatError.is(error, 'not-this-format')) await reportDamagedArchive(source, sink);
    throw error;
  }
}

/** What is no archive by its first bytes. */
async function readOther(source: ByteSource, sink: FileSink, head: Uint8Array): Promise<TorchFileKind> {
  if (isTorchTar(head)) {
    await readTorchTar(source, sink);
    return 'torch-tar';
  }
  if (isTorchLegacy(head)) {
    await readTorchLegacy(source, sink);
    return 'torch-legacy';
  }
  const compression = compressionOfPickle(head);
  if (compression !== undefined) {
    await readPackedPickle(source, sink, compression);
    return 'pickle';
  }
  if (!isPickle(head) && !mayBeOldPickle(head)) throw notATorchFile();
  await readBarePickle(source, sink, isPickle(head));
  return 'pickle';
}

/** The directory of a zip cannot be found; the file may still be something else. */
class NoDirectory extends FormatError {}

async function directoryOf(source: ByteSource, sink: FileSink): Promise<ZipDirectory> {
  try {
    return await readZipDirectory(source, sink.signal, 'miniz');
  } catch (error) {
    if (!FormatError.is(error, 'truncated') && !FormatError.is(error, 'corrupt')) throw error;
    throw new NoDirectory(error.code, error.detail, error.offset === undefined ? {} : { offset: error.offset });
  }
}

function notATorchFile(): FormatError {
  return new FormatError('not-this-format', 'neither a zip nor a pickle', { offset: 0 });
}

/** Runs a pickle with the arrays that joblib writes into it, and notes where these are. */
function runWithArrays(bytes: Uint8Array, gaps: ArrayInPickle[]): PickleResult {
  const bytesBehind = (object: PickleCall, offset: number): number => {
    const data = joblibDataBehind(object, bytes, offset);
    if (data === undefined) return 0;
    const length = data.kind === 'raw' ? data.bytes : runPickle(bytes, offset).end - offset;
    gaps.push({ offset, bytes: length, isPickle: data.kind === 'pickle' });
    return length;
  };
  return runPickle(bytes, 0, { bytesBehind, forget: false });
}

/** An array that joblib wrote between the opcodes of a pickle. */
interface ArrayInPickle {
  offset: number;
  bytes: number;
  /** True for one of objects, which is a pickle itself. */
  isPickle: boolean;
}

/** @param hasMagic false for one that only its opcodes can tell from any other file */
async function readBarePickle(source: ByteSource, sink: FileSink, hasMagic: boolean): Promise<void> {
  if (source.sizeBytes > limits.pickleBytes) return readLargePickle(source, sink);
  const bytes = await source.read(0, source.sizeBytes, sink.signal);
  const listed = await listPickle(bytes, sink, 0, hasMagic);
  if (listed === undefined) return;
  const behind = source.sizeBytes - listed.end;
  if (behind > 0) {
    sink.unexplained(listed.end, behind);
    sink.finding({ code: 'pickle-followed-by-bytes', offset: listed.end, facts: { bytes: behind } });
    await reportDamagedArchive(source, sink);
  }
  listTorchTensors(listed.root, () => undefined, sink);
}

/** Imports at the beginning of a pickle that is larger than what is read. */
async function readLargePickle(source: ByteSource, sink: FileSink): Promise<void> {
  const imports = new FileImports(sink);
  imports.scan(await source.read(0, limits.largePickleScanBytes, sink.signal), 0);
  imports.leaveOut(
    'the pickle',
    source.sizeBytes - limits.largePickleScanBytes,
    'larger than what is read',
    limits.largePickleScanBytes,
  );
  await imports.report(sink);
  sink.finding({ code: 'pickle-too-large', facts: { bytes: source.sizeBytes, limitBytes: limits.pickleBytes } });
  sink.unexplained(0, source.sizeBytes);
}

/**
 * Lists what a pickle imports, and its object; undefined where that cannot be made.
 * @param offset where it begins in the file; undefined for bytes that were unpacked
 * @throws FormatError `not-this-format` for one without magic that does not run
 */
async function listPickle(
  bytes: Uint8Array,
  sink: FileSink,
  offset: number | undefined,
  hasMagic: boolean,
): Promise<PickleResult | undefined> {
  const arrays: ArrayInPickle[] = [];
  const imports = new FileImports(sink);
  const scan = (): ScanResult => {
    for (const array of arrays)
      if (array.isPickle) imports.scan(bytes, offset, { start: array.offset, end: array.offset + array.bytes });
    return imports.scan(bytes, offset, { gaps: arrays.map((array) => [array.offset, array.bytes]) });
  };
  try {
    const pickle = isFromJoblib(bytes) ? runWithArrays(bytes, arrays) : runPickle(bytes);
    scan();
    if (!hasMagic && pickle.end !== bytes.byteLength && !imports.hasAny) throw notATorchFile();
    await imports.report(sink);
    sink.object(pickle.root);
    return pickle;
  } catch (error) {
    if (!FormatError.is(error) || !damageCodes.has(error.code)) throw error;
    const { callsBeforeDamage, namesBeforeDamage } = scan();
    if (!hasMagic && !callsBeforeDamage && !namesBeforeDamage) throw notATorchFile();
    await imports.report(sink);
    sink.finding(pickleDamage(error, 'pickle', bytes.byteLength, offset ?? 0));
    return undefined;
  }
}

/** What a pickle in another compression holds. Its bytes have no places in the file. */
async function readPackedPickle(source: ByteSource, sink: FileSink, compression: PackedFormat): Promise<void> {
  const unsupported = new FormatError('unsupported', `a file in ${compression}`, { offset: 0 });
  if (source.sizeBytes > limits.pickleUnpackedBytes) {
    const imports = new FileImports(sink);
    imports.leaveOut('the file', source.sizeBytes, `compressed with ${compression}, and larger than what is unpacked`, 0);
    await imports.report(sink);
    throw unsupported;
  }
  const head = await unpackedHead(source, compression, sink.signal);
  if (head !== undefined && !isPickle(head) && !mayBeOldPickle(head)) {
    if (mayHoldPickles(head)) await reportPacked(source, sink);
    throw unsupported;
  }
  const packed = await source.read(0, source.sizeBytes, sink.signal);
  const { bytes, isWhole } = await unpack(packed, compression, limits.pickleUnpackedBytes, sink);
  if (isWhole) await listPickle(bytes, sink, undefined, isPickle(bytes));
  else await listBeginning(bytes, source.sizeBytes, sink);
}

/** Imports at the beginning of a pickle that unpacks to more than is read. Its values end with the pickle, and so are not made. */
async function listBeginning(bytes: Uint8Array, packedBytes: number, sink: FileSink): Promise<void> {
  const imports = new FileImports(sink);
  imports.scan(bytes, undefined);
  imports.leaveOut('the file', packedBytes, reasonOfCut(sink), 0);
  await imports.report(sink);
  sink.unexplained(0, packedBytes);
}

/** What a compressed archive imports, or a pickle that is compressed more than once. */
async function reportPacked(source: ByteSource, sink: FileSink): Promise<void> {
  const imports = new FileImports(sink);
  await imports.scanPart(source, 'the file', 0);
  await imports.report(sink);
}

/** The first bytes of what a file unpacks to; undefined where the beginning of it is too little of a block. */
async function unpackedHead(
  source: ByteSource,
  compression: PackedFormat,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | undefined> {
  try {
    const packed = await source.read(0, Math.min(PACKED_HEAD_BYTES, source.sizeBytes), signal);
    return (await unpack(packed, compression, TAR_HEADER_BYTES, ofBeginning(signal))).bytes;
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return source.sizeBytes > PACKED_HEAD_BYTES ? undefined : new Uint8Array(0);
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
