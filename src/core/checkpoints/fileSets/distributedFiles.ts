/**
 * Directories of torch.distributed.checkpoint: `.metadata` names the tensors, `__<rank>_<n>.distcp` hold them one after the other, each
 * as a torch.save archive of its own (torch/distributed/checkpoint/filesystem.py).
 */
import type { FileExtent, Saved } from './distributedSave.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { baseName, joinPath } from '../../files/paths.js';
import { refuseImpostor } from '../../formats/impostor.js';
import {
  readDistributedMetadata,
  type DistributedEntry,
  type DistributedMetadata,
} from '../../formats/torch/distributedMetadata.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import type { FileSink, FoundPiece } from '../../formats/sink/fileSink.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { findDamagedEdges, type DamagedEdge } from './distributedEdges.js';
import { addObjects, componentOfObject, fetchObjects, scanOtherObjects } from './distributedObjects.js';
import type { FileSet, FileSetAccess, FileSetFormat } from './fileSet.js';

const dataFile = /^(?:.*?)__(\d{1,7})_(\d{1,7})\.distcp$/s;
const rankMetadata = /^__(\d{1,7})\.metadata$/;

export const distributedFiles: FileSetFormat = {
  id: 'distcp',
  checks: 'torch.distributed.checkpoint: index against the data files and their sizes',
  names: [{ extensions: ['distcp'], isOwn: true, isPartOfFolder: true }],
  find(listing) {
    const sets: FileSet[] = [];
    for (const [root, paths] of listing.directories) {
      const own = paths.filter((path) => isOwnFile(baseName(path)));
      if (own.length > 0) sets.push({ root, paths: own.sort((a, b) => orderOf(a) - orderOf(b)) });
    }
    return sets;
  },
  async read(set, access) {
    const metadataPaths = set.paths.filter((path) => baseName(path) === '.metadata');
    const markers = metadataPaths.length > 0 ? metadataPaths : set.paths.filter((path) => rankMetadata.test(baseName(path)));
    const saved: Saved[] = [];
    const imports = new Map<string, FileImports>();
    for (const path of markers) saved.push(await readMetadata(path, set.root, access, imports));
    const objects = await fetchObjects(saved, access);
    const edges = await findDamagedEdges(saved, access);
    const impostors = saved.length === 0 ? await findImpostors(set, access) : [];
    await access.turn();
    const used = new Set(saved.flatMap(({ paths }) => paths));
    describeFiles(set, (path) => saved.length === 0 || used.has(path), access);
    if (saved.length === 0) noteUnfinished(set, access);
    for (const [path, error] of impostors) await access.guard(path, () => Promise.reject(error));
    const others = await scanOtherObjects(saved, access);
    for (const [path, found] of [...imports, ...others]) await found.report(access.sinkOf(path));
    addTensors(saved, access);
    claimObjects(saved, access);
    for (const [index, one] of saved.entries()) await addObjects(one, objects[index] ?? [], access);
    noteEdges(edges, access);
    if (saved.length > 0) checkFiles(set, saved, access);
  },
};

/** The metadata come first, as what the set is called by. */
function orderOf(path: string): number {
  const name = baseName(path);
  return name === '.metadata' ? 0 : rankMetadata.test(name) ? 1 : 2;
}

function isOwnFile(name: string): boolean {
  return name === '.metadata' || name === '.metadata.tmp' || name.endsWith('.distcp') || rankMetadata.test(name);
}

/** The rank that wrote a data file; undefined for any other file. */
export function rankOfDataFile(path: string): number | undefined {
  const rank = dataFile.exec(baseName(path))?.[1];
  return rank === undefined ? undefined : Number(rank);
}

async function readMetadata(
  path: string,
  root: string,
  access: FileSetAccess,
  imports: Map<string, FileImports>,
): Promise<Saved> {
  const sizeBytes = access.entry(path)?.sizeBytes ?? 0;
  if (sizeBytes > limits.pickleBytes) throw new FormatError('limit-exceeded', `${sizeBytes} bytes of metadata`);
  access.onProgress(path);
  const bytes = await access.read(path, 0, sizeBytes);
  const found = new FileImports(access);
  found.scan(bytes, 0);
  imports.set(path, found);
  const metadata = await readOrReport(bytes, found, path, access);
  access.onProgress(path);
  const paths = metadata.files.map((file) => joinPath(root, file));
  noteTail(path, metadata.endBytes, sizeBytes, access);
  return { path, metadata, paths, files: paths.map((file) => access.fileNumber(file)), extents: extentsOf(metadata) };
}

