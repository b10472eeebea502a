import type { HubRevision } from '../text/hubRevision.js';
import type { PickleImport } from '../formats/pickle/imports/importList.js';
import type { IoReport } from '../bytes/countingSource.js';
import type { Evidence } from '../findings/evidence.js';
import type { FindingReport } from '../findings/finding.js';
import type { LoggedCheck } from '../findings/loggedCheck.js';

/** Names of the dataset layouts that a report can have; stable, see docs/dataset-report.md. */
export const datasetLayoutIds = [
  'huggingface-dataset',
  'parquet',
  'mds',
  'litdata',
  'megatron-indexed',
  'webdataset',
  'tfrecord',
  'array-record',
  'datatrove',
  'token-array',
  'jsonl',
  'text',
] as const;

export type DatasetLayoutId = (typeof datasetLayoutIds)[number];

/** What the bytes of a dataset are, in the order in which they are shown. Those of a report sum to `totalBytes`. */
export const byteKinds = [
  'tokens',
  'masks',
  'text',
  'values',
  'index',
  'metadata',
  'tokenizer',
  'framing',
  'unexplained',
] as const;

/**
 * `tokens`: payload of the token column. `masks`: attention masks, labels and what else repeats the tokens or is derived from them.
 * `text`: raw text. `values`: any other column or payload. `index`: what only says where samples lie. `framing`: headers, offsets,
 * validity bits, padding.
 */
export type ByteKind = (typeof byteKinds)[number];

/** What a column is to a training run, by its name and type. */
export type ColumnRole = 'tokens' | 'mask' | 'labels' | 'positions' | 'text' | 'value';

/** Between what a number is; null where it has no upper bound. */
export type Interval = [least: number, most: number | null];

/** A number that is exact, or an estimate with its range. */
export interface CountReport extends Evidence {
  count: number;
  exact: boolean;
  /** Lowest and highest; both `count` where it is exact. The highest is null where nothing bounds it: shards are missing. */
  interval: Interval;
  /** Share of cases in which the true number lies inside of the interval; 1 where it is exact, null for a range from experience. */
  confidence: number | null;
  /** Where the number comes from, in one sentence. */
  method: string;
}

export interface DatasetColumn {
  name: string;
  /** As the format writes it: `list<int32>`, `ndarray:uint16:2048`, `string`. */
  type: string;
  /** dtype of the elements in our names, e.g. `i32`; null for what has none. */
  dtype: string | null;
  role: ColumnRole;
  /** Elements over all samples, those of lists included; null where only the data would tell. */
  values: number | null;
  /** Bytes on disk, as they lie there (compressed); null where columns are not stored apart. */
  bytes: number | null;
  /** The same uncompressed; null where it is not stated. */
  logicalBytes: number | null;
}

export interface DatasetShard {
  path: string;
  bytes: number;
  /** Uncompressed, where the format says; else null. */
  logicalBytes: number | null;
  samples: number | null;
  tokens: number | null;
  split: string | null;
}

export interface DatasetSplit {
  name: string;
  shards: number;
  bytes: number;
  samples: number | null;
  tokens: number | null;
}

export interface DatasetFile {
  /** Relative to the inspected path, with forward slashes. */
  path: string;
  bytes: number;
  format: string;
  /** In the format's words, e.g. `shard`, `index`. */
  role: string;
  /** Sum to `bytes`. */
  kinds: Partial<Record<ByteKind, number>>;
}

/** How long samples are, in tokens. Present where headers hold every length. */
export interface LengthHistogram {
  /** What has the length: `sequence`, `document`, `row`, `sample`. */
  unit: string;
  count: number;
  minTokens: number;
  maxTokens: number;
  meanTokens: number;
  /** Upper bound of the bucket that holds the middle one: exact where buckets hold one length. */
  medianTokens: number;
  /** Samples without tokens. */
  empty: number;
  /** Ascending, without gaps between them in the sense of lengths; `from` and `to` are inclusive. */
  buckets: { from: number; to: number; count: number }[];
}

