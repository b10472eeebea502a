/** LitData: `index.json` with its chunks; without one, the indexes of ranks that an interrupted `optimize()` leaves. */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { baseName, isSafeFileName, joinPath, parentPath } from '../../files/paths.js';
import {
  looksLikeLitDataChunk,
  looksLikeLitDataIndex,
  parseLitDataIndex,
  samplesOfFramedChunk,
  type LitDataChunk,
  type LitDataIndex,
} from '../../formats/litDataIndex.js';
import { ImpostorError } from '../../findings/impostorError.js';
import { findZeros } from '../../formats/impostor.js';
import { PickledSamples, type ScannedShard } from '../pickledValues.js';
import { readMdsHead } from '../../formats/mds/mdsShard.js';
import { bytesOfElements } from '../../tensors/dtype.js';
import { kindOfRole } from '../columnRole.js';
import type { DatasetAccess, DatasetLayout } from '../datasetLayout.js';
import type { UpperBound } from '../datasetParts.js';
import { LengthCounter } from '../lengthHistogram.js';
import { splitOf } from '../splitName.js';
import { columnsOfLeaves } from './litdata/litDataColumns.js';
import { sumSizes, type ColumnSizes, type MdsRoleColumn } from './mds/mdsColumns.js';

/** `chunk-<rank>-<number>.bin`, with the compression before the extension where the whole file is compressed. */
const chunkName = /^chunk-\d+-\d+(\.[\w:]+)?\.bin$/;
/** Of one rank, and of one node: merged into `index.json` at the end. */
const rankIndexName = /^\d+[.-]index\.json$/;
const keysName = /^(shard-\d+|(\d+\.)?keys)\.parquet$/;

export const litData: DatasetLayout = {
  id: 'litdata',
  framework: 'LitData',
  sampleUnit: 'sample',

  async claim(free, _, probe) {
    const indexes = new Set<string>();
    const directories = new Set<string>();
    for (const { path } of free) {
      const name = baseName(path);
      const isIndex = name === 'index.json' && looksLikeLitDataIndex(decodeText(await probe.head(path)));
      const isOfRank = rankIndexName.test(name) && looksLikeLitDataIndex(decodeText(await probe.head(path)));
      if (isIndex || isOfRank) indexes.add(path);
      // Where an index says so all chunks belong to it; without one each is looked at.
      if (isIndex || isOfRank) directories.add(parentPath(path));
    }
    const claimed: string[] = [];
    for (const { path } of free) {
      const name = baseName(path);
      const directory = parentPath(path);
      if (indexes.has(path)) claimed.push(path);
      else if (chunkName.test(name) && (directories.has(directory) || looksLikeLitDataChunk(await probe.head(path))))
        claimed.push(path);
      else if (
        keysName.test(name) &&
        (directories.has(directory) || (baseName(directory) === 'keys' && directories.has(parentPath(directory))))
      )
        claimed.push(path);
    }
    // An index that is damaged is the chunks' all the same.
    const ofChunks = new Set(claimed.filter((path) => chunkName.test(baseName(path))).map(parentPath));
    for (const { path } of free)
      if (baseName(path) === 'index.json' && !indexes.has(path) && ofChunks.has(parentPath(path))) claimed.push(path);
    return claimed;
  },

  async read(paths, access) {
    const byDirectory = new Map<string, string[]>();
    for (const path of paths) {
      const directory =
        keysName.test(baseName(path)) && baseName(parentPath(path)) === 'keys' ? parentPath(parentPath(path)) : parentPath(path);
      byDirectory.set(directory, [...(byDirectory.get(directory) ?? []), path]);
    }
    for (const [directory, own] of byDirectory) await readDirectory(directory, own, access);
    access.sampleMethod('sum over the chunks, as index.json states it', 'index');
    access.tokenMethod('sum of dim over the chunks of index.json, or sizes in the chunks over the width of an element', 'index');
    access.done('index.json was compared with the chunks: names, sizes, number of samples, elements');
  },
};