/** What metadata import counts whether or not they are metadata. */
async function readOrReport(
  bytes: Uint8Array,
  imports: FileImports,
  path: string,
  access: FileSetAccess,
): Promise<DistributedMetadata> {
  try {
    return readDistributedMetadata(bytes);
  } catch (error) {
    await access.turn();
    await imports.report(access.sinkOf(path));
    throw error;
  }
}

/** torch stops at the end of the pickle: what follows is read by none of its loaders. */
function noteTail(path: string, endBytes: number, bytes: number, access: FileSetAccess): void {
  if (endBytes >= bytes) return;
  const sink = access.sinkOf(path);
  sink.unexplained(endBytes, bytes - endBytes);
  sink.finding({ code: 'pickle-followed-by-bytes', offset: endBytes, facts: { bytes: bytes - endBytes } });
}

function extentsOf({ files, items }: DistributedMetadata): FileExtent[] {
  const extents = files.map((): FileExtent => ({ end: 0, isFirstCompressed: false, isLastCompressed: false }));
  for (let item = 0; item < items.file.length; item++) {
    const extent = extents[items.file.at(item)] as FileExtent;
    const offset = items.offset.at(item);
    if (offset === 0) extent.isFirstCompressed = items.transforms.has(item);
    if (offset + items.length.at(item) < extent.end) continue;
    extent.end = offset + items.length.at(item);
    extent.isLastCompressed = items.transforms.has(item);
  }
  return extents;
}

function describeFiles(set: FileSet, isUsed: (path: string) => boolean, access: FileSetAccess): void {
  for (const path of set.paths) {
    const rank = rankOfDataFile(path);
    if (path.endsWith('.distcp') && !isUsed(path)) access.describe(path, { role: 'earlier-save', component: 'container' });
    else if (rank !== undefined)
      access.describe(path, { role: 'tensors-and-objects-of-rank', component: 'container', rank: String(rank) });
    else if (path.endsWith('.tmp'))
      access.describe(path, { format: 'pickle', role: 'interrupted-save', component: 'unexplained' });
    else access.describe(path, { format: 'pickle', role: 'tensor-and-object-index', component: 'container' });
  }
}

function noteEdges(edges: readonly DamagedEdge[], access: FileSetAccess): void {
  for (const { path, offset, isZero } of edges) {
    const { sizeBytes = 0 } = access.entry(path) ?? {};
    access
      .sinkOf(path)
      .finding(
        isZero
          ? { code: 'file-zero-filled', offset, facts: { bytes: sizeBytes } }
          : { code: 'header-corrupt', offset, facts: { detail: 'no archive of torch.save begins or ends here' } },
      );
  }
}

/** What is in place of data that no index describes, by path. */
async function findImpostors({ paths }: FileSet, access: FileSetAccess): Promise<[string, FormatError][]> {
  const found: [string, FormatError][] = [];
  for (const path of paths.slice(0, limits.sniffedFiles)) {
    try {
      await access.withSource(path, (source) => refuseImpostor(source, access.signal));
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      found.push([path, error]);
    }
  }
  return found;
}

/** `.metadata` is written last, and renamed from `.metadata.tmp`: without it nothing can be loaded. */
function noteUnfinished(set: FileSet, access: FileSetAccess): void {
  const marker = set.paths[0] as string;
  for (const path of set.paths) access.describe(path, { component: 'unexplained' });
  access.sinkOf(marker).finding({
    code: 'save-unfinished',
    facts: { detail: `${joinPath(set.root, '.metadata')}, which torch writes last, is missing` },
  });
}

/** Adds every tensor once with its global shape. Ranks that wrote metadata of their own share tensors, each with its own chunks. */
function addTensors(saved: readonly Saved[], access: FileSetAccess): void {
  const done = new Set<string>();
  saved.forEach((first, position) => {
    const sink = access.sinkOf(first.path);
    for (const entry of first.metadata.entries) {
      if (entry.tensor === undefined || done.has(entry.name)) continue;
      const shares = [{ saved: first, entry }];
      if (saved.length > 1) {
        done.add(entry.name);
        for (const other of saved.slice(position + 1)) {
          const same = entryNamed(other.metadata, entry.name);
          if (same?.tensor !== undefined) shares.push({ saved: other, entry: same });
        }
      }
      addTensor(shares, sink);
    }
  });
}

