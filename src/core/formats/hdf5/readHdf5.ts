/**
 * HDF5 files (HDF5 File Format Specification, version 3.0): datasets with their names, types, shapes and where their data lie. Read are
 * the superblock, and of each group and dataset its header; versions 0 to 3 of the superblock, both styles of groups.
 *
 *   superblock -> root group -> object headers -> { members | datatype, dataspace, layout, filters }
 */
import { appendAll } from '../../bytes/appendAll.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { elementCount } from '../../bytes/checkedInteger.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { pagedSource } from '../../bytes/pagedSource.js';
import { decodeText, encodeText } from '../../bytes/text.js';
import type { FileFinding } from '../../findings/finding.js';
import { codeOfKerasConfig } from '../keras/kerasCode.js';
import { FileImports } from '../pickle/imports/fileImports.js';
import { jsonValue } from '../text/jsonValue.js';
import type { FileSink } from '../sink/fileSink.js';
import { attributesOf, storedAttributesOf, textAttributeOf, type StoredAttribute } from './attributes.js';
import type { TensorPacking } from '../../tensors/tensorPacking.js';
import type { TensorExtra } from '../../tensors/tensorTable.js';
import { readDatatype, readDataspace, type Hdf5Datatype } from './datatype.js';
import { packingOf } from './chunkPacking.js';
import { readDataLayout, type StoredPiece } from './dataLayout.js';
import { endsInFletcher32, readFilters } from './filters.js';
import { membersOf } from './groups.js';
import { Hdf5Bytes, Fields, type Hdf5Sizes, type Hdf5Sums } from './hdf5Bytes.js';
import { message, readObjectHeader, type Message } from './objectHeader.js';
import { StoredPickles } from './storedPickles.js';

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const SUPERBLOCK_BYTES = 112;
const CHECKSUM_BYTES = 4;

export function isHdf5(head: Uint8Array): boolean {
  return SIGNATURE.every((byte, index) => head[index] === byte);
}

interface FoundDataset {
  name: string;
  dtype: string;
  shape: number[];
  bytes: number;
  pieces: StoredPiece[];
  isBigEndian: boolean;
  /** True where chunks pass a filter. */
  isFiltered: boolean;
  /** How pieces become elements, where they are not these themselves. */
  packing: TensorPacking | undefined;
  /** Why its data could not be found. */
  unsupported: string | undefined;
}

/**
 * Lists the datasets, named by their path without the first slash. What was read before damage is kept.
 * @throws FormatError `not-this-format`, `unsupported`, `truncated`, `corrupt`, `limit-exceeded`
 */
export async function readHdf5(source: ByteSource, sink: FileSink, sums: Hdf5Sums | null = null): Promise<string> {
  const paged = pagedSource(source);
  const { file, root, end } = await readSuperblock(paged, sink.signal, sums);
  const imports = new FileImports(sink);
  const walk = new Walk(file, imports, new StoredPickles(file, paged, imports, sink));
  let failure: FormatError | undefined;
  try {
    await walk.run(root);
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled' || error.code === 'io') throw error;
    failure = error;
  }
  await sink.turn();
  await imports.report(sink);
  for (const finding of walk.code) sink.finding(finding);
  noteLinkedFiles(file.linkedFiles, sink);
  if (walk.attributes.size > 0) sink.json(Object.fromEntries(walk.attributes));
  for (const [key, value] of walk.attributes) if (typeof value === 'string') sink.metadata(key, value);
  for (const dataset of walk.datasets) list(dataset, source.sizeBytes, sink);
  if (end > source.sizeBytes) {
    // The superblock knows the size: what could not be read for lack of bytes needs no second finding.
    sink.finding({
      code: 'file-truncated',
      offset: source.sizeBytes,
      facts: { expectedBytes: end, bytes: source.sizeBytes },
    });
    return 'hdf5';
  }
  if (end < source.sizeBytes) {
    sink.unexplained(end, source.sizeBytes - end);
    sink.finding({ code: 'bytes-behind-end', offset: end, facts: { expectedBytes: end, bytes: source.sizeBytes } });
  }
  if (failure !== undefined) {
    const { code, detail, offset } = failure;
    sink.finding({
      code: code === 'limit-exceeded' ? 'header-too-large' : code === 'unsupported' ? 'unsupported-version' : 'header-corrupt',
      ...(offset === undefined ? {} : { offset }),
      facts: { detail },
    });
  }
  return 'hdf5';
}