async function readDirectory(directory: string, paths: readonly string[], access: DatasetAccess): Promise<void> {
  for (const path of paths) {
    if (keysName.test(baseName(path)))
      access.describe(path, { format: 'parquet', role: 'keys of the samples', restKind: 'index' });
    if (rankIndexName.test(baseName(path))) access.describe(path, { format: 'json', role: 'index of a rank', restKind: 'index' });
  }
  const final = paths.find((path) => baseName(path) === 'index.json');
  const ofRanks = paths.filter((path) => rankIndexName.test(baseName(path)));
  const chunks = paths.filter((path) => chunkName.test(baseName(path)));
  const listed = new Set<string>();
  for (const index of final === undefined ? ofRanks : [final]) await readIndex(index, listed, access);
  if (final === undefined) {
    const detail = `${chunks.length} chunks, ${ofRanks.length} indexes of ranks, but no index.json`;
    access.finding({ code: 'dataset-unfinished', ...(paths[0] === undefined ? {} : { path: paths[0] }), facts: { detail } });
  }
  access.listed(listed);
  const unlisted = chunks.filter((path) => !listed.has(path));
  for (const path of unlisted) access.describe(path, { role: 'chunk that no index names', restKind: 'values' });
  if (unlisted[0] !== undefined && listed.size > 0)
    access.finding({
      code: 'shard-unlisted',
      path: joinPath(directory, baseName(unlisted[0])),
      facts: { files: unlisted.length, first: baseName(unlisted[0]) },
    });
}

/** Read with pickle.loads (litdata/streaming/serializers.py, PickleSerializer). */
const PICKLE_FORMAT = 'pickle';

async function readIndex(path: string, listed: Set<string>, access: DatasetAccess): Promise<void> {
  const value = await access.json(path, 'index');
  access.describe(path, { restKind: 'index' });
  if (value === undefined) return;
  let index: LitDataIndex;
  try {
    index = parseLitDataIndex(value);
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    access.finding({ code: 'shard-corrupt', path, facts: { detail: error.detail } });
    return;
  }
  noteFacts(path, index, access);
  const present = new Map<string, LitDataChunk>();
  const missing: string[] = [];
  for (const chunk of index.chunks) {
    if (!isSafeFileName(chunk.name)) {
      access.finding({ code: 'index-path-unsafe', path, facts: { shard: chunk.name } });
      continue;
    }
    const chunkPath = joinPath(parentPath(path), chunk.name);
    listed.add(chunkPath);
    access.upperBound(chunkPath, { samples: chunk.samples, tokens: chunk.elements, ...tokenBytesOf(index, chunk) });
    if (access.entry(chunkPath) === undefined) missing.push(chunk.name);
    else if (!chunk.name.endsWith('.parquet')) present.set(chunkPath, chunk);
  }
  if (missing[0] !== undefined)
    access.finding({
      code: 'shards-listed-missing',
      path,
      facts: { missing: missing.length, total: index.chunks.length, first: missing[0] },
    });
  await new Chunks(access, path, index, present).read();
}

/** All tensors of a chunk fit into its size, unless its samples are compressed inside of it. */
function tokenBytesOf({ compression, compressionLevel }: LitDataIndex, { bytes }: LitDataChunk): Pick<UpperBound, 'tokenBytes'> {
  return compression !== null && compressionLevel !== null ? {} : { tokenBytes: bytes };
}

function noteFacts(path: string, index: LitDataIndex, access: DatasetAccess): void {
  if (index.itemLoader !== null) access.fact('item loader', index.itemLoader, path);
  const level = index.compressionLevel === null ? '' : `, ${index.compressionLevel}`;
  access.fact('compression', index.compression === null ? 'none' : `${index.compression}${level}`, path);
  if (index.isEncrypted) access.fact('encryption', 'yes', path);
  if (index.leaves.length > 0)
    access.fact('data format', index.leaves.map(({ name, format }) => `${name}: ${format}`).join(', '), path);
}

