/** WebDataset: tar archives of samples, counted by their headers, with an index of shards (wids) where there is one. */
import { compressionOf } from '../../bytes/compression.js';
import { decompressBeginning } from '../../bytes/decompressBeginning.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { limits } from '../../bytes/limits.js';
import { sliceSource } from '../../bytes/sliceSource.js';
import { unpack } from '../../bytes/unpack.js';
import { compressionOfPickle } from '../../formats/pickle/pickleHead.js';
import { memorySource } from '../../bytes/memorySource.js';
import { decodeText } from '../../bytes/text.js';
import type { FileEntry } from '../../files/fileTree.js';
import { isPickle } from '../../formats/pickle/pickleHead.js';
import { isTorchTar } from '../../formats/torch/torchTar.js';
import { asyncFilter } from '../../files/asyncFilter.js';
import { baseName, joinPath, parentPath } from '../../files/paths.js';
import { memberOf } from '../../formats/text/jsonMember.js';
import type { FileFinding } from '../../findings/finding.js';
import { FileImports } from '../../formats/pickle/imports/fileImports.js';
import { beginsWithCheckpoint } from '../../formats/checkpointArchive.js';
import { findZeros } from '../../formats/impostor.js';
import { hasTarHeader, TAR_HEADER_BYTES } from '../../formats/tar.js';
import { formatCount } from '../../text/units.js';
import { reportImports } from '../../formats/pickle/imports/importFindings.js';
import { roleOfColumn } from '../columnRole.js';
import type { DatasetAccess, DatasetLayout, Probe } from '../datasetLayout.js';
import type { ShardColumn } from '../datasetParts.js';
import { holdsContent } from '../holdsContent.js';
import { noteMissingShards } from '../shardNames.js';
import { splitOf } from '../splitName.js';
import { estimateRatio } from '../text/ratioEstimate.js';
import { parseRecord, shapeOfRecords, textsOfRecord, type RecordShape } from '../text/jsonRecord.js';
import { utf8Length } from '../text/lineCorpus.js';
import { USUAL_WINDOW_BYTES, type TextCorpus } from '../text/textCorpus.js';
import { readTarSamples, type TarColumn, type TarSamples, type TextMember } from './webDataset/tarSamples.js';

const shardName = /\.(tar|tgz|tbz2|txz|tar\.(gz|zst|bz2|xz))$/i;
/** NeMo's archives of a model. */
const otherName = /\.nemo\.tar$/i;
/** Names of checkpoints of PyTorch, whatever wrote them: some are archives. */
const torchName = /\.(pth|pt)\.tar$/i;
/** Shards that tell how many members there are in all, and those of a dataset that is too large to be walked over. */
const FIRST_SHARDS = 4;
const SAMPLED_SHARDS = 24;
const CONFIDENCE = 0.95;
const NPY_TOKENS = new Set(['u8', 'u16', 'u32', 'u64', 'i16', 'i32', 'i64']);

export const webDataset: DatasetLayout = {
  id: 'webdataset',
  framework: 'WebDataset',
  sampleUnit: 'sample',
  names: [
    { extensions: ['tar'], compressions: ['gz', 'zst'], isOwn: false },
    { extensions: ['tgz'], isOwn: false },
  ],

  async claim(free, listing, probe) {
    const named = free.filter(({ path }) => shardName.test(baseName(path)) && !otherName.test(baseName(path)));
    const shards = (await asyncFilter(named, (entry) => isShard(entry, probe))).map(({ path }) => path);
    if (shards.length === 0) return [];
    addDamagedSiblings(shards, free);
    const directories = new Set(shards.map(parentPath));
    const indexes = free.filter(
      ({ path }) => /^(.*[_-])?(index|shards?|wids.*)\.json$/s.test(baseName(path)) && directories.has(parentPath(path)),
    );
    const own: string[] = [];
    for (const { path } of indexes) {
      const head = await probe.head(path);
      if (!holdsContent(head) || decodeText(head).includes('wids-shard-index')) own.push(path);
    }
    const stems = new Set(shards.map(stemOf));
    const tables = free.filter(({ path }) => path.endsWith('.parquet') && stems.has(stemOf(path)));
    return [...shards, ...own, ...tables.map(({ path }) => path)];
  },

  async read(paths, access) {
    const index = new WidsIndex();
    for (const path of paths) if (path.endsWith('.json')) index.add(path, await access.json(path, 'index of shards'), access);
    for (const path of paths)
      if (path.endsWith('.parquet'))
        access.describe(path, { format: 'parquet', role: 'what is known of the samples', restKind: 'metadata' });
    const shards = paths.filter((path) => shardName.test(path));
    noteMissingShards(shards, access);
    access.listed(shards.filter((path) => index.samplesOf(path) !== undefined));
    await new Reading(shards, index, access).read();
  },
};

