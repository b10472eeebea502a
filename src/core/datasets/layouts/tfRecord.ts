/** TFRecord files, with the descriptions of TensorFlow Datasets where they are there. */
import { between } from '../counts.js';
import { decompressBeginning } from '../../bytes/decompressBeginning.js';
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { memorySource } from '../../bytes/memorySource.js';
import { decodeText } from '../../bytes/text.js';
import { baseName } from '../../files/paths.js';
import type { ByteSource } from '../../bytes/byteSource.js';
import { readExample, type TfFeature } from '../../formats/tensorflow/tfExample.js';
import { isTfRecord, walkTfRecords } from '../../formats/tensorflow/tfRecord.js';
import type { CountReport } from '../datasetReport.js';
import { roleOfColumn } from '../columnRole.js';
import type { DatasetAccess, DatasetLayout } from '../datasetLayout.js';
import type { ShardColumn } from '../datasetParts.js';
import { noteMissingShards } from '../shardNames.js';
import { splitOf } from '../splitName.js';
import { memoryCorpus } from '../text/memoryCorpus.js';
import { estimateRatio, type RatioSample } from '../text/ratioEstimate.js';
import { readTfdsInfo, type TfdsInfo } from '../tfdsInfo.js';

const shardName = /\.tfrecords?(\.gz)?(-\d{4,}-of-\d{4,})?(\.gz)?$/i;
/** `train-00000-of-01024`, as the scripts for ImageNet name them. */
const bareName = /^[a-z_-]+-\d{5}-of-\d{5}$/i;
/** Files of a large dataset that are looked at, and how much of each. */
const SAMPLED_SHARDS = 64;
const BEGINNING_BYTES = 1024 * 1024;
/** Records that make one sample of the estimate. */
const BLOCK_BYTES = 64 * 1024;
const CONFIDENCE = 0.95;

export const tfRecord: DatasetLayout = {
  id: 'tfrecord',
  framework: 'TensorFlow',
  sampleUnit: 'record',
  names: [{ extensions: ['tfrecord', 'tfrecords'], compressions: ['gz'], isNumbered: true, isOwn: false }],

  async claim(free, _listing, probe) {
    const paths: string[] = [];
    for (const { path } of free) {
      const name = baseName(path);
      if (shardName.test(name) || (bareName.test(name) && isTfRecord(await probe.head(path)))) paths.push(path);
    }
    return paths;
  },

  async read(paths, access) {
    const info = await readTfdsInfo(paths, access);
    noteMissingShards(paths, access);
    const totalBytes = paths.reduce((sum, path) => sum + (access.entry(path)?.sizeBytes ?? 0), 0);
    if (totalBytes <= limits.countedTextBytes) {
      access.sampleMethod('all records were counted', 'content');
      access.tokenMethod('the values of the token feature of every record', 'content');
      access.done('every record: its length and the checksum of its length');
      await access.each(paths, (path, turn) => readWhole(path, turn, info, access));
    } else await new Sampling(paths, info, access).read();
    access.notDone('the checksums of the data of records');
  },
};

async function readWhole(path: string, turn: () => Promise<void>, info: TfdsInfo, access: DatasetAccess): Promise<void> {
  access.describe(path, { role: 'records', restKind: 'framing' });
  const features = new Features();
  const walked = await access.withSource(path, async (source) => {
    const records = await plainSource(path, source, access);
    if (records === undefined) return undefined;
    const add = ({ data, dataBytes }: { data: Uint8Array | undefined; dataBytes: number }): void => features.add(data, dataBytes);
    const { records: count } = await walkTfRecords(records, records.sizeBytes, limits.textLineBytes, add, access.signal);
    return { count, logicalBytes: records.sizeBytes, isCompressed: records !== source };
  });
  await turn();
  if (walked === undefined) return access.notDone(`${path}: it holds more than is decompressed`);
  info.compare(path, walked.count, access);
  if (walked.count === 0) access.finding({ code: 'shard-empty', path, facts: { detail: 'it has no records' } });
  const columns = features.columns(walked.isCompressed);
  access.shard({
    path,
    split: splitOf(path),
    samples: walked.count,
    tokens: features.tokens,
    logicalBytes: walked.logicalBytes,
    isBlank: access.entry(path)?.sizeBytes === 0 && info.examplesOf(path) !== 0,
    columns,
  });
  if (walked.isCompressed) access.describe(path, { restKind: 'values' });
  else access.bytes(path, 'values', features.otherBytes);
  if (features.texts.length > 0) access.corpus(memoryCorpus(path, features.texts));
}

/** The file, or what it decompresses to; undefined where that is too much. */
async function plainSource(path: string, source: ByteSource, access: DatasetAccess): Promise<ByteSource | undefined> {
  const head = await source.read(0, Math.min(HEAD_BYTES, source.sizeBytes), access.signal);
  const compression = isTfRecord(head) ? undefined : compressionOfRecords(head);
  if (compression === undefined) return source;
  const { bytes, isWhole } = await decompressBeginning(source, compression, limits.countedTextBytes, access);
  return isWhole ? memorySource(path, bytes) : undefined;
}

const HEAD_BYTES = 12;

/** TFRecordWriter's `GZIP` and `ZLIB`. zlib's two bytes are a multiple of 31 (RFC 1950, FCHECK), and begin records by chance only. */
function compressionOfRecords([first = 0, second = 0]: Uint8Array): 'gzip' | 'zlib' | undefined {
  if (first === 0x1f && second === 0x8b) return 'gzip';
  return first === 0x78 && (first * 256 + second) % 31 === 0 ? 'zlib' : undefined;
}

