/** Snapshots of torchsnapshot as file sets: the manifest, and the files that its entries name. */
import { elementCount } from '../../bytes/checkedInteger.js';
import { OtherSpellings } from '../../files/otherSpellings.js';
import { isSafeFileName, joinPath, parentPath } from '../../files/paths.js';
import { classify, type FoundPiece } from '../../formats/sink/fileSink.js';
import {
  parseSnapshotManifest,
  type SnapshotExtent,
  type SnapshotManifest,
  type SnapshotTensor,
} from '../../formats/torch/snapshotManifest.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import type { FileSet, FileSetAccess, FileSetFormat } from './fileSet.js';
import { respelledFindings } from '../respelledFiles.js';
import type { Listing } from '../../files/listing.js';

export const SNAPSHOT_MANIFEST = '.snapshot_metadata';

export const snapshotFiles: FileSetFormat = {
  id: 'torchsnapshot',
  checks: 'torchsnapshot: manifest against the data files and their sizes',
  find(listing) {
    const sets = new Map<string, string[]>();
    for (const [root, paths] of listing.directories) {
      const manifest = joinPath(root, SNAPSHOT_MANIFEST);
      if (paths.includes(manifest)) sets.set(root, [manifest]);
    }
    if (sets.size > 0) addFiles(sets, listing);
    return [...sets].map(([root, paths]): FileSet => ({ root, paths }));
  },
  async read(set, access) {
    const path = set.paths[0] as string;
    access.describe(path, { role: 'manifest', component: 'container' });
    const manifest = await parseSnapshotManifest(await access.read(path, 0, access.entry(path)?.sizeBytes ?? 0));
    await access.turn();
    const sink = access.sinkOf(path);
    sink.metadata('version', manifest.version);
    sink.metadata('worldSize', String(manifest.worldSize));
    const step = stepOf(manifest);
    if (step !== undefined) sink.metadata('step', String(step));
    if (manifest.values.size > 0) sink.json(Object.fromEntries(manifest.values));
    const uses = new Uses(set, access);
    for (const [name, tensor] of mergedTensors(manifest)) addTensor(name, tensor, uses, access.sinkOf(path));
    for (const { keyPath, location } of manifest.objects) {
      const file = uses.whole(location);
      if (file !== undefined) access.describe(file, { role: 'object', component: classify(sink, keyPath).component });
    }
    uses.finish();
  },
};

/** All files below a manifest's directory are the snapshot's. */
function addFiles(sets: Map<string, string[]>, listing: Listing): void {
  for (const { path } of listing.entries) {
    for (let directory = parentPath(path); ; directory = parentPath(directory)) {
      const paths = sets.get(directory);
      if (paths !== undefined && paths[0] !== path) paths.push(path);
      if (paths !== undefined || directory === '') break;
    }
  }
}

const stepKeys = /(^|\.)(global_step|num_steps_completed|steps?|iteration)$/;