const namesOf = new WeakMap<DistributedMetadata, Map<string, DistributedEntry>>();

function entryNamed(metadata: DistributedMetadata, name: string): DistributedEntry | undefined {
  let names = namesOf.get(metadata);
  if (names === undefined) {
    names = new Map(metadata.entries.map((entry) => [entry.name, entry]));
    namesOf.set(metadata, names);
  }
  return names.get(name);
}

interface Share {
  saved: Saved;
  entry: DistributedEntry;
}

function addTensor(shares: readonly Share[], sink: FileSink): void {
  const [{ entry }] = shares as [Share];
  const { dtype, shape } = entry.tensor as NonNullable<DistributedEntry['tensor']>;
  const pieces: FoundPiece[] = [];
  let coveredElements = 0;
  for (const { saved, entry: own } of shares) {
    coveredElements += chunkElements(saved.metadata, own);
    for (const item of own.items) addPiece(saved, own.name, dtype, item, pieces, sink);
  }
  const elements = elementCount(shape);
  const bytes = elements === undefined ? undefined : bytesOfElements(dtype, elements);
  if (elements === undefined) sink.finding({ code: 'tensor-shape-overflow', facts: { tensor: entry.name } });
  else if (bytes === undefined) sink.finding({ code: 'dtype-unknown', facts: { dtype } });
  else if (coveredElements < elements) {
    sink.finding({
      code: 'tensor-chunks-missing',
      facts: { tensor: entry.name, elements, covered: coveredElements },
    });
  }
  const isOrdered = pieces.length > 1 && shares.length === 1 && sortRows(shares[0] as Share, shape, pieces);
  const rank = shape.slice(0, limits.tensorRank);
  const stored = pieces.reduce((sum, piece) => sum + (piece.logicalBytes ?? piece.bytes), 0);
  sink.tensor({
    keyPath: entry.keyPath,
    dtype,
    shape: rank,
    bytes: bytes ?? stored,
    pieces,
    ...(isOrdered && { extra: inOrder }),
  });
}

/** One object for all tensors that are cut along their first axis: nearly all of sharded saves are. */
const inOrder = { arePiecesInOrder: true } as const;

/**
 * Puts the pieces of a tensor that is cut along its first axis alone in the order of its rows. Answers whether they are whole rows, one after the other,
 * and all of them.
 */
function sortRows({ saved: { metadata }, entry }: Share, shape: readonly number[], pieces: FoundPiece[]): boolean {
  const { chunks, items } = metadata;
  if (entry.items.length !== pieces.length) return false;
  const rowElements = shape.slice(1).reduce((product, size) => product * size, 1);
  const parts = entry.items.map((item, at) => {
    const chunk = items.chunk.at(item);
    const isCut = chunk === -1 || shape.some((_, axis) => axis > 0 && chunks.offsetOf(chunk, axis) !== 0);
    const elements = isCut ? undefined : chunks.elementsOf(chunk);
    return { piece: pieces[at] as FoundPiece, row: isCut ? -1 : chunks.offsetOf(chunk, 0), elements };
  });
  parts.sort((a, b) => a.row - b.row);
  let row = 0;
  for (const part of parts) {
    if (part.elements === undefined || part.row !== row) return false;
    row += part.elements / rowElements;
  }
  if (row !== shape[0]) return false;
  parts.forEach(({ piece }, at) => (pieces[at] = piece));
  return true;
}

function chunkElements(metadata: DistributedMetadata, { tensor }: DistributedEntry): number {
  return (tensor?.chunks ?? []).reduce((sum, chunk) => sum + (metadata.chunks.elementsOf(chunk) ?? 0), 0);
}

