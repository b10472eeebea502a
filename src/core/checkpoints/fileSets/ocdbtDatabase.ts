/**
 * OCDBT databases in a directory: `manifest.ocdbt` and the data files that it leads to. Each process of an Orbax save writes one of its
 * own, `ocdbt.process_<n>/`, and the last step of the save merges them by a database above them whose tree refers to their files
 * (orbax/checkpoint/_src/serialization/ocdbt_utils.py). Where that one is missing, those of the processes are read instead.
 */
import { appendAll } from '../../bytes/appendAll.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import { MANIFEST_NAME, readOcdbt } from '../../formats/ocdbt/ocdbt.js';
import { StoredArrays, type Extents, type StoredArray, type StoredValue } from '../../formats/ocdbt/storedArrays.js';
import type { FileSet, FileSetAccess, FileSetFormat } from './fileSet.js';
import type { Listing } from '../../files/listing.js';
import { addZarrTensor, noteArrayFailure, type ChunkPiece } from './zarrTensor.js';

const manifestName = /^manifest\.(ocdbt|[0-9a-f]{16})$/;
const dataName = /^[0-9a-f]{32}$/;
/** `d`, or two where values and nodes are stored apart. */
const dataDirectory = /^(d|ocdbt_data|ocdbt_meta)$/;
const processDirectory = /^ocdbt\.process_(.+)$/s;

export const ocdbtDatabase: FileSetFormat = {
  id: 'ocdbt',
  checks: 'OCDBT: manifest, tree, extents of values in the data files',
  find: findDatabases,
  async read(set, access) {
    const reading = new DatabaseReading(set, access);
    await reading.readEntries();
    await reading.readMetadata();
    await access.turn();
    reading.list();
  },
};

/** Directories that hold a database, with those of processes below them. */
function findDatabases(listing: Listing): FileSet[] {
  const found = new Map<string, { manifests: string[]; data: string[] }>();
  for (const [directory, paths] of listing.directories) {
    const isData = dataDirectory.test(baseName(directory));
    const own = paths.filter((path) => (isData ? dataName : manifestName).test(baseName(path)));
    if (own.length === 0) continue;
    const root = rootOf(isData ? parentPath(directory) : directory);
    const database = found.get(root) ?? { manifests: [], data: [] };
    found.set(root, database);
    appendAll(isData ? database.data : database.manifests, own);
  }
  return [...found].flatMap(([root, { manifests, data }]): FileSet[] => {
    if (!manifests.some((path) => baseName(path) === MANIFEST_NAME)) return [];
    const top = joinPath(root, MANIFEST_NAME);
    const marker = manifests.includes(top) ? top : (manifests.find((path) => baseName(path) === MANIFEST_NAME) as string);
    return [{ root, paths: [marker, ...manifests.filter((path) => path !== marker), ...data] }];
  });
}

function rootOf(directory: string): string {
  return processDirectory.test(baseName(directory)) ? parentPath(directory) : directory;
}

/** What is wrong with a file, gathered so that a missing file is one finding and not one for each value in it. */
interface FileTrouble {
  isMissing: boolean;
  values: number;
  /** Where the last value should end. */
  endBytes: number;
}

class DatabaseReading {
  private readonly arrays = new StoredArrays();
  private stored: StoredArray[] = [];
  private readonly metadata = new Map<string, Uint8Array | FormatError>();
  private readonly damaged: { path: string; error: FormatError }[] = [];
  private readonly trouble = new Map<string, FileTrouble>();
  private readonly used = new Set<string>();
  /** The file of the last read: what an error of it is about. */
  private lastRead: string | undefined;
  private readonly isMerged: boolean;
  /** By the directory of their database. */
  private readonly numberedManifests = new Map<string, string[]>();

  constructor(
    private readonly set: FileSet,
    private readonly access: FileSetAccess,
  ) {
    this.isMerged = set.paths[0] === joinPath(set.root, MANIFEST_NAME);
    for (const path of set.paths) {
      const name = baseName(path);
      if (!manifestName.test(name) || name === MANIFEST_NAME) continue;
      const directory = parentPath(path);
      const names = this.numberedManifests.get(directory);
      if (names === undefined) this.numberedManifests.set(directory, [name]);
      else names.push(name);
    }
  }

  /** Reads manifests and nodes: those of the processes where the merged tree is not there. @throws FormatError for a damaged manifest */
  async readEntries(): Promise<void> {
    if (this.isMerged) await this.readMerged();
    this.stored = this.arrays.finish();
    if (this.stored.length > 0 || (this.isMerged && this.trouble.size + this.damaged.length === 0)) return;
    const manifests = this.set.paths.filter((path) => baseName(path) === MANIFEST_NAME && parentPath(path) !== this.set.root);
    for (const path of manifests) {
      try {
        await this.readDatabase(parentPath(path));
      } catch (error) {
        if (!FormatError.is(error) || error.code === 'cancelled') throw error;
        this.damaged.push({ path: this.lastRead ?? path, error });
      }
    }
    this.stored = this.arrays.finish();
  }

  /** Damage of a numbered manifest is that file's. */
  private async readMerged(): Promise<void> {
    try {
      await this.readDatabase(this.set.root);
    } catch (error) {
      const path = this.lastRead ?? '';
      if (!FormatError.is(error) || error.code === 'cancelled' || baseName(path) === MANIFEST_NAME) throw error;
      this.damaged.push({ path, error });
    }
  }