/** `00012` of `00012.tar`: img2dataset and its kin write `00012.parquet` beside it, a row for each sample that is in the archive. */
function stemOf(path: string): string {
  return path.replace(/\.(parquet|tar(\.\w+)?|tgz|tbz2|txz)$/i, '');
}

/** A file that is called as its siblings are, but for its number, is a shard whatever is in it. */
function addDamagedSiblings(shards: string[], free: readonly FileEntry[]): void {
  const known = new Set(shards);
  const patterns = new Set(shards.map(withoutNumber));
  for (const { path } of free)
    if (!known.has(path) && /\d/.test(baseName(path)) && patterns.has(withoutNumber(path))) shards.push(path);
}

function withoutNumber(path: string): string {
  return joinPath(parentPath(path), baseName(path).replace(/\d+/g, '#'));
}

/** Of a file that is called as shards are. */
async function isShard({ path, sizeBytes }: FileEntry, probe: Probe): Promise<boolean> {
  const head = await probe.head(path);
  if (await beginsWithCheckpoint(head)) return false;
  if (!path.endsWith('.tar')) return true;
  // `torch.save(…, 'checkpoint.tar')`: an archive of its own kind, or a pickle.
  if (isTorchTar(head) || isPickle(head)) return false;
  if (torchName.test(path)) return head.byteLength >= TAR_HEADER_BYTES && hasTarHeader(head);
  // An archive that was cut or damaged at its beginning is still one by its name.
  return sizeBytes === 0 || compressionOf(head) !== undefined || hasTarHeader(head) || head.every((byte) => byte === 0);
}

/** `{"__kind__": "wids-shard-index-v1", "shardlist": [{url, nsamples, filesize}]}` (webdataset, wids_index.py). */
class WidsIndex {
  private readonly counts = new Map<string, { samples: number; sizeBytes: number | undefined }>();

  add(path: string, root: unknown, access: DatasetAccess): void {
    access.describe(path, { restKind: 'index' });
    const names = new Set(Array.from(access.listing.entries, (entry) => baseName(entry.path)));
    const list = memberOf(root, 'shardlist');
    const shards = Array.isArray(list) ? list : [];
    const missing: string[] = [];
    for (const shard of shards) {
      const url = memberOf(shard, 'url');
      const samples = memberOf(shard, 'nsamples');
      const sizeBytes = memberOf(shard, 'filesize');
      if (typeof url !== 'string' || typeof samples !== 'number' || !Number.isSafeInteger(samples)) continue;
      const name = baseName(url);
      this.counts.set(name, { samples, sizeBytes: typeof sizeBytes === 'number' ? sizeBytes : undefined });
      if (names.has(name)) continue;
      missing.push(name);
      access.upperBound(joinPath(parentPath(path), name), { samples, tokens: null });
    }
    const [first] = missing;
    if (!access.listing.isSingleFile && first !== undefined)
      access.finding({ code: 'shards-listed-missing', path, facts: { missing: missing.length, total: shards.length, first } });
  }

  samplesOf(path: string): number | undefined {
    return this.counts.get(baseName(path))?.samples;
  }

  /** Findings where the index speaks of another file, or the file of other samples. */
  compare(path: string, sizeBytes: number, samples: number | null, access: DatasetAccess): void {
    const given = this.counts.get(baseName(path));
    if (given === undefined) {
      if (this.counts.size > 0) access.finding({ code: 'shard-unlisted', path, facts: { files: 1, first: path } });
      return;
    }
    if (given.sizeBytes !== undefined && given.sizeBytes !== sizeBytes)
      access.finding({ code: 'shard-size-differs', path, facts: { expectedBytes: given.sizeBytes, bytes: sizeBytes } });
    if (samples !== null && given.samples !== samples) {
      const facts = { expected: given.samples, found: samples, detail: 'nsamples in the index' };
      access.finding({ code: 'index-count-differs', path, facts });
    }
  }
}

