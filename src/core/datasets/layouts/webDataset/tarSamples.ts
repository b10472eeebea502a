/**
 * Samples of a WebDataset shard: files that follow each other and have the same path up to the first dot of their names (webdataset,
 * tariterators.py, `base_plus_ext`); what comes after the dot is the column.
 */
import type { ByteSource } from '../../../bytes/byteSource.js';
import { FormatError } from '../../../bytes/formatError.js';
import { limits } from '../../../bytes/limits.js';
import { isNpy, parseNpyHeader } from '../../../formats/numpy/npyHeader.js';
import { isPickleName, isPlainName, mayHoldPickles } from '../../../formats/pickle/imports/fileImports.js';
import { TAR_HEADER_BYTES, walkTar, type TarMember } from '../../../formats/tar.js';
import { elementCount } from '../../../bytes/checkedInteger.js';
import type { RatioSample } from '../../text/ratioEstimate.js';

/** What one column of a shard holds. */
export interface TarColumn {
  files: number;
  bytes: number;
  /** dtype and elements of NumPy arrays; null where it has others, or they differ. */
  dtype: string | null;
  elements: number;
  /** Rank of its arrays: token sequences have one dimension. */
  rank: number;
}

/** Where a text lies in the archive. */
export interface TextMember {
  offset: number;
  bytes: number;
  isJson: boolean;
}

export interface TarSamples {
  samples: number;
  members: number;
  columns: Map<string, TarColumn>;
  texts: TextMember[];
  /** Members that loaders unpickle, the first of them. */
  pickles: TarMember[];
  /** Such members that are not among `pickles`. */
  morePickles: number;
  morePickleBytes: number;
  /** Samples in proportion to bytes, for what was not walked over. */
  blocks: RatioSample[];
  /** False where the walk stopped before the end. */
  isWhole: boolean;
  expectedBytes: number;
  /** Where its members end. */
  end: number;
  /** Framing: headers, padding, and the end. */
  payloadBytes: number;
  /** Damage after which nothing was found. */
  damage: FormatError | null;
}

/** The header of an array takes 128 bytes nearly always; 256 for records. */
const ARRAY_HEAD_BYTES = 256;
/** Names of columns are up to the file: beyond a bound they are not told apart. */
const MAX_COLUMNS = 200;
const SAMPLES_PER_BLOCK = 1000;
/** Pickles of one shard that are scanned: each sample may have one, written by the same program. */
const MAX_PICKLES = 64;
/** Members of one shard that are scanned though their names promise no pickle. */
const MAX_OTHERS = 64;
/** Those with names of texts, pictures and sounds, of which fewer are looked at: texts may begin as old pickles do. */
const MAX_PLAIN = 16;

/**
 * Walks over the headers of a shard.
 * @throws FormatError where not even the first header is one
 */
export async function readTarSamples(
  source: ByteSource,
  maxMembers: number,
  signal: AbortSignal | undefined,
): Promise<TarSamples> {
  const reading = new Reading();
  try {
    const { expectedBytes, end } = await walkTar(source, signal, async (member, near) => {
      await reading.add(member, near);
      return reading.found.members < maxMembers;
    });
    reading.found.isWhole = reading.found.members < maxMembers;
    reading.found.expectedBytes = expectedBytes;
    reading.found.end = end;
  } catch (error) {
    if (!FormatError.is(error) || FormatError.is(error, 'cancelled') || reading.found.members === 0) throw error;
    reading.found.damage = error;
  }
  return reading.found;
}

class Reading {
  readonly found: TarSamples = {
    samples: 0,
    members: 0,
    columns: new Map(),
    texts: [],
    pickles: [],
    morePickles: 0,
    morePickleBytes: 0,
    blocks: [],
    isWhole: true,
    expectedBytes: 0,
    end: 0,
    payloadBytes: 0,
    damage: null,
  };
  private key: string | undefined;
  /** Members that may still be scanned. */
  private readonly left = { named: MAX_PICKLES, byContent: MAX_OTHERS, plain: MAX_PLAIN };
  /** Members with such names whose first bytes may still be looked at. */
  private plainLeft: number = limits.plainNamesSniffed;
  private block = { samples: 0, start: 0 };