/** The chunks of one index. */
class Chunks {
  private readonly columns: MdsRoleColumn[];
  private readonly lengths = new LengthCounter();
  private readonly small = new Set<string>();
  private readonly wantsOffsets: boolean;
  private readonly pickled: string[];
  private readonly samples: PickledSamples;

  constructor(
    private readonly access: DatasetAccess,
    private readonly indexPath: string,
    private readonly index: LitDataIndex,
    private readonly chunks: ReadonlyMap<string, LitDataChunk>,
  ) {
    this.columns = columnsOfLeaves(index.leaves);
    this.pickled = index.leaves.filter(({ format }) => format === PICKLE_FORMAT).map(({ name }) => name);
    this.samples = new PickledSamples(access);
    this.samples.declare(indexPath, this.pickled);
    this.samples.plan([...chunks.keys()]);
    let bytes = 0;
    let samples = 0;
    for (const [path, chunk] of chunks) {
      bytes += chunk.bytes;
      samples += chunk.samples;
      if (bytes <= limits.countedTextBytes) this.small.add(path);
    }
    this.wantsOffsets = access.options.allLengths || 4 * samples <= limits.lengthsBytes;
  }

  async read(): Promise<void> {
    await this.access.each([...this.chunks.keys()], (path, turn) => this.readChunk(path, turn));
    const histogram = this.lengths.histogram('sample');
    if (histogram !== null) this.access.lengths(histogram);
    this.samples.note();
  }

  private async readChunk(path: string, turn: () => Promise<void>): Promise<void> {
    const chunk = this.chunks.get(path) as LitDataChunk;
    const { access } = this;
    const isCompressed = /\.[\w:]+\.bin$/.test(path);
    let looked: Looked | FormatError = { samples: chunk.samples, sizes: null };
    try {
      if (!isCompressed && !this.index.isEncrypted)
        looked = await access.withSource(path, (source) => this.look(source, chunk, path));
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      looked = error;
    }
    await turn();
    const bytes = access.entry(path)?.sizeBytes ?? 0;
    if (!isCompressed && bytes !== chunk.bytes)
      access.finding({ code: 'shard-size-differs', path, facts: { expectedBytes: chunk.bytes, bytes } });
    if (FormatError.is(looked)) throw looked;
    if (looked.pickles !== undefined) await this.samples.add(this.indexPath, looked.pickles);
    this.add(path, chunk, looked, isCompressed);
  }

  /** The chunk's own header, and the sizes of its leaves where they are needed. */
  private async look(source: ByteSource, chunk: LitDataChunk, path: string): Promise<Looked> {
    const head = await source.read(0, Math.min(24, source.sizeBytes), this.access.signal);
    const framed = samplesOfFramedChunk(head);
    if (framed !== undefined) return { samples: framed, sizes: null };
    const { samples, offsets, firstOffset } = await readMdsHead(source, source.sizeBytes, this.wantsOffsets, this.access.signal);
    const zeros = await findZeros(source, samples === 0 ? 0 : firstOffset, this.access.signal);
    if (zeros !== undefined) throw new ImpostorError(zeros);
    const shard = { path, content: source, isUnpacked: false, samples, columns: this.columns, pickled: this.pickled };
    const pickles = this.index.compressionLevel === null ? await this.samples.scan(shard) : undefined;
    const isPlain = this.index.compressionLevel === null && samples > 0 && offsets?.[0] !== offsets?.[samples];
    if (chunk.elements !== null || !isPlain || offsets === null) {
      if (chunk.elements !== null && offsets !== null) this.addLengths(offsets);
      return { samples, sizes: null, pickles };
    }
    const payloadBytes = (offsets[samples] as number) - (offsets[0] as number);
    const request = {
      content: source,
      columns: this.columns,
      samples,
      payloadBytes,
      offsets,
      isSmall: this.small.has(path),
      signal: this.access.signal,
    };
    return { samples, sizes: await sumSizes(request), pickles };
  }