class Reading {
  private readonly found = new Map<string, TarSamples>();
  private readonly failed = new Set<string>();
  private walkedBytes = 0;
  private shape: RecordShape | undefined;

  constructor(
    private readonly shards: readonly string[],
    private readonly index: WidsIndex,
    private readonly access: DatasetAccess,
  ) {}

  async read(): Promise<void> {
    const { access, shards } = this;
    const spread = spreadOf(shards, SAMPLED_SHARDS);
    await this.walk(spread.slice(0, FIRST_SHARDS));
    const listedBytes = this.sizeOf(shards);
    const members = [...this.found.values()].reduce((sum, own) => sum + own.members, 0);
    const isSmall = this.walkedBytes > 0 && (members * listedBytes) / this.walkedBytes <= limits.tarMembers;
    const rest = (isSmall || this.found.size === 0 ? shards : spread).filter((path) => !this.found.has(path));
    await this.walk(rest);
    // One that could not be read is none that the others are in proportion to: its size is not that of an archive.
    const readable = shards.filter((path) => !this.failed.has(path));
    const totalBytes = this.sizeOf(readable);
    const isWhole =
      [...this.found.values()].every((own) => own.isWhole && own.damage === null) && this.found.size === readable.length;
    for (const path of shards) this.addShard(path);
    if (!isWhole) this.estimate(readable.length, totalBytes);
    access.sampleMethod('members of the archives with the same name are a sample', 'header');
    access.tokenMethod('elements of the arrays, as their headers state them');
    access.done('the header of each member with its checksum, the end of each archive');
    this.addCorpora(totalBytes);
  }

  private sizeOf(paths: readonly string[]): number {
    return paths.reduce((sum, path) => sum + (this.access.entry(path)?.sizeBytes ?? 0), 0);
  }

  private async walk(paths: readonly string[]): Promise<void> {
    const { access } = this;
    const maxMembers = Math.max(1000, Math.floor(limits.tarMembers / Math.min(this.shards.length, SAMPLED_SHARDS)));
    await access.each(paths, async (path, turn) => {
      access.describe(path, { role: 'shard', restKind: 'framing' });
      const read = await access.withSource(path, async (source) => {
        const archive = await plainArchive(path, source, access);
        const samples = await readTarSamples(archive.source, maxMembers, access.signal);
        const imports = await scanPickles(samples, archive.source, access);
        return {
          samples,
          imports,
          ...archive,
          zeros: await zerosBehind(samples, archive.source, access),
          sizeBytes: source.sizeBytes,
        };
      });
      await turn();
      this.take(path, read);
      await noteImports(path, read, access);
    });
    for (const path of paths) if (!this.found.has(path)) this.failed.add(path);
  }

  private take(path: string, { samples: found, isBeginning, isCompressed, sizeBytes, source, zeros }: ArchiveRead): void {
    const { access } = this;
    if (isBeginning) found.isWhole = false;
    // Of a compressed archive no position is known: its texts cannot be drawn.
    if (isCompressed) found.texts = [];
    this.found.set(path, found);
    this.walkedBytes += sizeBytes;
    if (zeros !== undefined) access.finding({ ...zeros, path });
    if (found.damage !== null && !isBeginning) {
      const { offset, detail } = found.damage;
      access.finding({ code: 'shard-corrupt', path, ...(offset === undefined ? {} : { offset }), facts: { detail } });
      access.describe(path, { restKind: 'unexplained' });
    } else if (found.isWhole && found.expectedBytes > source.sizeBytes) {
      const detail = `its headers need ${found.expectedBytes} bytes, it has ${source.sizeBytes}`;
      access.finding({ code: 'shard-truncated', path, offset: sizeBytes, facts: { detail } });
    }
    if (found.isWhole && found.samples === 0 && found.damage === null)
      access.finding({ code: 'shard-empty', path, facts: { detail: 'no member has a name of a sample' } });
  }