function stepOf({ values }: SnapshotManifest): number | undefined {
  for (const [path, value] of values)
    if (stepKeys.test(path) && typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  return undefined;
}

/** Shards of all ranks under the one name of their tensor; what is a rank's own keeps its number. */
function mergedTensors({ tensors, worldSize }: SnapshotManifest): Map<string, SnapshotTensor> {
  const merged = new Map<string, SnapshotTensor>();
  // Ranks repeat what is replicated, and the shards that they share.
  const seen = new Set<string>();
  for (const tensor of tensors) {
    const isOwn = !tensor.isShared && worldSize > 1;
    const name = JSON.stringify(isOwn ? [String(tensor.rank), ...tensor.keyPath] : tensor.keyPath);
    const known = merged.get(name) ?? { ...tensor, extents: [] };
    merged.set(name, known);
    known.shape = known.shape.map((size, index) => Math.max(size, tensor.shape[index] ?? 0));
    for (const extent of tensor.extents) {
      const key = name + extentKey(extent);
      if (!seen.has(key)) known.extents.push(extent);
      seen.add(key);
    }
  }
  return merged;
}

function extentKey({ location, range }: SnapshotExtent): string {
  return JSON.stringify([location, range]);
}

function addTensor(name: string, tensor: SnapshotTensor, uses: Uses, sink: ReturnType<FileSetAccess['sinkOf']>): void {
  const { dtype, shape } = tensor;
  const pieces = tensor.extents.flatMap((extent): FoundPiece[] => {
    const elements = elementCount(extent.shape);
    const wanted = elements === undefined ? undefined : bytesOfElements(dtype, elements);
    return uses.piece(extent, wanted);
  });
  const elements = elementCount(shape);
  const bytes = elements === undefined ? undefined : bytesOfElements(dtype, elements);
  const stored = pieces.reduce((sum, piece) => sum + (piece.logicalBytes ?? piece.bytes), 0);
  sink.tensor({ keyPath: JSON.parse(name) as string[], dtype, shape, bytes: bytes ?? stored, pieces });
}

/** Which stretches of the files the entries name. */
class Uses {
  private readonly ends = new Map<string, number>();
  private readonly missing = new Map<string, number>();
  private readonly spellings = new OtherSpellings(() => this.set.paths);
  private readonly root: string;
  private readonly manifest: string;

  constructor(
    private readonly set: FileSet,
    private readonly access: FileSetAccess,
  ) {
    this.root = set.root;
    this.manifest = set.paths[0] as string;
  }

  /** The stretch of a tensor's part; none where its file is not here. */
  piece({ location, range, serializer }: SnapshotExtent, wanted: number | undefined): FoundPiece[] {
    const path = this.resolve(location);
    const file = path === undefined ? undefined : this.access.fileNumber(path);
    if (path === undefined || file === undefined) return [];
    const [start, end] = range ?? [0, serializer === 'buffer_protocol' && wanted !== undefined ? wanted : this.sizeOf(path)];
    this.ends.set(path, Math.max(this.ends.get(path) ?? 0, end));
    const bytes = end - start;
    if (serializer !== 'buffer_protocol' && wanted !== undefined) return [{ file, offset: start, bytes, logicalBytes: wanted }];
    if (wanted !== undefined && wanted !== bytes)
      this.access
        .sinkOf(this.manifest)
        .finding({ code: 'tensor-size-mismatch', facts: { tensor: location, expectedBytes: wanted, bytes } });
    return [{ file, offset: start, bytes }];
  }

  /** A file that is all one object; answers its path. */
  whole(location: string): string | undefined {
    const path = this.resolve(location);
    if (path !== undefined && this.access.fileNumber(path) !== undefined) this.ends.set(path, this.sizeOf(path));
    return path;
  }

  finish(): void {
    const { access } = this;
    for (const path of this.set.paths.slice(1)) {
      const bytes = this.sizeOf(path);
      const end = this.ends.get(path);
      if (end === undefined) access.describe(path, { role: 'outside-manifest', component: 'unexplained' });
      else if (end > bytes)
        access
          .sinkOf(path)
          .finding({ code: 'file-truncated', offset: bytes, facts: { expectedBytes: end, bytes, declaredBy: 'manifest' } });
      else if (end < bytes) {
        access.sinkOf(path).unexplained(end, bytes - end);
        access
          .sinkOf(path)
          .finding({ code: 'file-too-long', offset: end, facts: { expectedBytes: end, bytes, declaredBy: 'manifest' } });
      }
    }
    for (const finding of respelledFindings(this.spellings)) access.sinkOf(this.manifest).finding(finding);
    for (const [shard, tensors] of this.missing)
      access.sinkOf(this.manifest).finding({ code: 'index-shard-missing', facts: { shard, tensors } });
  }

  private resolve(location: string): string | undefined {
    if (!isSafeFileName(location)) {
      this.access.sinkOf(this.manifest).finding({ code: 'index-path-unsafe', facts: { shard: location } });
      return undefined;
    }
    const named = joinPath(this.root, location);
    const path = this.access.fileNumber(named) === undefined ? (this.spellings.find(named) ?? named) : named;
    if (this.access.fileNumber(path) === undefined) this.missing.set(path, (this.missing.get(path) ?? 0) + 1);
    return path;
  }

  private sizeOf(path: string): number {
    return this.access.entry(path)?.sizeBytes ?? 0;
  }
}
