/**
 * Arrays that zarr stores as directories: metadata and a file for each chunk. Orbax without OCDBT, Levanter, t5x and Megatron's zarr
 * backend write them. Each array is a set of its own, so that their metadata are read side by side.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { encodeText } from '../../bytes/text.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import { isChunkKey, ZARR_2_NAME, ZARR_3_NAME } from '../../formats/zarr.js';
import type { FileSet, FileSetAccess, FileSetFormat } from './fileSet.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import type { Listing } from '../../files/listing.js';
import { addZarrTensor, noteArrayFailure, type ChunkPiece } from './zarrTensor.js';

/** A file in the directory from which the arrays of a checkpoint have their names. */
const checkpointMarkers = /^(_METADATA|_CHECKPOINT_METADATA|metadata\.json|checkpoint|common\.pt|\.zgroup|commit_success\.txt)$/;

interface ZarrSet extends FileSet {
  /** The array's directory below that of its checkpoint: its parts, or in one where `/` is a part of names. */
  name: string[];
}

export const zarrArrays: FileSetFormat = {
  id: 'zarr',
  checks: 'Zarr: metadata of arrays, which chunks are there',
  find: findArrays,
  read: (set, access) => readArray(set as ZarrSet, access),
};

function findArrays(listing: Listing): ZarrSet[] {
  const found = new Map<string, string[]>();
  const checkpoints = new Map<string, { isOrbax: boolean }>();
  for (const [directory, paths] of listing.directories) {
    const marker = paths.find((path) => baseName(path) === ZARR_2_NAME) ?? paths.find((path) => baseName(path) === ZARR_3_NAME);
    if (marker !== undefined) found.set(directory, [marker]);
    const names = paths.map((path) => baseName(path)).filter((name) => checkpointMarkers.test(name));
    if (names.length > 0) checkpoints.set(directory, { isOrbax: names.includes('_METADATA') });
  }
  if (found.size === 0) return [];
  for (const [directory, paths] of listing.directories) {
    const array = arrayAbove(directory, found);
    if (array === undefined) continue;
    const own = found.get(array) as string[];
    const start = array === '' ? 0 : array.length + 1;
    for (const path of paths) if (path !== own[0] && isChunkPath(path.slice(start))) own.push(path);
  }
  return [...found].map(([root, paths]) => ({ root, paths, name: nameOf(root, checkpoints, listing.rootName) }));
}

/** The nearest directory with metadata. Chunk keys with `/` are as deep as an array's rank. */
function arrayAbove(directory: string, found: ReadonlyMap<string, string[]>): string | undefined {
  for (let at = directory, depth = 0; depth <= limits.listedDepth; at = parentPath(at), depth++) {
    if (found.has(at)) return at;
    if (at === '') return undefined;
  }
  return undefined;
}

/** `0.12`, `0/12`, `c/0/12` or `c`, below the array's directory. */
function isChunkPath(path: string): boolean {
  const bytes = encodeText(chunkKey(path));
  return isChunkKey(bytes, 0, bytes.byteLength);
}

function chunkKey(path: string): string {
  return path === 'c' ? '0' : path.startsWith('c/') ? path.slice(2) : path;
}

function chunkIndex(path: string): number[] {
  return chunkKey(path).split(/[./]/).map(Number);
}

function nameOf(directory: string, checkpoints: ReadonlyMap<string, { isOrbax: boolean }>, rootName: string): string[] {
  if (directory === '') return [rootName];
  let at = parentPath(directory);
  while (at !== '' && !checkpoints.has(at)) at = parentPath(at);
  const name = at === '' ? directory : directory.slice(at.length + 1);
  // Orbax joins keys with dots, so that a slash is a part of a key.
  return checkpoints.get(at)?.isOrbax === true ? [name] : name.split('/');
}

async function readArray(set: ZarrSet, access: FileSetAccess): Promise<void> {
  const [marker = '', ...chunks] = set.paths;
  const metadataBytes = access.entry(marker)?.sizeBytes ?? 0;
  if (metadataBytes > limits.metadataPayloadBytes)
    throw new FormatError('limit-exceeded', `the metadata take ${metadataBytes} bytes`);
  const metadata = await access.read(marker, 0, metadataBytes);
  await access.turn();
  const pieces = chunks.map((path): ChunkPiece => ({
    file: access.fileNumber(path) as number,
    offset: 0,
    bytes: access.entry(path)?.sizeBytes ?? 0,
    logicalBytes: 0,
    index: chunkIndex(set.root === '' ? path : path.slice(set.root.length + 1)),
  }));
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
  const sink = access.sinkOf(marker);
  const pathOf = new Map(pieces.map(({ file }, at) => [file, chunks[at] as string]));
  const sinkOfFile = (file: number): FileSink => access.sinkOf(pathOf.get(file) as string);
  // zarr-python 3 writes its attributes even where there are none; version 2 and TensorStore do not.
  const isOfZarrPython3 = access.entry(joinPath(set.root, '.zattrs')) !== undefined;
  let isArray = true;
  noteArrayFailure(sink, set.name.join('.'), () => {
    isArray = addZarrTensor(sink, set.name, metadata, { pieces, count: pieces.length, bytes, isOfZarrPython3, sinkOfFile });
  });
  access.describe(marker, { role: isArray ? 'array-metadata' : 'group-metadata', component: 'container' });
  for (const path of chunks) {
    access.describe(path, { role: 'array-chunk', component: 'unexplained' });
    if (access.entry(path)?.sizeBytes === 0) access.sinkOf(path).finding({ code: 'file-empty' });
  }
}