  private addShard(path: string): void {
    const { access, index } = this;
    const found = this.found.get(path);
    const isCounted = found !== undefined && found.isWhole && found.damage === null;
    const listed = index.samplesOf(path);
    if (listed !== undefined) access.upperBound(path, { samples: listed, tokens: null });
    const samples = isCounted ? found.samples : (listed ?? null);
    index.compare(path, access.entry(path)?.sizeBytes ?? 0, isCounted ? found.samples : null, access);
    const columns = found === undefined ? [] : columnsOf(found, !/\.(gz|tgz|zst|bz2|tbz2|xz|txz)$/i.test(path));
    const tokens = isCounted ? (columns.find(({ role }) => role === 'tokens')?.values ?? null) : null;
    if (found === undefined || !isCounted) access.describe(path, { role: 'shard', restKind: 'values' });
    access.shard({
      path,
      split: splitOf(path),
      samples,
      tokens,
      columns: isCounted ? columns : columns.map(withoutNumbers),
      // Zeros are an archive without members, and one that was never written.
      isBlank: isCounted && found.members === 0 && listed === undefined,
    });
  }

  /** Samples and tokens of what was not walked over, in proportion to the bytes. */
  private estimate(readable: number, totalBytes: number): void {
    const { access, shards, index } = this;
    access.notDone('every member: some shards, or their beginnings, were walked over');
    const blocks = [...this.found].flatMap(([path, own]) =>
      own.isWhole ? [{ y: own.samples, x: this.sizeOf([path]) }] : own.blocks,
    );
    if (shards.every((path) => index.samplesOf(path) !== undefined)) return;
    const estimate = estimateRatio(blocks, totalBytes, CONFIDENCE);
    if (estimate === null) return;
    access.sampleCount({
      count: Math.round(estimate.count),
      exact: false,
      interval: [Math.floor(estimate.low), Math.ceil(estimate.high)],
      confidence: [...this.found.values()].every((own) => own.isWhole) ? CONFIDENCE : null,
      method: 'samples of the shards that were walked over, in proportion to their bytes',
      basis: 'sampled',
      coverage: { counted: this.found.size, of: readable, unit: 'shards' },
    });
  }

  private addCorpora(totalBytes: number): void {
    // Texts of the shards that were walked over stand for those of the others.
    const factor = this.walkedBytes === 0 ? 1 : Math.max(1, totalBytes / this.walkedBytes);
    for (const [path, { texts, isWhole }] of this.found) {
      // Where a sample has a caption in a file of its own, its JSON describes it.
      const plain = texts.filter(({ isJson }) => !isJson);
      const own = plain.length > 0 ? plain : texts;
      if (own.length > 0) this.access.corpus(this.corpusOf(path, own, isWhole ? factor : factor * 2));
    }
  }

  private corpusOf(path: string, texts: readonly TextMember[], factor: number): TextCorpus {
    const source = this.access.open(path);
    const bytes = texts.reduce((sum, text) => sum + text.bytes, 0);
    const isExact = factor === 1 && texts.every(({ isJson }) => !isJson);
    return {
      path,
      span: texts.length,
      reachable: texts.length,
      weightBytes: Math.max(1, bytes * factor),
      textBytes: isExact ? bytes : null,
      documents: null,
      isCounted: true,
      window: Math.max(1, Math.round((USUAL_WINDOW_BYTES * texts.length) / Math.max(1, bytes))),
      draw: async (from, length, signal) => {
        const drawn: string[] = [];
        for (const member of texts.slice(from, from + length)) {
          const content = await source.read(member.offset, Math.min(member.bytes, limits.textLineBytes), signal);
          for (const text of this.textsOf(content, member)) drawn.push(text);
        }
        const count = Math.min(length, texts.length - from);
        return {
          texts: drawn,
          textBytes: drawn.reduce((sum, text) => sum + utf8Length(text), 0),
          documents: count,
          covered: count,
        };
      },
    };
  }

  private textsOf(content: Uint8Array, { isJson }: TextMember): string[] {
    if (!isJson) return [decodeText(content)];
    const record = parseRecord(content);
    if (record === undefined) return [];
    this.shape ??= shapeOfRecords([record]);
    return textsOfRecord(record, this.shape);
  }
}

/** What the pickled members of a shard import. */
async function scanPickles({ pickles }: TarSamples, source: ByteSource, access: DatasetAccess): Promise<FileImports> {
  const imports = new FileImports(access);
  for (const { name, offset, bytes } of pickles) {
    const available = Math.max(0, Math.min(bytes, source.sizeBytes - offset));
    await imports.scanPart(sliceSource(source, offset, available), name, offset);
    if (available < bytes) imports.leaveOut(name, bytes - available, 'it goes on behind what is read of the archive');
  }
  return imports;
}

