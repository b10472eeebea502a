/**
 * torch.save since 1.6, TorchScript, and torch.export archives: a zip of stored records under one folder.
 *
 *   <name>/data.pkl            the object; tensors refer to storages by key
 *   <name>/data/<key>          one storage each
 *   <name>/byteorder, version, .format_version, .storage_alignment, .data/serialization_id
 *
 * Layout as written by torch/csrc and caffe2/serialize/inline_container.cc. Read: the end of the directory, the directory, data.pkl.
 */
import type { ByteSource } from '../../bytes/byteSource.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { noteArchiveCode } from '../loaderCode/archiveCode.js';
import { readExportedProgram } from './exportedProgram.js';
import type { FileSink, FoundPiece } from '../sink/fileSink.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import { damageCodes, pickleDamage } from '../pickle/pickleDamage.js';
import { runPickle } from '../pickle/pickleMachine.js';
import { listTorchTensors, type StorageLocator } from './torchStorages.js';
import { noteBytesBehindArchive } from '../zipTail.js';
import type { ZipDirectory, ZipEntry } from '../zip.js';
import { codecOfRecord, isReadByTorch, isStored, readZipContent, zipMethodName } from '../zipRecord.js';

export type TorchZipKind = 'torch-zip' | 'torchscript' | 'torch-export';

/** Records by their name below the archive's one folder. */
export type TorchRecords = ReadonlyMap<string, ZipEntry>;

/**
 * Lists the tensors and the object of a torch zip into the sink; answers which kind of archive it is.
 * @throws FormatError `not-this-format` for a zip that torch did not write
 */
export async function readTorchZip(source: ByteSource, directory: ZipDirectory, sink: FileSink): Promise<TorchZipKind> {
  const folder = folderOf(directory.entries);
  const records = recordsBelow(folder, directory.entries);
  const pickle = records.get('data.pkl');
  const imports = new FileImports(sink);
  const lost = await findLostBeginning(source, directory.entries, pickle, sink);
  const bytes = pickle === undefined ? undefined : await readPickle(source, pickle, imports, sink);
  const isRead = bytes !== undefined && !FormatError.is(bytes);
  await imports.scanArchive(source, directory, (entry) => isRead && entry === pickle, lost?.endOffset);
  await sink.turn();
  noteBytesBehindArchive(source, directory, sink);
  await imports.report(sink);
  if (FormatError.is(bytes)) throw bytes;
  if (pickle !== undefined) sink.metadata('archive', folder.slice(0, -1));
  if (pickle !== undefined && !isReadByTorch(pickle)) noteMethod(pickle, sink);
  checkRecords(directory.entries, lost, sink);
  noteArchiveCode(directory.entries, runnerOf(directory.entries), sink);
  if (pickle !== undefined) {
    if (bytes !== undefined) listPickledObject(bytes, pickle, records, sink);
    else eachStorage(records, (_, piece) => sink.unexplained(piece.offset, piece.bytes));
    return records.has('constants.pkl') ? 'torchscript' : 'torch-zip';
  }
  if (await readExportedProgram(source, records, sink)) return 'torch-export';
  throw new FormatError('not-this-format', 'a zip archive without data.pkl');
}

/** What runs Python code in an archive, by the records that its writer leaves. */
function runnerOf(entries: readonly ZipEntry[]): string {
  const has = (record: string): boolean => entries.some(({ name }) => name === record || name.endsWith(`/${record}`));
  if (has('constants.pkl')) return 'TorchScript when the model is called';
  if (has('.data/extern_modules')) return 'torch.package when the model is loaded (PackageImporter)';
  if (has('MAR-INF/MANIFEST.json')) return 'TorchServe when it loads the model';
  return 'a loader that imports it';
}

/**
 * The pickle of the archive, and what it imports; undefined for one that is encrypted, in a compression that torch does not have, or unpacks to too
 * much. Damage is answered, so that all others are scanned.
 */
async function readPickle(
  source: ByteSource,
  entry: ZipEntry,
  imports: FileImports,
  sink: FileSink,
): Promise<Uint8Array | FormatError | undefined> {
  // torch stores it; other programs that pack an archive again deflate it.
  if (entry.isEncrypted || !isReadByTorch(entry)) return undefined;
  if (!isStored(entry) && entry.bytes > Math.min(limits.pickleUnpackedBytes, sink.unpackBudget.roomBytes)) return undefined;
  try {
    const { bytes, dataOffset, conflict } = await readZipContent(source, entry, limits.pickleBytes, sink);
    if (conflict !== undefined) imports.noteConflict(entry.name, conflict, entry.headerOffset);
    imports.scan(bytes, isStored(entry) ? dataOffset : undefined);
    return bytes;
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    return error;
  }
}