  private async readDatabase(root: string): Promise<void> {
    const { access, used } = this;
    // The paths of entries are below the directory of their database; those of pieces are below the listing's. They are few.
    const paths = new Map<string, string>();
    const pathOf = (path: string): string => {
      const known = paths.get(path) ?? joinPath(root, path);
      paths.set(path, known);
      return known;
    };
    await readOcdbt(
      {
        sizeOf: (path) => access.entry(pathOf(path))?.sizeBytes,
        read: (path, offset, length) => {
          used.add(pathOf(path));
          this.lastRead = pathOf(path);
          return access.read(pathOf(path), offset, length);
        },
        numberedManifests: this.numberedManifests.get(root) ?? [],
      },
      (entry) => {
        entry.path = pathOf(entry.path);
        this.arrays.add(entry);
      },
      (path, error) => {
        if (error === undefined) this.noteValue(pathOf(path), undefined, 0);
        else this.damaged.push({ path: pathOf(path), error });
      },
    );
  }

  /** Reads the arrays' metadata that are not inline. Damage of one is kept for when it is listed. */
  async readMetadata(): Promise<void> {
    for (const { name, metadata } of this.stored) {
      try {
        this.metadata.set(name, await this.valueOf(metadata));
      } catch (error) {
        if (!FormatError.is(error) || error.code === 'cancelled') throw error;
        this.metadata.set(name, error);
      }
    }
  }

  private async valueOf({ path, offset, bytes, inline }: StoredValue): Promise<Uint8Array> {
    if (inline !== undefined) return inline;
    if (bytes > limits.metadataPayloadBytes) throw new FormatError('limit-exceeded', `the metadata take ${bytes} bytes`);
    return this.access.read(path, offset, bytes);
  }

  /** Puts everything in: tensors, what the files are, findings. */
  list(): void {
    const sink = this.access.sinkOf(this.set.paths[0] as string);
    if (!this.isMerged)
      sink.finding({ code: 'database-manifest-missing', facts: { file: joinPath(this.set.root, MANIFEST_NAME) } });
    for (const array of this.stored) {
      noteArrayFailure(sink, array.name, () => {
        this.listArray(sink, array);
      });
    }
    this.arrays.others.each((path, offset, bytes) => {
      this.used.add(path);
      if (this.access.fileNumber(path) !== undefined) this.access.sinkOf(path).unexplained(offset, bytes);
    });
    this.noteTrouble(sink);
    this.describeFiles();
  }

  private listArray(sink: FileSink, { name, chunks }: StoredArray): void {
    const metadata = this.metadata.get(name);
    if (metadata instanceof FormatError) throw metadata;
    addZarrTensor(sink, [name], metadata as Uint8Array, {
      pieces: this.piecesOf(chunks),
      count: chunks.count,
      bytes: chunks.valueBytes,
      hasInline: chunks.hasInline,
    });
  }

  private piecesOf(chunks: Extents): ChunkPiece[] {
    const pieces: ChunkPiece[] = [];
    chunks.each((path, offset, bytes) => {
      const file = this.access.fileNumber(path);
      this.used.add(path);
      this.noteValue(path, file === undefined ? undefined : this.access.entry(path)?.sizeBytes, offset + bytes);
      if (file !== undefined) pieces.push({ file, offset, bytes, logicalBytes: 0 });
    });
    return pieces;
  }

  /** Remembers a value that does not lie in its file. */
  private noteValue(path: string, fileBytes: number | undefined, endBytes: number): void {
    if (fileBytes !== undefined && endBytes <= fileBytes) return;
    const trouble = this.trouble.get(path) ?? { isMissing: fileBytes === undefined, values: 0, endBytes: 0 };
    this.trouble.set(path, trouble);
    trouble.values += 1;
    trouble.endBytes = Math.max(trouble.endBytes, endBytes);
  }

  private noteTrouble(sink: FileSink): void {
    for (const { path, error } of this.damaged)
      this.access
        .sinkOf(path)
        .finding({ code: 'database-node-damaged', offset: error.offset ?? 0, facts: { detail: error.detail } });
    for (const [path, { isMissing, values, endBytes }] of this.trouble) {
      if (isMissing) sink.finding({ code: 'database-file-missing', facts: { file: path, values } });
      else {
        const bytes = this.access.entry(path)?.sizeBytes ?? 0;
        this.access
          .sinkOf(path)
          .finding({ code: 'file-truncated', offset: bytes, facts: { expectedBytes: endBytes, bytes, declaredBy: 'database' } });
      }
    }
  }

  private describeFiles(): void {
    for (const path of this.set.paths) {
      const rank = processDirectory.exec(baseName(this.databaseOf(path)))?.[1];
      const isManifest = manifestName.test(baseName(path));
      const role = isManifest ? 'manifest' : this.used.has(path) ? 'array-data' : 'superseded-data';
      this.access.describe(path, { role, component: 'container', ...(rank === undefined ? {} : { rank }) });
    }
  }

  private databaseOf(path: string): string {
    const directory = parentPath(path);
    return dataDirectory.test(baseName(directory)) && dataName.test(baseName(path)) ? parentPath(directory) : directory;
  }
}