async function noteImports(path: string, { imports, samples }: ArchiveRead, access: DatasetAccess): Promise<void> {
  await reportImports(imports, path, access);
  if (samples.pickles.length > 0) access.done('imports of pickled members');
  if (samples.morePickles > 0) {
    const all = samples.pickles.length + samples.morePickles;
    const detail = `${formatCount(samples.pickles.length)} of ${formatCount(all)} were scanned`;
    access.finding({
      code: 'pickle-not-scanned',
      path,
      facts: { record: 'pickled members', bytes: samples.morePickleBytes, detail },
    });
  }
  if (samples.morePickles > 0) access.notDone('imports of all pickled members: those of the first in each shard were listed');
}

interface ArchiveRead extends Archive {
  imports: FileImports;
  samples: TarSamples;
  sizeBytes: number;
  zeros: FileFinding | undefined;
}

/** Writers pad archives to records of 10 KiB, or of some more (tar, --blocking-factor). */
const MOST_PADDING_BYTES = 64 * 1024;

/** The finding for an archive that goes on with zeros behind its last member. */
async function zerosBehind(
  { isWhole, end }: TarSamples,
  source: ByteSource,
  access: DatasetAccess,
): Promise<FileFinding | undefined> {
  const isLong = isWhole && source.sizeBytes - end > MOST_PADDING_BYTES;
  return isLong ? findZeros(source, end, access.signal) : undefined;
}

interface Archive {
  source: ByteSource;
  isCompressed: boolean;
  /** True where only the beginning was decompressed. */
  isBeginning: boolean;
}

async function plainArchive(path: string, source: ByteSource, access: DatasetAccess): Promise<Archive> {
  const head = await source.read(0, Math.min(18, source.sizeBytes), access.signal);
  const compression = compressionOf(head);
  if (compression === undefined) return unpackedArchive(path, source, head, access);
  const { bytes, isWhole } = await decompressBeginning(source, compression, limits.countedTextBytes / 4, access);
  return { source: memorySource(path, bytes), isCompressed: true, isBeginning: !isWhole };
}

/** Of bzip2 and xz, which are unpacked in memory. */
async function unpackedArchive(path: string, source: ByteSource, head: Uint8Array, access: DatasetAccess): Promise<Archive> {
  const packing = compressionOfPickle(head);
  if (packing !== 'bzip2' && packing !== 'xz') return { source, isCompressed: false, isBeginning: false };
  const room = limits.countedTextBytes / 4;
  const packed = await source.read(0, Math.min(room, source.sizeBytes), access.signal);
  const { bytes, isWhole } = await unpack(packed, packing, room, access);
  return { source: memorySource(path, bytes), isCompressed: true, isBeginning: !isWhole };
}

function columnsOf(found: TarSamples, isPlain: boolean): ShardColumn[] {
  const columns = [...found.columns].map(([name, column]) => columnOf(name, column, isPlain));
  const isToken = ({ role, dtype }: ShardColumn): boolean =>
    role === 'tokens' || (dtype !== null && NPY_TOKENS.has(dtype) && role === 'value');
  const candidates = columns.filter(isToken);
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) only.role = 'tokens';
  return columns;
}

function columnOf(name: string, { files, bytes, dtype, elements, rank }: TarColumn, isPlain: boolean): ShardColumn {
  const isArray = dtype !== null && dtype !== 'mixed';
  const isText = /(^|\.)(txt|text|md|caption)$/.test(name);
  const isIds = isArray && rank <= 1 && NPY_TOKENS.has(dtype);
  const role = isText ? 'text' : isIds ? roleOfColumn(name.replace(/\.?npy$/, ''), 'integers') : 'value';
  const width = { name, type: isArray ? `npy ${dtype}` : 'file', values: isArray ? elements : files, logicalBytes: bytes };
  return { ...width, dtype: isIds ? dtype : null, role, bytes: isPlain ? bytes : null };
}

function withoutNumbers(column: ShardColumn): ShardColumn {
  return { ...column, values: null, bytes: null, logicalBytes: null };
}

/** Some of the items, evenly spread, both ends among them. */
function spreadOf<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  return Array.from({ length: count }, (_, index) => items[Math.round((index * (items.length - 1)) / (count - 1))] as T);
}
