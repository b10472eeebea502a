/** Shards of MosaicML Streaming into parts of a report: columns, tokens, text. */
import type { Compression } from '../../../bytes/compression.js';
import { decompressBeginning } from '../../../bytes/decompressBeginning.js';
import { FormatError } from '../../../bytes/formatError.js';
import type { PickledSamples, ScannedShard } from '../../pickledValues.js';
import { ofBeginning } from '../../../bytes/unpackBudget.js';
import { limits } from '../../../bytes/limits.js';
import { memorySource } from '../../../bytes/memorySource.js';
import type { ByteSource } from '../../../bytes/byteSource.js';
import { ImpostorError } from '../../../findings/impostorError.js';
import { findZeros } from '../../../formats/impostor.js';
import type { MdsShardEntry } from '../../../formats/mds/mdsIndex.js';
import { readMdsHead, type MdsHead } from '../../../formats/mds/mdsShard.js';
import { kindOfRole } from '../../columnRole.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import type { ShardColumn, TokenRange as ShardTokenRange } from '../../datasetParts.js';
import { LengthCounter } from '../../lengthHistogram.js';
import { splitOf } from '../../splitName.js';
import { columnsOfShard, sumSizes, type ColumnSizes, type MdsRoleColumn } from './mdsColumns.js';
import type { FoundShard } from './foundShard.js';
import { mdsCorpus } from './mdsCorpus.js';
import { tokensOfShard, TokenEncoding, type TokenRange } from './mdsTokens.js';

/** Beginning of a compressed shard that is decompressed: room for the offsets of 250,000 samples. */
const HEAD_BYTES = 1024 * 1024;
/** Compressed shards whose beginnings are decompressed; of the others the index alone is believed. */
const DECOMPRESSED_SHARDS = 64;

/** Read with pickle.loads (streaming/base/format/mds/encodings.py, Pickle). */
export const PICKLE_ENCODING = 'pkl';

/** What the shard's own header says, the sizes of its columns, and what its pickled samples import. */
interface LookedShard {
  head: MdsHead | null;
  sizes: ColumnSizes;
  tokens: TokenRange | null;
  pickles: ScannedShard | undefined;
}

export class MdsReading {
  private readonly lengths = new LengthCounter();
  private readonly encodings = new Map<string, TokenEncoding>();
  private readonly wantsOffsets: boolean;
  /** Shards in which the sizes in every sample may be read, where these are needed. */
  private readonly small = new Set<string>();
  private isExact = true;
  private hasTokens = false;
  private compressedRead = 0;

  constructor(
    private readonly access: DatasetAccess,
    private readonly shards: readonly FoundShard[],
    private readonly pickles: PickledSamples,
  ) {
    pickles.plan(shards.map(({ path }) => path));
    const samples = shards.reduce((sum, { entry }) => sum + entry.samples, 0);
    this.wantsOffsets = access.options.allLengths || 4 * samples <= limits.lengthsBytes;
    let bytes = 0;
    for (const { path, entry } of shards) {
      bytes += entry.raw.bytes;
      if (bytes <= limits.countedTextBytes) this.small.add(path);
    }
  }

  async read(): Promise<void> {
    const byPath = new Map(this.shards.map((shard) => [shard.path, shard]));
    await this.access.each([...byPath.keys()], (path, turn) => this.readShard(byPath.get(path) as FoundShard, turn));
    this.noteFacts();
    const histogram = this.lengths.histogram('sample');
    if (histogram !== null && this.isExact) this.access.lengths(histogram);
    this.access.sampleMethod('sum over the shards, as index.json states it', 'index');
    if (!this.hasTokens) return;
    const [encoding] = this.encodings.values();
    const method = encoding?.method ?? '';
    const isByValues = [...this.encodings.values()].some((each) => each.isByValues);
    this.access.tokenMethod(method, isByValues ? 'sampled' : this.isExact ? 'index' : 'header');
  }

  private async readShard(shard: FoundShard, turn: () => Promise<void>): Promise<void> {
    const { entry, path } = shard;
    this.describe(shard);
    const columns = columnsOfShard(entry);
    if (entry.format !== 'mds') {
      await turn();
      await this.addText(shard, columns);
      return;
    }
    let found: LookedShard | FormatError;
    try {
      found = await this.access.withSource(path, (source) => this.look(source, shard, columns));
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      found = error;
    }
    await turn();
    this.compareSizes(shard);
    if (FormatError.is(found)) throw found;
    if (found.pickles !== undefined) await this.pickles.add(shard.index, found.pickles);
    this.addSamples(shard, columns, found.head, found.sizes, found.tokens);
    const corpus = mdsCorpus(this.access, shard, columns, found.sizes);
    if (corpus !== undefined) this.access.corpus(corpus);
  }