  async add(member: TarMember, near: (length: number) => Promise<Uint8Array | undefined>): Promise<void> {
    const { found } = this;
    found.members += 1;
    found.payloadBytes += member.bytes;
    const split = splitName(member.name);
    if (!member.isFile) return;
    if (split === undefined) return this.notePickle(member, await this.looksPickled(member, near));
    if (split.key !== this.key) this.beginSample(split.key, member.headerOffset);
    const column = this.columnOf(split.extension);
    column.files += 1;
    column.bytes += member.bytes;
    const isArray = /(^|\.)npy$/.test(split.extension);
    const head = isArray ? await near(ARRAY_HEAD_BYTES) : undefined;
    const header = arrayHeader(head);
    // What is behind a header that NumPy would not write may be a pickle all the same.
    const mayBeObjects = header === undefined ? head !== undefined && isNpy(head) : header.isObject || !header.isUsual;
    this.notePickle(member, isArray ? mayBeObjects : await this.looksPickled(member, near));
    if (isArray) addArray(column, head, member);
    else if (/^(.*\.)?(txt|text|json|md|caption)$/s.test(split.extension))
      found.texts.push({ offset: member.offset, bytes: member.bytes, isJson: split.extension.endsWith('json') });
  }

  /** By its first bytes, for a member whose name is not that of a pickle; of texts, pictures and sounds the first small ones: the others would take a read each. */
  private async looksPickled(
    { name, bytes }: TarMember,
    near: (length: number) => Promise<Uint8Array | undefined>,
  ): Promise<boolean> {
    if (isPickleName(name)) return false;
    if (isPlainName(name) && (bytes > limits.metadataPayloadBytes || this.plainLeft-- <= 0)) return false;
    const head = await near(TAR_HEADER_BYTES);
    return head !== undefined && mayHoldPickles(head);
  }

  private notePickle(member: TarMember, isByContent: boolean): void {
    const isByName = isPickleName(member.name);
    if (!isByName && !isByContent) return;
    const kind = isByName ? 'named' : isPlainName(member.name) ? 'plain' : 'byContent';
    if (this.left[kind] > 0 && member.bytes <= limits.largePickleScanBytes) {
      this.left[kind] -= 1;
      this.found.pickles.push(member);
    } else {
      this.found.morePickles += 1;
      this.found.morePickleBytes += member.bytes;
    }
  }

  private beginSample(key: string, offset: number): void {
    this.key = key;
    this.found.samples += 1;
    this.block.samples += 1;
    if (this.block.samples <= SAMPLES_PER_BLOCK) return;
    this.found.blocks.push({ y: SAMPLES_PER_BLOCK, x: offset - this.block.start });
    this.block = { samples: 1, start: offset };
  }

  private columnOf(extension: string): TarColumn {
    const { columns } = this.found;
    const name = columns.size < MAX_COLUMNS || columns.has(extension) ? extension : '…';
    const column = columns.get(name) ?? { files: 0, bytes: 0, dtype: null, elements: 0, rank: 0 };
    columns.set(name, column);
    return column;
  }
}

/** Key and column of a file; undefined for one that loaders leave out. */
export function splitName(name: string): { key: string; extension: string } | undefined {
  const slash = name.lastIndexOf('/') + 1;
  const dot = name.indexOf('.', slash);
  const isMeta = name.startsWith('__') && name.endsWith('__');
  return dot <= slash || isMeta ? undefined : { key: name.slice(0, dot), extension: name.slice(dot + 1).toLowerCase() };
}

function addArray(column: TarColumn, head: Uint8Array | undefined, { bytes }: TarMember): void {
  const header = arrayHeader(head);
  const elements = header === undefined ? undefined : elementCount(header.shape);
  if (header === undefined || elements === undefined || header.headerBytes + (header.dataBytes ?? NaN) !== bytes) {
    column.dtype = 'mixed';
    return;
  }
  column.dtype = column.dtype === null || column.dtype === header.dtype ? header.dtype : 'mixed';
  column.elements += elements;
  column.rank = Math.max(column.rank, header.shape.length);
}

function arrayHeader(head: Uint8Array | undefined): ReturnType<typeof parseNpyHeader> {
  if (head === undefined || !isNpy(head)) return undefined;
  try {
    return parseNpyHeader(head);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return undefined;
  }
}