/** What the examples of a file hold, feature by feature. */
class Features {
  /** Payload of features that have no column of their own, and of records that are no examples. */
  otherBytes = 0;
  readonly texts: string[][] = [];
  private readonly byName = new Map<string, { kind: TfFeature['kind']; values: number; bytes: number; isText: boolean }>();

  add(data: Uint8Array | undefined, dataBytes: number): void {
    const features = data === undefined ? undefined : featuresOf(data);
    if (features === undefined || data === undefined) {
      this.otherBytes += dataBytes;
      return;
    }
    const texts: string[] = [];
    for (const feature of features) {
      const isText = feature.kind === 'bytes' && roleOfColumn(feature.name, 'text') === 'text';
      const known = this.byName.get(feature.name) ?? { kind: feature.kind, values: 0, bytes: 0, isText };
      // Names are up to the file: beyond a bound they are not told apart.
      if (this.byName.size >= MAX_FEATURES && !this.byName.has(feature.name)) this.otherBytes += feature.bytes;
      else this.byName.set(feature.name, { ...known, values: known.values + feature.values, bytes: known.bytes + feature.bytes });
      if (isText) for (const { start, end } of feature.strings) texts.push(decodeText(data, start, end));
    }
    if (texts.length > 0) this.texts.push(texts);
  }

  get tokens(): number | null {
    return this.columns(true).find(({ role }) => role === 'tokens')?.values ?? null;
  }

  columns(isCompressed: boolean): ShardColumn[] {
    return [...this.byName].map(([name, { kind, values, bytes, isText }]) => ({
      name,
      type: kind,
      // int64 values are written as varints: no fixed width.
      dtype: kind === 'float' ? 'f32' : null,
      role: isText ? 'text' : roleOfColumn(name, kind === 'int64' ? 'integers' : 'other'),
      values,
      bytes: isCompressed ? null : bytes,
      logicalBytes: bytes,
    }));
  }
}

const MAX_FEATURES = 1000;

/** Undefined for a record that is something else than an example. */
function featuresOf(data: Uint8Array): TfFeature[] | undefined {
  try {
    const features = readExample(data);
    return features.length === 0 ? undefined : features;
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return undefined;
  }
}

/** Large datasets: counts out of the description, or by the beginnings of some shards. */
class Sampling {
  private readonly records: RatioSample[] = [];
  private readonly tokens: RatioSample[] = [];

  constructor(
    private readonly paths: readonly string[],
    private readonly info: TfdsInfo,
    private readonly access: DatasetAccess,
  ) {}

  async read(): Promise<void> {
    const { access, paths, info } = this;
    const step = Math.max(1, Math.floor(paths.length / SAMPLED_SHARDS));
    const sampled = new Set(paths.filter((_, index) => index % step === 0).slice(0, SAMPLED_SHARDS));
    const columns = new Map<string, ShardColumn>();
    const read = new Set<string>();
    await access.each(paths, async (path, turn) => {
      const found = sampled.has(path) ? await this.readBeginning(path) : [];
      await turn();
      read.add(path);
      for (const column of found) columns.set(column.name, column);
      access.describe(path, { role: 'records', restKind: 'values' });
    });
    for (const path of paths)
      access.shard({
        path,
        split: splitOf(path),
        samples: info.examplesOf(path) ?? null,
        tokens: null,
        isBlank: access.entry(path)?.sizeBytes === 0 && info.examplesOf(path) !== 0,
        columns: [...columns.values()],
      });
    // Those that could not be read are no part of what is in proportion to bytes.
    const totalBytes = [...read].reduce((sum, path) => sum + (access.entry(path)?.sizeBytes ?? 0), 0);
    const isKnown = paths.every((path) => info.examplesOf(path) !== undefined);
    if (isKnown) access.sampleMethod('numbers of examples in dataset_info.json', 'index');
    else this.report(this.records, totalBytes, 'records', (count) => access.sampleCount(count));
    this.report(this.tokens, totalBytes, 'values of the token feature', (count) => access.tokenCount(count));
    access.notDone('every record: the beginnings of some shards were read');
  }

  private report(samples: readonly RatioSample[], totalBytes: number, what: string, use: (count: CountReport) => void): void {
    const estimate = estimateRatio(samples, totalBytes, CONFIDENCE);
    if (estimate === null || estimate.count === 0) return;
    const method = `${what} at the beginnings of shards, in proportion to their bytes`;
    use(between([Math.floor(estimate.low), Math.ceil(estimate.high)], estimate.count, method, 'sampled'));
  }

  /** Columns with no numbers: those of the beginning say nothing about the whole. */
  private async readBeginning(path: string): Promise<ShardColumn[]> {
    const features = new Features();
    await this.access.withSource(path, async (source) => {
      let block = { records: 0, start: 0, tokens: 0 };
      await walkTfRecords(
        source,
        BEGINNING_BYTES,
        BLOCK_BYTES,
        ({ offset, data, dataBytes }) => {
          if (offset - block.start >= BLOCK_BYTES) {
            const tokens = features.tokens;
            this.records.push({ y: block.records, x: offset - block.start });
            if (tokens !== null) this.tokens.push({ y: tokens - block.tokens, x: offset - block.start });
            block = { records: 0, start: offset, tokens: tokens ?? 0 };
          }
          features.add(data, dataBytes);
          block.records += 1;
        },
        this.access.signal,
      );
    });
    return features.columns(true).map((column) => ({ ...column, values: null, logicalBytes: null }));
  }
}