  /** Reads what the shard's own header says, and the sizes of its columns. */
  private async look(source: ByteSource, shard: FoundShard, columns: readonly MdsRoleColumn[]): Promise<LookedShard> {
    const { entry, isZip } = shard;
    const content = isZip ? await this.beginning(source, entry) : source;
    const head =
      content === undefined ? null : await readMdsHead(content, entry.raw.bytes, this.wantsOffsets, this.access.signal);
    const zeros =
      isZip || head === null ? undefined : await findZeros(source, head.samples === 0 ? 0 : head.firstOffset, this.access.signal);
    if (zeros !== undefined) throw new ImpostorError(zeros);
    const pickled = columns.filter(({ encoding }) => encoding === PICKLE_ENCODING).map(({ name }) => name);
    const pickles =
      content === undefined || head === null
        ? undefined
        : await this.pickles.scan({ path: shard.path, content, isUnpacked: isZip, samples: head.samples, columns, pickled });
    const firstOffset = head?.firstOffset ?? 4 * (entry.samples + 2) + entry.settingsBytes;
    const payloadBytes = entry.raw.bytes - firstOffset;
    const sizes = await sumSizes({
      content,
      isSmall: !isZip && this.small.has(shard.path),
      columns,
      samples: entry.samples,
      payloadBytes,
      offsets: head?.offsets ?? null,
      signal: this.access.signal,
    });
    const token = columns.find(({ role }) => role === 'tokens');
    if (token === undefined) return { head, sizes, tokens: null, pickles };
    const encoding = await this.encodingOf(token, columns, content, head);
    const tokens = tokensOfShard(encoding, token, columns.indexOf(token), sizes, entry.samples, this.lengths);
    return { head, sizes, tokens, pickles };
  }

  /** Decompressed: enough for the header. Undefined for a compression that is not read here, and behind the first shards. */
  private async beginning(source: ByteSource, entry: MdsShardEntry): Promise<ByteSource | undefined> {
    const compression = compressionNamed(entry.compression);
    if (compression === undefined || this.compressedRead >= DECOMPRESSED_SHARDS) return undefined;
    this.compressedRead += 1;
    const wanted = Math.min(HEAD_BYTES, entry.raw.bytes);
    const { bytes } = await decompressBeginning(source, compression, wanted, ofBeginning(this.access.signal));
    if (bytes.byteLength < wanted)
      throw new FormatError('truncated', `it decompresses to ${bytes.byteLength} of ${entry.raw.bytes} bytes`);
    return memorySource(source.name, bytes);
  }

  /** How tokens are stored, found out once for each column and encoding from the first sample that can be read. */
  private async encodingOf(
    token: MdsRoleColumn,
    columns: readonly MdsRoleColumn[],
    content: ByteSource | undefined,
    head: MdsHead | null,
  ): Promise<TokenEncoding> {
    const key = `${token.name}\n${token.encoding}`;
    const known = this.encodings.get(key) ?? new TokenEncoding(token);
    this.encodings.set(key, known);
    if (!known.isSettled && content !== undefined && head !== null && head.samples > 0)
      await known.settle(content, head, columns, this.access.signal);
    return known;
  }

  /** Files of the shard against the sizes in the index. */
  private compareSizes({ entry, path, isZip, copy, meta, zipMeta }: FoundShard): void {
    const files: [path: string | undefined, expectedBytes: number | undefined][] = [
      [path, (isZip ? entry.zip : entry.raw)?.bytes],
      [copy, entry.zip?.bytes],
      [meta, entry.meta?.bytes],
      [zipMeta, entry.zipMeta?.bytes],
    ];
    for (const [each, expectedBytes] of files) {
      const bytes = each === undefined ? undefined : this.access.entry(each)?.sizeBytes;
      if (each !== undefined && bytes !== undefined && expectedBytes !== undefined && bytes !== expectedBytes)
        this.access.finding({ code: 'shard-size-differs', path: each, facts: { expectedBytes, bytes } });
    }
  }

  private addSamples(
    shard: FoundShard,
    columns: readonly MdsRoleColumn[],
    head: MdsHead | null,
    sizes: ColumnSizes,
    tokens: TokenRange | null,
  ): void {
    const { entry, path } = shard;
    const samples = head?.samples ?? entry.samples;
    if (samples !== entry.samples) {
      const facts = { expected: entry.samples, found: samples, detail: 'samples of the shard' };
      this.access.finding({ code: 'index-count-differs', path, facts });
    }
    if (tokens !== null) {
      this.hasTokens = true;
      if (!tokens.isExact) this.isExact = false;
    }
    const split = splitOf(path);
    this.access.shard({
      path,
      samples,
      tokens: tokens?.isExact === true ? tokens.low : null,
      ...(tokens?.isExact === false ? { tokensBetween: rangeOf(tokens) } : {}),
      ...(split === undefined ? {} : { split }),
      ...(shard.isZip ? { logicalBytes: entry.raw.bytes } : {}),
      columns: columns.map((column, at) => this.toShardColumn(shard, column, columns.length, sizes, at, tokens)),
    });
  }