function noteLinkedFiles(linked: ReadonlySet<string>, sink: FileSink): void {
  const [first] = linked;
  if (first !== undefined) sink.finding({ code: 'links-to-other-files', facts: { first, files: linked.size } });
}

function list(
  { name, dtype, shape, bytes, pieces, isBigEndian, isFiltered, packing, unsupported }: FoundDataset,
  fileBytes: number,
  sink: FileSink,
): void {
  const extra: TensorExtra = {
    ...(isBigEndian && { isBigEndian }),
    ...(isFiltered && { isEncoded: isFiltered }),
    ...(packing && { packing }),
  };
  sink.tensor({ keyPath: [name], dtype, shape, bytes, pieces, ...(Object.keys(extra).length > 0 && { extra }) });
  if (unsupported !== undefined)
    sink.finding({ code: 'unsupported-version', facts: { detail: `the data of ${name} are ${unsupported}` } });
  const beyond = pieces.find((piece) => piece.offset + piece.bytes > fileBytes);
  if (beyond !== undefined) {
    const facts = { tensor: name, bytes: beyond.bytes, expectedBytes: Math.max(0, fileBytes - beyond.offset) };
    sink.finding({ code: 'tensor-out-of-range', offset: beyond.offset, facts });
  }
}

interface Superblock {
  file: Hdf5Bytes;
  /** Address of the root group's header. */
  root: number;
  /** Size that the file has to have. */
  end: number;
}

/** The superblock lies at 0, or at 512, 1024, ... behind a block of the user's own. */
async function readSuperblock(source: ByteSource, signal: AbortSignal | undefined, sums: Hdf5Sums | null): Promise<Superblock> {
  for (let offset = 0; offset === 0 || offset < Math.min(source.sizeBytes, 1 << 20); offset = Math.max(512, offset * 2)) {
    const bytes = await source.read(offset, Math.max(0, Math.min(SUPERBLOCK_BYTES, source.sizeBytes - offset)), signal);
    if (!isHdf5(bytes)) continue;
    return parseSuperblock(bytes, offset, (sizes) => new Hdf5Bytes(source, sizes, signal, sums));
  }
  throw new FormatError('not-this-format', 'no HDF5 signature', { offset: 0 });
}

function parseSuperblock(bytes: Uint8Array, at: number, open: (sizes: Hdf5Sizes) => Hdf5Bytes): Superblock {
  const version = bytes[SIGNATURE.length] ?? 0;
  if (version > 3) throw new FormatError('unsupported', `superblock version ${version}`, { offset: at + SIGNATURE.length });
  // Versions 0 and 1 declare the sizes behind four versions of other structures.
  const sizesAt = version < 2 ? 13 : 9;
  const sizes: Hdf5Sizes = { offsetBytes: bytes[sizesAt] ?? 0, lengthBytes: bytes[sizesAt + 1] ?? 0, base: 0 };
  if (![2, 4, 8].includes(sizes.offsetBytes) || ![2, 4, 8].includes(sizes.lengthBytes))
    throw new FormatError('corrupt', 'the sizes of addresses are damaged', { offset: at + sizesAt });
  const fields = new Fields(bytes, sizes, at);
  fields.skip(version < 2 ? 24 : 12);
  if (version === 1) fields.skip(4);
  const base = fields.address() ?? 0;
  fields.skip(sizes.offsetBytes);
  const declaredEnd = fields.address();
  // Bytes were put in front of the file, or taken away: the library counts from where the superblock is (H5F__super_read).
  sizes.base = at;
  const end = declaredEnd === undefined ? undefined : declaredEnd + at - base;
  let root: number | undefined;
  if (version < 2) {
    fields.skip(2 * sizes.offsetBytes);
    root = fields.address();
  } else {
    root = fields.address();
  }
  if (root === undefined || end === undefined) throw new FormatError('corrupt', 'there is no root group', { offset: at });
  // With a block of the user's own, the end counts from the file's beginning (H5F_super_read).
  const file = open(sizes);
  if (version >= 2) file.sums?.metadata(at, fields.at + CHECKSUM_BYTES);
  return { file, root, end };
}