  /** Samples that are one bare tensor: their bytes are their elements. */
  private addLengths(offsets: Uint32Array): void {
    const itemBytes = bytesOfElements(this.columns[0]?.dtype ?? '', 1);
    if (itemBytes === undefined) return;
    for (let at = 0; at + 1 < offsets.length; at++)
      this.lengths.add(Math.floor(((offsets[at + 1] as number) - (offsets[at] as number)) / itemBytes));
  }

  private add(path: string, chunk: LitDataChunk, { samples, sizes }: Looked, isCompressed: boolean): void {
    const { access, columns } = this;
    const main = columns.find(({ role }) => role === 'tokens') ?? columns.find(({ role }) => role === 'text') ?? columns[0];
    const isWhole = sizes === null && chunk.elements === null;
    access.describe(path, { role: 'chunk', restKind: isCompressed || isWhole ? kindOfRole[main?.role ?? 'value'] : 'framing' });
    if (samples !== chunk.samples)
      access.finding({
        code: 'index-count-differs',
        path,
        facts: { expected: chunk.samples, found: samples, detail: 'samples of the chunk' },
      });
    const split = splitOf(path);
    access.shard({
      path,
      samples,
      tokens: chunk.elements ?? this.tokensOf(sizes),
      ...(split === undefined ? {} : { split }),
      ...(isCompressed ? { logicalBytes: chunk.bytes } : {}),
      columns: columns.map((column, at) => {
        const isTokens = column === main && chunk.elements !== null;
        const values = isTokens ? chunk.elements : column.valuesOf(sizes?.bytes[at] ?? null, samples);
        const logicalBytes = isTokens
          ? (bytesOfElements(column.dtype ?? '', chunk.elements ?? 0) ?? null)
          : (sizes?.bytes[at] ?? null);
        if (isTokens && !isCompressed) this.compareElements(path, chunk, logicalBytes);
        const bytes = isCompressed ? (columns.length === 1 ? (access.entry(path)?.sizeBytes ?? 0) : null) : logicalBytes;
        return { name: column.name, type: column.encoding, dtype: column.dtype, role: column.role, values, bytes, logicalBytes };
      }),
    });
  }

  /** Bare tensors fill a chunk behind its offsets, to the byte. */
  private compareElements(path: string, chunk: LitDataChunk, payloadBytes: number | null): void {
    if (payloadBytes === null || this.index.compressionLevel !== null || this.columns.length > 1) return;
    const expected = 4 * (chunk.samples + 2) + payloadBytes;
    const withSizes = expected + 4 * chunk.samples;
    if (chunk.bytes === expected || chunk.bytes === withSizes) return;
    const detail = `${chunk.elements} elements and ${chunk.samples} offsets`;
    this.access.finding({ code: 'index-count-differs', path, facts: { expected, found: chunk.bytes, detail } });
  }

  /** Elements of the token leaf; all sizes have to be known. */
  private tokensOf(sizes: ColumnSizes | null): number | null {
    const at = this.columns.findIndex(({ role }) => role === 'tokens');
    const column = this.columns[at];
    const itemBytes = bytesOfElements(column?.dtype ?? '', 1);
    if (column === undefined || itemBytes === undefined || !column.encoding.startsWith('no_header_')) return null;
    const bytes = sizes?.bytes[at] ?? null;
    if (bytes === null || bytes % itemBytes !== 0) return null;
    for (const size of sizes?.tokenSizes ?? []) this.lengths.add(Math.floor(size / itemBytes));
    return bytes / itemBytes;
  }
}

interface Looked {
  samples: number;
  sizes: ColumnSizes | null;
  pickles?: ScannedShard | undefined;
}