  private toShardColumn(
    shard: FoundShard,
    column: MdsRoleColumn,
    columns: number,
    sizes: ColumnSizes,
    at: number,
    tokens: TokenRange | null,
  ): ShardColumn {
    const logicalBytes = sizes.bytes[at] ?? null;
    const fileBytes = this.access.entry(shard.path)?.sizeBytes ?? 0;
    const isTokens = column.role === 'tokens' && tokens !== null;
    return {
      name: column.name,
      type: column.encoding,
      dtype: isTokens ? tokens.dtype : column.dtype,
      role: column.role,
      values: isTokens ? (tokens.isExact ? tokens.low : null) : column.valuesOf(logicalBytes, shard.entry.samples),
      bytes: shard.isZip ? (columns === 1 ? fileBytes : null) : logicalBytes,
      logicalBytes,
    };
  }

  /** Shards of lines: samples by the index, their places in the `.meta`. */
  private async addText(shard: FoundShard, columns: readonly MdsRoleColumn[]): Promise<void> {
    const { entry, path } = shard;
    const { access } = this;
    const isEmpty = access.entry(path)?.sizeBytes === 0 && entry.raw.bytes > 0;
    const error = await (isEmpty ? access.contentError(path) : access.contentError(path, 0));
    if (error !== undefined) return access.failure(path, error);
    this.compareSizes(shard);
    const metaPath = shard.meta ?? shard.zipMeta;
    if (metaPath === undefined)
      this.access.finding({
        code: 'index-unmatched',
        path,
        facts: { present: path, missing: (entry.meta ?? { name: 'its .meta' }).name },
      });
    let samples = entry.samples;
    if (shard.meta !== undefined) {
      const head = (await access.contentError(shard.meta)) ?? (await this.headOf(shard.meta, entry));
      if (FormatError.is(head)) return access.failure(shard.meta, head);
      samples = head.samples;
      if (samples !== entry.samples)
        this.access.finding({
          code: 'index-count-differs',
          path,
          facts: { expected: entry.samples, found: samples, detail: 'samples of the shard' },
        });
      if (!shard.isZip && head.offsets !== null) {
        const corpus = mdsCorpus(this.access, shard, columns, null, head.offsets);
        if (corpus !== undefined) this.access.corpus(corpus);
      }
    }
    const split = splitOf(path);
    this.access.shard({
      path,
      samples,
      tokens: null,
      ...(split === undefined ? {} : { split }),
      ...(shard.isZip ? { logicalBytes: entry.raw.bytes } : {}),
      columns: columns.map(({ name, encoding, dtype, role }) => ({
        name,
        type: encoding,
        dtype,
        role,
        values: samples,
        bytes: null,
        logicalBytes: null,
      })),
    });
  }

  /** Number and places of the samples, by the `.meta` of a shard of lines; or why it cannot be read. */
  private async headOf(meta: string, entry: MdsShardEntry): Promise<MdsHead | FormatError> {
    try {
      return await this.access.withSource(meta, (source) => readMdsHead(source, entry.raw.bytes, true, this.access.signal));
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      return error;
    }
  }

  private describe({ entry, path, isZip, copy, meta, zipMeta }: FoundShard): void {
    const { access } = this;
    const columns = columnsOfShard(entry);
    const main = columns.find(({ role }) => role === 'tokens') ?? columns.find(({ role }) => role === 'text') ?? columns[0];
    const restKind = kindOfRole[main?.role ?? 'value'];
    access.describe(path, {
      format: entry.format,
      role: 'shard',
      restKind: isZip || entry.format !== 'mds' ? restKind : 'framing',
    });
    for (const each of [meta, zipMeta])
      if (each !== undefined) access.describe(each, { format: entry.format, role: 'offsets', restKind: 'index' });
    if (copy === undefined) return;
    access.describe(copy, { format: entry.format, role: 'compressed copy', restKind });
    access.shard({ path: copy, samples: entry.samples, tokens: null, logicalBytes: entry.raw.bytes, columns: [], use: 'copy' });
  }

  private noteFacts(): void {
    const seen = new Set<string>();
    for (const { entry, index } of this.shards) {
      const facts: [string, string][] = [
        ['format', entry.format],
        ['compression', entry.compression ?? 'none'],
        ['hashes', entry.hashes.length === 0 ? 'none' : entry.hashes.join(', ')],
      ];
      for (const [label, value] of facts) {
        const key = `${index}\n${label}\n${value}`;
        if (!seen.has(key)) this.access.fact(label, value, index);
        seen.add(key);
      }
    }
  }
}

function rangeOf({ low, high }: TokenRange): ShardTokenRange {
  return { count: Math.round((low + high) / 2), least: low, most: high, confidence: null };
}

/** The compressions that are decompressed here, by the names that Streaming gives them. */
export function compressionNamed(name: string | null): Compression | undefined {
  if (name === null) return undefined;
  const algorithm = name.split(':')[0];
  return algorithm === 'zstd' ? 'zstd' : algorithm === 'gz' ? 'gzip' : undefined;
}