/** Share of token positions that hold padding. */
export interface PaddingReport {
  tokens: number;
  share: number;
  exact: boolean;
  method: string;
}

/** What raw text would take once it is tokenized. */
export interface TokenizedSize {
  dtype: string;
  bytes: number;
  interval: Interval;
  /** When this width fits, e.g. `vocabularies of at most 65,536 tokens`. */
  when: string;
}

/** Raw text: how much there is, and how many bytes of it a token takes. */
export interface TextReport {
  bytes: CountReport;
  bytesPerToken: { value: number; low: number; high: number; source: string };
  tokenized: TokenizedSize[];
  /** The tokenizer.json that counted the sample; null where none did. */
  tokenizer: string | null;
  /** Why the tokenizer that was found or given could not be used; null where one was used, or none was there. */
  tokenizerError: string | null;
}

/** A setting that a file states. */
export interface DatasetFact {
  label: string;
  value: string;
  /** The first file that says so. */
  path: string;
  /** How many files say the same, where there are more. */
  files?: number;
}

export interface Vocabulary {
  size: number;
  /** Where that is said: a path, with the key where there is one. */
  source: string;
}

/** What a training run of a given speed reads from this dataset. */
export interface ReadDemand {
  tokensPerSecond: number;
  sequenceLength: number;
  /** Payload of the token column only; null where tokens are not stored yet. */
  bytesPerSecond: number | null;
  /** All columns of the same samples, where the reader fetches them too. */
  allColumnsBytesPerSecond: number | null;
  /** Sequences a second: each is a read at a random place once data are shuffled. */
  randomReadsPerSecond: number;
  /** Bytes of such a read. */
  bytesPerRead: number | null;
  trainingTokens: number | null;
  epochs: number | null;
  /** How long the training tokens take. */
  seconds: number | null;
}

/** Everything that is known of one dataset. The panel, the command line and the exports all show this object. */
export interface DatasetReport {
  schemaVersion: 2;
  kind: 'dataset';
  path: string;
  /** Of a revision in the cache of the Hugging Face Hub. */
  revision?: HubRevision;
  layout: DatasetLayoutId;
  framework: { name: string; version: string | null };
  totalBytes: number;
  /** Documents, rows or records as the format counts them; null where only the data would tell. */
  samples: number | null;
  /** How `samples` is known; null without samples. */
  sampleCount: CountReport | null;
  /** What the format calls a sample: `document`, `row`, `sample`, `record`, `line`. */
  sampleUnit: string;
  tokens: CountReport | null;
  /** dtype of the stored tokens; `mixed` where shards differ; null where none are stored. */
  tokenDtype: string | null;
  /** Bytes that one stored token takes in the token column, uncompressed. */
  bytesPerToken: number | null;
  vocabulary: Vocabulary | null;
  /** Bytes on disk by what they are; sum to `totalBytes`. */
  bytes: Partial<Record<ByteKind, number>>;
  columns: DatasetColumn[];
  splits: DatasetSplit[];
  shards: DatasetShard[];
  lengths: LengthHistogram | null;
  /** True where the lengths were too many to be read unasked: `--all-lengths` reads them. */
  lengthsOnRequest: boolean;
  padding: PaddingReport | null;
  text: TextReport | null;
  /** Present where a training plan was given. */
  demand?: ReadDemand;
  files: DatasetFile[];
  /** Settings that the files state: tokenizer, compression, seeds, chunk sizes. */
  facts: DatasetFact[];
  findings: FindingReport[];
  /** Every global that pickles name; absent where none does. */
  pickleImports?: PickleImport[];
  checks: { done: string[]; notDone: string[] };
  /** Readings of all bytes that a log beside the path has; absent without any. */
  loggedChecks?: LoggedCheck[];
  io: IoReport;
}
