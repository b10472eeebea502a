/**
 * Objects in files of torch.distributed.checkpoint: counters, schedulers, random state, loader positions. Each is a small torch.save
 * archive between the tensors; they are metadata, and are read as far as they are small or have headers of their own.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { memorySource } from '../../bytes/memorySource.js';
import { sliceSource } from '../../bytes/sliceSource.js';
import { decompressZstd } from '../../bytes/zstd.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import type { FileSink } from '../../formats/sink/fileSink.js';
import { sinkWith } from '../../formats/sink/sinkWith.js';
import { nestedSink } from '../../formats/sink/nestedSink.js';
import type { DistributedEntry } from '../../formats/torch/distributedMetadata.js';
import { PickleDict } from '../../formats/pickle/pickleValue.js';
import { readTorchFile } from '../../formats/torch/torchFile.js';
import type { ComponentId } from '../../tensors/component.js';
import { componentOfStateKey } from '../../tensors/stateKeys.js';
import type { Saved } from './distributedSave.js';
import type { FileSetAccess } from './fileSet.js';
import { runOrdered } from '../../files/orderedPool.js';

/** The component of a stored object, by the keys that lead to it. */
export function componentOfObject(keyPath: readonly string[]): ComponentId {
  const keys = keyPath.flatMap((key) => key.split(/[./]/));
  for (const key of keys) {
    const component = componentOfStateKey(key);
    if (component !== undefined && component !== 'weights') return component;
    if (key === 'param_groups') return 'optimizer';
  }
  return keys.at(-1) === '_extra_state' || keys.includes('_extra_state') ? 'weights' : 'trainerState';
}

/** A stored object whose archive is worth reading. */
interface StoredObject {
  entry: DistributedEntry;
  path: string;
  offset: number;
  bytes: number;
  /** The archive is in a Zstandard frame. */
  isCompressed: boolean;
}

/** A stretch of a file in which several objects lie, read at once. */
interface Run {
  path: string;
  start: number;
  end: number;
  objects: StoredObject[];
}

export interface FetchedRun extends Run {
  data: Uint8Array;
}

/** Larger gaps between two objects are not read over. */
const MAX_GAP_BYTES = 4 * 1024;
const MAX_RUN_BYTES = 1024 * 1024;

/** Reads the small objects of each metadata file, neighbours together. */
export async function fetchObjects(saved: readonly Saved[], access: FileSetAccess): Promise<FetchedRun[][]> {
  const fetched: FetchedRun[][] = saved.map(() => []);
  const runs = saved.flatMap((one, index) =>
    runsOf(objectsWorthReading(one).filter(({ bytes }) => bytes <= limits.metadataPayloadBytes)).map((run) => ({ run, index })),
  );
  await runOrdered(runs, limits.concurrentReads, async ({ run, index }, _, turn) => {
    const isThere = run.end <= (access.entry(run.path)?.sizeBytes ?? 0);
    if (!isThere) return turn();
    const read = access.read(run.path, run.start, run.end - run.start);
    await read.catch(() => undefined);
    await turn();
    await access.guard(run.path, async () => void fetched[index]?.push({ ...run, data: await read }));
  });
  return fetched;
}

/**
 * Objects of a save. Optimizers repeat the settings of each parameter: one of each key is enough, and a job with a million parameters
 * has more of them than are worth reading.
 */
function objectsWorthReading(saved: Saved): StoredObject[] {
  return storedObjectsOf(saved).worthReading;
}

interface StoredObjects {
  worthReading: StoredObject[];
  /** Settings that are like one which is read, and objects beyond the bound: their imports are listed all the same. */
  others: StoredObject[];
}

function storedObjectsOf({ metadata, paths, files }: Saved): StoredObjects {
  const settings = new Set<string>();
  const objects: StoredObjects = { worthReading: [], others: [] };
  let bytes = 0;
  for (const entry of metadata.entries) {
    const [item] = entry.items;
    if (entry.tensor !== undefined || item === undefined || !isReadable(metadata.items.transforms.get(item))) continue;
    const isRepeated = isRepeatedSetting(entry, settings);
    const file = metadata.items.file.at(item);
    const length = metadata.items.length.at(item);
    if (!isRepeated) bytes += Math.min(length, limits.metadataPayloadBytes);
    if (files[file] === undefined) continue;
    (isRepeated || bytes > limits.storedObjectsBytes ? objects.others : objects.worthReading).push({
      entry,
      path: paths[file] as string,
      offset: metadata.items.offset.at(item),
      bytes: length,
      isCompressed: metadata.items.transforms.has(item),
    });
  }
  return objects;
}

/** Notes the key of a setting of an optimizer's group; true where another group had it. */
function isRepeatedSetting({ keyPath }: DistributedEntry, settings: Set<string>): boolean {
  if (!keyPath.some((key) => key.includes('param_groups'))) return false;
  const key = keyPath.at(-1)?.split('.').at(-1) ?? '';
  if (settings.has(key)) return true;
  settings.add(key);
  return false;
}

/**
 * Lists what objects import that are not read for their values, by file. Neighbours are read together, up to `limits.storedObjectsBytes`; the
 * others are noted.
 */
