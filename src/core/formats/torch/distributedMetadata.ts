/**
 * `.metadata` of torch.distributed.checkpoint: which tensors there are, in which chunks they were saved, and in which stretch of
 * which file each chunk lies. A pickle of torch/distributed/checkpoint/metadata.py:
 *
 *   Metadata{ state_dict_metadata: {fqn: TensorStorageMetadata{properties, size, chunks} | BytesStorageMetadata},
 *             planner_data: {fqn: path}, storage_data: {MetadataIndex{fqn, offset, index}: _StorageInfo{relative_path, offset,
 *             length, transform_descriptors}}, storage_meta, version }
 *
 * A large job has millions of chunks, so chunks, indexes and places are kept as columns while the pickle is run.
 */
import { NumberColumn } from '../../bytes/numberColumn.js';
import { FormatError } from '../../bytes/formatError.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import type { FlatState } from '../pickle/flatState.js';
import { entriesOf, itemsOf, member, numbersOf } from '../pickle/pickleAccess.js';
import { runPickle, type PickleOptions } from '../pickle/pickleMachine.js';
import { isPickle } from '../pickle/pickleHead.js';
import { type PickleGlobal, calleeName, globalName, PickleCall, PickleDict, type PickleValue } from '../pickle/pickleValue.js';
import { torchDtype } from './torchTensor.js';

/** A name of the saved state: a tensor, or an object (then without `tensor`). */
export interface DistributedEntry {
  /** Key path joined with dots. */
  name: string;
  keyPath: readonly string[];
  tensor?: { dtype: string; shape: number[]; chunks: readonly number[] };
  /** Rows of `items`, in the order of the file. */
  items: number[];
}

export interface DistributedMetadata {
  version: string | null;
  /** Attributes of the root, as frameworks add their own. */
  attributes: string[];
  entries: DistributedEntry[];
  chunks: ChunkColumns;
  items: ItemColumns;
  /** Paths that items refer to, relative to the directory of the `.metadata`. */
  files: string[];
  /** Where the pickle ends. */
  endBytes: number;
  /** Items that belong to no name. */
  orphans: number;
}

/**
 * Reads a `.metadata`.
 * @throws FormatError `corrupt` or `truncated` for a pickle that does not run, `not-this-format` for one that is something else
 */
export function readDistributedMetadata(bytes: Uint8Array, options: Pick<PickleOptions, 'forget'> = {}): DistributedMetadata {
  if (!isPickle(bytes)) throw new FormatError('not-this-format', 'no pickle', { offset: 0 });
  const collector = new Collector(Math.ceil(bytes.length / CHUNK_BYTES));
  const pickle = runPickle(bytes, 0, {
    ...options,
    collect: (global, value) => collector.collect(global, value),
    collectFlat: { names: columnClasses, collect: (global, state) => collector.collectFlat(global, state) },
  });
  const { root } = pickle;
  if (!(root instanceof PickleCall) || calleeName(root)?.endsWith('.Metadata') !== true)
    throw new FormatError('not-this-format', 'a pickle without the metadata of a distributed checkpoint', { offset: 0 });
  const names = entriesOf(member(root, 'state_dict_metadata'));
  const storage = entriesOf(member(root, 'storage_data'));
  if (names === undefined || storage === undefined)
    throw new FormatError('corrupt', 'state_dict_metadata or storage_data is not there', { offset: 0 });
  const entries = entriesOfNames(names, pathsOf(member(root, 'planner_data')), collector);
  const orphans = assignItems(entries, storage, collector);
  const version = member(root, 'version');
  return {
    version: typeof version === 'string' ? version : null,
    attributes: (entriesOf(root.state)?.keys ?? []).filter((key) => typeof key === 'string'),
    entries,
    chunks: collector.chunks,
    items: collector.items,
    files: collector.items.files,
    endBytes: pickle.end,
    orphans,
  };
}

/** Boxes of tensors: where each begins and how large it is, in all dimensions. */
export class ChunkColumns {
  private readonly starts: NumberColumn;
  private readonly values: NumberColumn;

  /** `expected`: about how many chunks there will be. */
  constructor(expected = 64) {
    this.starts = new NumberColumn(expected + 1);
    this.values = new NumberColumn(expected * 4);
    this.starts.push(0);
  }

  get size(): number {
    return this.starts.length - 1;
  }