/** The stretch of an item that holds the chunk's payload; the archive around it is framing. */
function addPiece(saved: Saved, name: string, dtype: string, item: number, pieces: FoundPiece[], sink: FileSink): void {
  const { chunks, items } = saved.metadata;
  const file = saved.files[items.file.at(item)];
  const length = items.length.at(item);
  const chunk = items.chunk.at(item);
  const elements = chunk === -1 ? undefined : chunks.elementsOf(chunk);
  const payload = elements === undefined ? undefined : bytesOfElements(dtype, elements);
  if (file === undefined) return;
  const offset = items.offset.at(item);
  if (items.transforms.has(item)) {
    pieces.push({ file, offset, bytes: length, logicalBytes: payload ?? length });
    return;
  }
  if (payload !== undefined && payload > length)
    sink.finding({ code: 'tensor-size-mismatch', facts: { tensor: name, bytes: length, expectedBytes: payload } });
  pieces.push({ file, offset, bytes: Math.min(payload ?? length, length) });
}

/** Every stored object belongs to the component that its name says, archive and all. */
function claimObjects(saved: readonly Saved[], access: FileSetAccess): void {
  for (const { metadata, paths, files } of saved) {
    for (const { items, keyPath, tensor } of metadata.entries) {
      if (tensor !== undefined) continue;
      for (const item of items) {
        const file = metadata.items.file.at(item);
        if (files[file] === undefined) continue;
        const sink = access.sinkOf(paths[file] as string);
        const offset = metadata.items.offset.at(item);
        sink.claim(offset, metadata.items.length.at(item), componentOfObject(keyPath));
      }
    }
  }
}

function checkFiles(set: FileSet, saved: readonly Saved[], access: FileSetAccess): void {
  const ends = new Map<string, number>();
  const missing = new Set<string>();
  for (const { metadata, paths, files, extents } of saved) {
    paths.forEach((path, file) => {
      if (files[file] === undefined) missing.add(path);
      else ends.set(path, Math.max(ends.get(path) ?? 0, extents[file]?.end ?? 0));
    });
    if (metadata.orphans > 0)
      access.sinkOf(set.paths[0] as string).finding({ code: 'metadata-incomplete', facts: { items: metadata.orphans } });
  }
  for (const [path, end] of ends) checkLength(path, end, access);
  if (missing.size > 0) {
    const facts = { ...ranksOfFiles(missing, ends.keys()), first: [...missing].slice(0, 5).join(', ') };
    access.sinkOf(set.paths[0] as string).finding({ code: 'rank-file-missing', facts });
  }
  noteStale(set, (path) => ends.has(path), access);
}

/** Whose files are missing, of how many ranks. A rank may write several; a file without the number of a rank counts as one of its own. */
function ranksOfFiles(
  missing: ReadonlySet<string>,
  present: Iterable<string>,
): { files: number; ranks: number; worldSize: number } {
  const absent = new Set([...missing].map((path) => rankOfDataFile(path) ?? path));
  const all = new Set([...present, ...missing].map((path) => rankOfDataFile(path) ?? path));
  let worldSize = all.size;
  // Ranks that had nothing to write have no file.
  for (const rank of all) if (typeof rank === 'number') worldSize = Math.max(worldSize, rank + 1);
  return { files: missing.size, ranks: absent.size, worldSize };
}

/** Items lie one after the other, so that the last one ends where the file does. */
function checkLength(path: string, end: number, access: FileSetAccess): void {
  const sizeBytes = access.entry(path)?.sizeBytes ?? 0;
  if (sizeBytes < end)
    access.sinkOf(path).finding({
      code: 'file-truncated',
      offset: sizeBytes,
      facts: { bytes: sizeBytes, expectedBytes: end, declaredBy: 'index' },
    });
  if (sizeBytes > end) {
    const sink = access.sinkOf(path);
    sink.unexplained(end, sizeBytes - end);
    sink.finding({ code: 'file-too-long', offset: end, facts: { bytes: sizeBytes, expectedBytes: end, declaredBy: 'index' } });
  }
}

/** DCP never deletes: a save by fewer ranks into the same directory leaves the files of the others. */
function noteStale(set: FileSet, isUsed: (path: string) => boolean, access: FileSetAccess): void {
  const stale = set.paths.filter((path) => path.endsWith('.distcp') && !isUsed(path));
  const bytes = stale.reduce((sum, path) => sum + (access.entry(path)?.sizeBytes ?? 0), 0);
  if (bytes > 0) {
    access.sinkOf(stale[0] as string).finding({
      code: 'stale-files',
      facts: { files: stale.length, bytes, first: stale.slice(0, 5).map(baseName).join(', '), refusedBy: null },
    });
  }
}