/** A walk over all groups. An object that several links name is listed under the first. */
class Walk {
  readonly datasets: FoundDataset[] = [];
  attributes = new Map<string, string | number>();
  /** Code that the configs of a Keras model name or hold. */
  code: FileFinding[] = [];
  private readonly seen = new Set<number>();

  constructor(
    private readonly file: Hdf5Bytes,
    private readonly imports: FileImports,
    private readonly pickles: StoredPickles,
  ) {}

  async run(root: number): Promise<void> {
    const open = [{ name: '', address: root }];
    for (let object = open.pop(); object !== undefined; object = open.pop()) {
      const { name, address } = object;
      if (this.seen.has(address)) continue;
      this.seen.add(address);
      if (this.seen.size > limits.hdf5Objects)
        throw new FormatError('limit-exceeded', `more than ${limits.hdf5Objects} groups and datasets`);
      const messages = await readObjectHeader(this.file, address);
      for (const attribute of storedAttributesOf(messages))
        await this.imports.scanContent(attribute.bytes, `the attribute ${attribute.name}`, attribute.fileOffset);
      if (name === '') await this.readRootAttributes(messages);
      const members = await membersOf(this.file, messages);
      if (members === undefined) await this.addDataset(name, messages);
      // In reverse, as the last one is taken first.
      else
        for (const member of members.reverse())
          open.push({ name: name === '' ? member.name : `${name}/${member.name}`, address: member.address });
    }
  }

  private async readRootAttributes(messages: readonly Message[]): Promise<void> {
    this.attributes = await attributesOf(this.file, messages);
    await this.readKerasConfigs(messages);
    // Texts of variable length are elsewhere in the file.
    for (const [name, value] of this.attributes)
      if (typeof value === 'string') await this.imports.scanContent(encodeText(value), `the attribute ${name}`, undefined);
  }

  /** Keras writes the layers of a whole model, and how it was compiled, as JSON (keras/src/legacy/saving/legacy_h5_format.py). */
  private async readKerasConfigs(messages: readonly Message[]): Promise<void> {
    for (const name of ['model_config', 'training_config']) {
      try {
        const text = await textAttributeOf(this.file, messages, name, limits.codeTextBytes);
        if (text !== undefined) appendAll(this.code, codeOfKerasConfig(jsonValue(text), name, 'legacy'));
      } catch (error) {
        const isUnread =
          error instanceof SyntaxError || FormatError.is(error, 'limit-exceeded') || FormatError.is(error, 'corrupt');
        if (!isUnread) throw error;
        const detail = `${name} is ${FormatError.is(error, 'limit-exceeded') ? 'larger than what is read' : 'no valid JSON'}`;
        this.code.push({ code: 'code-not-checked', facts: { bytes: 0, detail } });
      }
    }
  }