  /** Answers the row. */
  add(offsets: readonly number[], sizes: readonly number[]): number {
    for (const offset of offsets) this.values.push(offset);
    for (const size of sizes) this.values.push(size);
    return this.starts.push(this.values.length) - 2;
  }

  /** As `add`, from two ranges of `rank` numbers each. */
  addRanges(numbers: readonly number[], offsets: number, sizes: number, rank: number): number {
    for (let at = offsets; at < offsets + rank; at++) this.values.push(numbers[at] as number);
    for (let at = sizes; at < sizes + rank; at++) this.values.push(numbers[at] as number);
    return this.starts.push(this.values.length) - 2;
  }

  rankOf(row: number): number {
    return (this.starts.at(row + 1) - this.starts.at(row)) / 2;
  }

  offsetOf(row: number, dimension: number): number {
    return this.values.at(this.starts.at(row) + dimension);
  }

  /** Elements of the box; undefined where they cannot be counted exactly. */
  elementsOf(row: number): number | undefined {
    const start = this.starts.at(row);
    const rank = this.rankOf(row);
    let product = 1;
    for (let dimension = 0; dimension < rank; dimension++) product *= this.values.at(start + rank + dimension);
    if (Number.isSafeInteger(product)) return product;
    return elementCount(this.values.slice(start + rank, start + 2 * rank)) ?? undefined;
  }
}

/** Stretches of files: one stored tensor chunk or object each. */
export class ItemColumns {
  readonly files: string[] = [];
  private readonly fileNumbers = new Map<string, number>();
  readonly file: NumberColumn;
  readonly offset: NumberColumn;
  readonly length: NumberColumn;
  /** The chunk that the item holds; -1 where it is an object, or the chunk is not known. */
  readonly chunk: NumberColumn;
  /** Rows of items that a stream transform was applied to, with its names. */
  readonly transforms = new Map<number, string[]>();

  constructor(expected = 64) {
    this.file = new NumberColumn(expected);
    this.offset = new NumberColumn(expected);
    this.length = new NumberColumn(expected);
    this.chunk = new NumberColumn(expected);
  }

  add(path: string, offset: number, length: number): number {
    let file = this.fileNumbers.get(path);
    if (file === undefined) {
      file = this.files.push(path) - 1;
      this.fileNumbers.set(path, file);
    }
    this.offset.push(offset);
    this.length.push(length);
    this.chunk.push(-1);
    return this.file.push(file) - 1;
  }
}

/** Whose item a place holds: a name, the offset of its chunk, and a hint which of the chunks that is (-1 for none). */
class IndexColumns {
  readonly name: string[] = [];
  readonly hint: NumberColumn;
  private readonly starts: NumberColumn;
  private readonly offsets: NumberColumn;

  constructor(expected: number) {
    this.hint = new NumberColumn(expected);
    this.starts = new NumberColumn(expected + 1);
    this.offsets = new NumberColumn(expected * 2);
    this.starts.push(0);
  }

  /** Answers the row. The offset lies in `numbers` from `start` to `end`; an object has none. */
  add(name: string, numbers: readonly number[], start: number, end: number, hint: number): number {
    for (let at = start; at < end; at++) this.offsets.push(numbers[at] as number);
    this.starts.push(this.offsets.length);
    this.hint.push(hint);
    return this.name.push(name) - 1;
  }

  /** True where the row's offset is that of the chunk. */
  isAt(row: number, chunks: ChunkColumns, chunk: number): boolean {
    const start = this.starts.at(row);
    const rank = this.starts.at(row + 1) - start;
    if (rank !== chunks.rankOf(chunk)) return false;
    for (let dimension = 0; dimension < rank; dimension++)
      if (this.offsets.at(start + dimension) !== chunks.offsetOf(chunk, dimension)) return false;
    return true;
  }
}

/** What a chunk takes in the pickle, its index and its place with it: 140 bytes and more. */
const CHUNK_BYTES = 140;

const columnClasses = new Set(['ChunkStorageMetadata', 'MetadataIndex', '_StorageInfo']);

/** Turns the nodes of which there are millions into rows while the pickle runs. A row stands for its node as a plain number. */
class Collector {
  readonly chunks: ChunkColumns;
  readonly items: ItemColumns;
  readonly indexes: IndexColumns;

  constructor(expected: number) {
    this.chunks = new ChunkColumns(expected);
    this.items = new ItemColumns(expected);
    this.indexes = new IndexColumns(expected);
  }