function noteMethod({ name, method, headerOffset }: ZipEntry, sink: FileSink): void {
  const detail = `${name} is compressed with ${zipMethodName(method)}, which torch does not read`;
  sink.finding({ code: 'unsupported-version', offset: headerOffset, facts: { detail } });
}

/** The archive's one folder, which is named after the file that was saved first; with its slash. */
function folderOf(entries: readonly ZipEntry[]): string {
  const marker = entries.find((entry) => entry.name.endsWith('/data.pkl') || entry.name.endsWith('/archive_format'));
  return marker === undefined ? '' : marker.name.slice(0, marker.name.indexOf('/') + 1);
}

function recordsBelow(folder: string, entries: readonly ZipEntry[]): TorchRecords {
  const records = new Map<string, ZipEntry>();
  for (const entry of entries) if (entry.name.startsWith(folder)) records.set(entry.name.slice(folder.length), entry);
  return records;
}

const LOCAL_MAGIC = [0x50, 0x4b, 0x03, 0x04];

/**
 * The first record where its local header is not there: TorchScript and torch.export put data first, so that nothing else is read
 * of a file's beginning.
 */
async function findLostBeginning(
  source: ByteSource,
  entries: readonly ZipEntry[],
  pickle: ZipEntry | undefined,
  sink: FileSink,
): Promise<ZipEntry | undefined> {
  const first = entries[0];
  if (first === undefined || first === pickle || first.headerOffset + LOCAL_MAGIC.length > source.sizeBytes) return undefined;
  const magic = await source.read(first.headerOffset, LOCAL_MAGIC.length, sink.signal);
  return LOCAL_MAGIC.every((byte, index) => magic[index] === byte) ? undefined : first;
}

function listPickledObject(bytes: Uint8Array, entry: ZipEntry, records: TorchRecords, sink: FileSink): void {
  try {
    const pickle = runPickle(bytes);
    sink.object(pickle.root);
    const used = new Set<string>();
    const locate = locatorOf(records, 'data/');
    listTorchTensors(
      pickle.root,
      (key) => {
        used.add(key);
        return locate(key);
      },
      sink,
    );
    // Storages that the object does not refer to are nobody's.
    eachStorage(records, (key, piece) => {
      if (!used.has(key)) sink.claim(piece.offset, piece.bytes, 'container');
    });
  } catch (error) {
    if (!FormatError.is(error) || !damageCodes.has(error.code)) throw error;
    sink.finding(pickleDamage(error, 'data.pkl', bytes.byteLength, entry.headerOffset));
    eachStorage(records, (_, piece) => sink.unexplained(piece.offset, piece.bytes));
  }
}

/** Finds a storage among the records; where its data begin follows from where the next record does. */
function locatorOf(records: TorchRecords, folder: string): StorageLocator {
  return (key) => {
    const entry = records.get(folder + key);
    const offset = entry?.dataOffset;
    if (entry === undefined || offset === undefined) return undefined;
    const { bytes, compressedBytes } = entry;
    if (isStored(entry)) return { offset, bytes };
    return { offset, bytes: compressedBytes, logicalBytes: bytes, packedBy: codecOfRecord(entry) ?? null };
  };
}

function eachStorage(records: TorchRecords, visit: (key: string, piece: FoundPiece) => void): void {
  for (const [name, entry] of records) {
    const offset = name.startsWith('data/') ? entry.dataOffset : undefined;
    if (offset !== undefined) visit(name.slice('data/'.length), { offset, bytes: entry.compressedBytes });
  }
}

/** Each record has to have room for what the directory declares: two that overlap, or one beyond the end, are damage. */
function checkRecords(entries: readonly ZipEntry[], lost: ZipEntry | undefined, sink: FileSink): void {
  if (lost !== undefined) sink.finding({ code: 'zip-record-lost', offset: lost.headerOffset, facts: { record: lost.name } });
  for (const entry of entries) {
    if (entry.dataOffset !== undefined) continue;
    sink.finding({
      code: 'zip-record-corrupt',
      offset: entry.headerOffset,
      facts: {
        record: entry.name,
        bytes: entry.compressedBytes,
        expectedBytes: Math.max(0, entry.endOffset - entry.headerOffset),
      },
    });
  }
}