export async function scanOtherObjects(saved: readonly Saved[], access: FileSetAccess): Promise<Map<string, FileImports>> {
  const found = new Map<string, FileImports>();
  const importsOf = (path: string): FileImports => {
    const imports = found.get(path) ?? new FileImports(access);
    found.set(path, imports);
    return imports;
  };
  let bytes = 0;
  for (const one of saved) {
    const others = storedObjectsOf(one).others.filter(
      ({ path, offset, bytes: length }) => offset + length <= (access.entry(path)?.sizeBytes ?? 0),
    );
    for (const run of runsOf(others)) {
      bytes += run.end - run.start;
      if (bytes > limits.storedObjectsBytes) {
        const left = run.objects.reduce((sum, object) => sum + object.bytes, 0);
        importsOf(run.path).leaveOut('stored objects', left, 'more than are read', run.start);
        continue;
      }
      await access.guard(run.path, () => scanRun(run, access, importsOf(run.path)));
    }
  }
  return found;
}

async function scanRun(run: Run, access: FileSetAccess, imports: FileImports): Promise<void> {
  const data = await access.read(run.path, run.start, run.end - run.start);
  for (const { entry, offset, bytes, isCompressed } of run.objects) {
    const part = data.subarray(offset - run.start, offset - run.start + bytes);
    await imports.scanContent(isCompressed ? unpacked(part) : part, entry.name, isCompressed ? undefined : offset);
  }
}

/** Nothing where the frame is damaged. */
function unpacked(frame: Uint8Array): Uint8Array {
  try {
    return decompressZstd(frame, limits.metadataPayloadBytes * 4);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return new Uint8Array(0);
  }
}

/** Zstandard is the one transform that torch has; what another extension did to the bytes is not known. */
function isReadable(transforms: readonly string[] | undefined): boolean {
  return transforms === undefined || (transforms.length === 1 && transforms[0]?.startsWith('stream.zstd') === true);
}

function runsOf(objects: readonly StoredObject[]): Run[] {
  const sorted = [...objects].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.offset - b.offset));
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const object of sorted) {
    const end = object.offset + object.bytes;
    if (run?.path !== object.path || object.offset > run.end + MAX_GAP_BYTES || end > run.start + MAX_RUN_BYTES) {
      run = { path: object.path, start: object.offset, end, objects: [] };
      runs.push(run);
    }
    run.end = Math.max(run.end, end);
    run.objects.push(object);
  }
  return runs;
}

/** Puts what was read of one metadata file's objects in, as one object with their names as keys. */
export async function addObjects(saved: Saved, runs: readonly FetchedRun[], access: FileSetAccess): Promise<void> {
  const values = new PickleDict();
  for (const run of runs) {
    for (const object of run.objects) {
      const data = run.data.subarray(object.offset - run.start, object.offset - run.start + object.bytes);
      const sink = access.sinkOf(object.path);
      if (object.isCompressed) await addCompressed(data, object, values, sink);
      else
        await addArchive(
          memorySource(object.path, data),
          object.entry.name,
          values,
          nestedSink(sink, object.offset, object.entry.keyPath),
        );
    }
  }
  for (const object of objectsWorthReading(saved)) {
    if (object.bytes <= limits.metadataPayloadBytes || object.isCompressed) continue;
    const sizeBytes = access.entry(object.path)?.sizeBytes ?? 0;
    if (object.offset + object.bytes > sizeBytes) continue;
    const sink = nestedSink(access.sinkOf(object.path), object.offset, object.entry.keyPath);
    await access.guard(object.path, () =>
      access.withSource(object.path, (source) =>
        addArchive(sliceSource(source, object.offset, object.bytes), object.entry.name, values, sink),
      ),
    );
  }
  if (values.keys.length > 0) access.sinkOf(saved.path).object(values);
}

/** An archive in a Zstandard frame: what lies inside of it has no place of its own in the file. */
async function addCompressed(data: Uint8Array, object: StoredObject, values: PickleDict, sink: FileSink): Promise<void> {
  const inner = sinkWith(nestedSink(sink, object.offset, object.entry.keyPath), {
    tensor(tensor) {
      const pieces = tensor.pieces.map(({ bytes }) => ({ offset: object.offset, bytes: 0, logicalBytes: bytes }));
      sink.tensor({ ...tensor, keyPath: [...object.entry.keyPath, ...tensor.keyPath], pieces });
    },
    claim: () => undefined,
    unexplained: () => undefined,
  });
  let archive: Uint8Array;
  try {
    archive = decompressZstd(data, limits.metadataPayloadBytes * 4);
  } catch (error) {
    noteDamage(error, object.entry.name, inner);
    return;
  }
  await addArchive(memorySource(object.path, archive), object.entry.name, values, inner);
}

/** Reads one archive: its tensors are listed below its name, its value is kept under it. */
async function addArchive(source: ByteSource, name: string, values: PickleDict, sink: FileSink): Promise<void> {
  try {
    const inner = sinkWith(sink, {
      object(root) {
        values.keys.push(name);
        values.values.push(root);
      },
      metadata: () => undefined,
    });
    await readTorchFile(source, inner);
  } catch (error) {
    noteDamage(error, name, sink);
  }
}

function noteDamage(error: unknown, name: string, sink: FileSink): void {
  if (!FormatError.is(error) || error.code === 'cancelled') throw error;
  sink.finding({ code: 'header-corrupt', offset: error.offset ?? 0, facts: { detail: `${name}: ${error.detail}` } });
}