  collect({ module, name }: PickleGlobal, value: PickleValue): PickleValue | undefined {
    if (name === 'Size') return module === 'torch' ? itemsOf(value)?.[0] : undefined;
    if (!(value instanceof PickleDict)) return undefined;
    if (name === 'ChunkStorageMetadata') return this.addChunk(value);
    if (name === 'MetadataIndex') return this.addIndex(value);
    if (name === '_StorageInfo') return this.addItem(value);
    return undefined;
  }

  /** The same from states that were read in one go. */
  collectFlat({ name }: PickleGlobal, state: FlatState): PickleValue | undefined {
    if (name === 'ChunkStorageMetadata') return this.addFlatChunk(state);
    if (name === 'MetadataIndex') return this.addFlatIndex(state);
    const row = (key: string): PickleValue | undefined => state.valueAt(state.indexOf(key));
    // Transforms are a list, which is never flat.
    return this.addItemRow(row('relative_path'), row('offset'), row('length'));
  }

  private addFlatIndex(state: FlatState): number | undefined {
    const name = state.valueAt(state.indexOf('fqn'));
    const hint = state.valueAt(state.indexOf('index'));
    const offset = state.indexOf('offset');
    const start = state.startOf(offset);
    if (start === -1) return this.addIndexRow(name, flatShape(state, offset), hint);
    return typeof name === 'string' ? this.indexes.add(name, state.numbers, start, state.endOf(offset), hintOf(hint)) : undefined;
  }

  private addFlatChunk(state: FlatState): number | undefined {
    const [offsets, sizes] = [state.indexOf('offsets'), state.indexOf('sizes')];
    const [start, from] = [state.startOf(offsets), state.startOf(sizes)];
    if (start === -1 || from === -1) return this.addBox(flatShape(state, offsets), flatShape(state, sizes));
    const rank = state.endOf(offsets) - start;
    return rank === state.endOf(sizes) - from ? this.chunks.addRanges(state.numbers, start, from, rank) : undefined;
  }

  /** The row of a chunk; a node that was shared may have been kept as it was. */
  chunkOf(value: PickleValue): number | undefined {
    return this.rowOf(value, this.chunks.size, (state) => this.addChunk(state));
  }

  itemOf(value: PickleValue | undefined): number | undefined {
    return this.rowOf(value, this.items.file.length, (state) => this.addItem(state));
  }

  indexOf(value: PickleValue): number | undefined {
    return this.rowOf(value, this.indexes.name.length, (state) => this.addIndex(state));
  }

  private rowOf(
    value: PickleValue | undefined,
    size: number,
    add: (state: PickleDict) => number | undefined,
  ): number | undefined {
    if (typeof value === 'number') return Number.isInteger(value) && value >= 0 && value < size ? value : undefined;
    return value instanceof PickleCall && value.state instanceof PickleDict ? add(value.state) : undefined;
  }

  private addChunk(state: PickleDict): number | undefined {
    return this.addBox(sizesOf(state, 'offsets'), sizesOf(state, 'sizes'));
  }

  private addBox(offsets: readonly number[] | undefined, sizes: readonly number[] | undefined): number | undefined {
    return offsets === undefined || offsets.length !== sizes?.length ? undefined : this.chunks.add(offsets, sizes);
  }

  private addIndex(state: PickleDict): number | undefined {
    return this.addIndexRow(valueOf(state, 'fqn'), sizesOf(state, 'offset'), valueOf(state, 'index'));
  }

  private addIndexRow(
    name: PickleValue | undefined,
    offset: readonly number[] | undefined,
    hint: PickleValue | undefined,
  ): number | undefined {
    return typeof name === 'string' ? this.indexes.add(name, offset ?? [], 0, offset?.length ?? 0, hintOf(hint)) : undefined;
  }

  private addItemRow(
    path: PickleValue | undefined,
    offset: PickleValue | undefined,
    length: PickleValue | undefined,
  ): number | undefined {
    return typeof path === 'string' && isSize(offset) && isSize(length) ? this.items.add(path, offset, length) : undefined;
  }

  private addItem(state: PickleDict): number | undefined {
    const row = this.addItemRow(valueOf(state, 'relative_path'), valueOf(state, 'offset'), valueOf(state, 'length'));
    if (row === undefined) return undefined;
    const transforms = itemsOf(valueOf(state, 'transform_descriptors'));
    if (transforms !== undefined && transforms.length > 0) {
      this.items.transforms.set(
        row,
        transforms.filter((item) => typeof item === 'string'),
      );
    }
    return row;
  }
}