  private async addDataset(name: string, messages: readonly Message[]): Promise<void> {
    if (this.datasets.length === limits.headerTensors)
      throw new FormatError('limit-exceeded', `more than ${limits.headerTensors} datasets`);
    const find = (type: number): Message | undefined => messages.find((found) => found.type === type);
    const [space, type, layout] = [find(message.dataspace), find(message.datatype), find(message.layout)];
    // A committed datatype is an object of its own, without data.
    if (space === undefined || type === undefined || layout === undefined) return;
    const shape = readDataspace(space.data);
    const datatype = await this.datatypeOf(type);
    if (shape === undefined) {
      // A null dataspace (h5py.Empty): a name and a type without elements.
      const dtype = await this.dtypeOf(datatype, messages);
      this.datasets.push({
        name,
        dtype,
        shape: [0],
        bytes: 0,
        pieces: [],
        isBigEndian: false,
        isFiltered: false,
        packing: undefined,
        unsupported: undefined,
      });
      return;
    }
    const elements = elementCount(shape);
    const bytes = elements === undefined ? Infinity : elements * datatype.bytes;
    if (!Number.isSafeInteger(bytes))
      throw new FormatError('corrupt', `the shape of ${name} has too many elements`, { offset: space.data.fileOffset });
    const dataset = { shape, elementBytes: datatype.bytes, bytes };
    const found: FoundDataset = {
      name,
      dtype: await this.dtypeOf(datatype, messages),
      shape: shape.slice(0, limits.tensorRank),
      bytes,
      pieces: [],
      isBigEndian: datatype.isBigEndian,
      isFiltered: find(message.filters) !== undefined,
      packing: undefined,
      unsupported: find(message.externalFiles) === undefined ? undefined : 'in files of their own',
    };
    this.datasets.push(found);
    if (found.unsupported !== undefined) return;
    const filters = filtersOf(find(message.filters));
    try {
      const stored = await readDataLayout(this.file, layout.data, dataset);
      found.pieces = stored.pieces;
      found.packing = packingOf(stored, filters, dataset);
    } catch (error) {
      if (!FormatError.is(error, 'unsupported')) throw error;
      found.unsupported = error.detail;
    }
    this.noteChunks(name, found.pieces, filters);
    await this.pickles.scan({
      name,
      datatype,
      elements: elements ?? 0,
      pieces: found.pieces,
      rank: shape.length,
      filters,
      isObjects: storedAttributesOf(messages).some(isObjectMark),
    });
  }

  private noteChunks(name: string, pieces: readonly StoredPiece[], filters: readonly number[]): void {
    const { sums } = this.file;
    if (sums === null) return;
    for (const { offset, bytes, leftOutFilters = 0 } of pieces)
      if (endsInFletcher32(filters, leftOutFilters)) sums.chunk(name, offset, bytes);
  }

  /** A shared datatype lies in an object header of its own. */
  private async datatypeOf({ data, isShared }: Message): Promise<Hdf5Datatype> {
    if (!isShared) return readDatatype(data);
    const version = data.u8();
    const kind = data.u8();
    if (version === 1) data.skip(6);
    const address = version === 3 && kind === 1 ? undefined : data.address();
    const shared = address === undefined ? [] : await readObjectHeader(this.file, address);
    const type = shared.find((found) => found.type === message.datatype && !found.isShared);
    if (type === undefined)
      throw new FormatError('unsupported', 'a datatype in a heap of shared messages', { offset: data.fileOffset });
    return readDatatype(type.data);
  }

  /** Keras stores bfloat16 as opaque pairs of bytes, and says so in an attribute. */
  private async dtypeOf({ dtype }: Hdf5Datatype, messages: readonly Message[]): Promise<string> {
    if (dtype !== 'opaque2' && dtype !== 'u16') return dtype;
    return (await attributesOf(this.file, messages)).get('dtype') === 'bfloat16' ? 'bf16' : dtype;
  }
}

/** A pipeline that is shared lies elsewhere, and no writer shares one: its number 0 is none that is known. */
function filtersOf(found: Message | undefined): number[] {
  if (found === undefined) return [];
  return found.isShared ? [0] : readFilters(found.data);
}

/** What PyTables writes beside lists of pickled objects, as text of a fixed length. */
function isObjectMark({ name, bytes }: StoredAttribute): boolean {
  return name === 'PSEUDOATOM' && decodeText(bytes.subarray(0, 6)) === 'object';
}