/** A shape of a state that was read in one go: its own, or one that the pickle had before. */
function flatShape(state: FlatState, index: number): readonly number[] | undefined {
  const start = state.startOf(index);
  if (start !== -1) return state.numbers.slice(start, state.endOf(index));
  const items = itemsOf(state.valueAt(index));
  return items?.every(isSize) === true ? items : undefined;
}

function valueOf(state: PickleDict, key: string): PickleValue | undefined {
  const index = state.keys.indexOf(key);
  return index === -1 ? undefined : state.values[index];
}

/** A shape or an offset: whole numbers that are not negative. */
function sizesOf(state: PickleDict, key: string): readonly number[] | undefined {
  const items = itemsOf(valueOf(state, key));
  return items?.every(isSize) === true ? items : undefined;
}

function isSize(value: PickleValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Key paths by name, as the planner flattened them: `('optimizer', 'state', 'layers.0.w', 'exp_avg')`. */
function pathsOf(plannerData: PickleValue | undefined): (name: string) => readonly string[] {
  const dict = entriesOf(plannerData);
  const paths = new Map<string, readonly string[]>();
  dict?.keys.forEach((key, index) => {
    const path = itemsOf(dict.values[index]);
    if (typeof key === 'string' && path !== undefined && path.length > 0) paths.set(key, path.map(String));
  });
  return (name) => paths.get(name) ?? name.split('.');
}

function entriesOfNames(
  names: PickleDict,
  pathOf: (name: string) => readonly string[],
  collector: Collector,
): DistributedEntry[] {
  const entries: DistributedEntry[] = [];
  names.keys.forEach((key, index) => {
    if (typeof key !== 'string') return;
    const tensor = tensorIn(names.values[index] as PickleValue, collector);
    entries.push({ name: key, keyPath: pathOf(key), items: [], ...(tensor === undefined ? {} : { tensor }) });
  });
  return entries;
}

function tensorIn(value: PickleValue, collector: Collector): DistributedEntry['tensor'] {
  const chunks = itemsOf(member(value, 'chunks'));
  const shape = numbersOf(member(value, 'size'));
  if (chunks === undefined || shape?.every(isSize) !== true) return undefined;
  const rows = chunks.map((chunk) => collector.chunkOf(chunk)).filter((row) => row !== undefined);
  return { dtype: dtypeOf(member(value, 'properties')), shape, chunks: rows };
}

/** The state of TensorProperties is a tuple that begins with the dtype; before torch 2.1 it was a dict. */
function dtypeOf(properties: PickleValue | undefined): string {
  const state = properties instanceof PickleCall ? properties.state : undefined;
  const name = globalName(itemsOf(state)?.[0] ?? member(properties, 'dtype'));
  return name?.startsWith('torch.') === true ? torchDtype(name) : 'unknown';
}

/** Puts every item to its name and its chunk; answers how many have no name. */
function assignItems(entries: readonly DistributedEntry[], storage: PickleDict, collector: Collector): number {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  let orphans = 0;
  storage.keys.forEach((key, at) => {
    const index = collector.indexOf(key);
    const item = collector.itemOf(storage.values[at]);
    const entry = index === undefined ? undefined : byName.get(collector.indexes.name[index] as string);
    if (index === undefined || item === undefined || entry === undefined) {
      orphans += 1;
      return;
    }
    entry.items.push(item);
    if (entry.tensor !== undefined) collector.items.chunk.set(item, chunkAt(entry.tensor.chunks, collector, index));
  });
  return orphans;
}

/** The chunk that begins where the index says; its hint is tried first. */
function chunkAt(rows: readonly number[], { indexes, chunks }: Collector, index: number): number {
  const hinted = rows[indexes.hint.at(index)];
  if (hinted !== undefined && indexes.isAt(index, chunks, hinted)) return hinted;
  return rows.find((row) => indexes.isAt(index, chunks, row)) ?? (rows.length === 1 ? (rows[0] as number) : -1);
}

/** Which of the chunks an index says it is; -1 where it does not. */
function hintOf(value: PickleValue | undefined): number {
  return typeof value === 'number' ? value : -1;
}
