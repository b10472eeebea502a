/** What layouts find in a dataset, before it is added up into a report. */
import type { Basis } from '../findings/evidence.js';
import type { Finding } from '../findings/finding.js';
import type { FoundImport } from '../formats/pickle/imports/importList.js';
import { ImportTable } from '../formats/pickle/imports/importTable.js';
import type {
  ByteKind,
  CountReport,
  DatasetColumn,
  DatasetLayoutId,
  LengthHistogram,
  PaddingReport,
  Vocabulary,
} from './datasetReport.js';
import type { NumberSpan } from './sampleTokens.js';
import type { TextEstimate } from './text/estimateText.js';
import type { TextCorpus } from './text/textCorpus.js';

/** One column as one shard holds it. Columns of the same name and type of all shards are added up. */
export type ShardColumn = DatasetColumn;

/** Tokens of a file whose headers do not declare how many there are. */
export interface TokenRange {
  /** The most likely number. */
  count: number;
  least: number;
  most: number;
  /** 1 where headers bound it, null for a guess. */
  confidence: 1 | null;
}

/** What a shard holds at most, where it cannot be counted: as an index states it, or its header. Null where that is not stated. */
export interface UpperBound {
  samples: number | null;
  tokens: number | null;
  /** Uncompressed bytes that its tokens fit into, where their number is not stated. */
  tokenBytes?: number;
}

/** One data file of a dataset. */
export interface Shard {
  path: string;
  /** Part of the dataset that it belongs to: `train`, `validation`. */
  split?: string | undefined;
  samples: number | null;
  /** Tokens stored in it, exact; null where there are none or only the data would tell. */
  tokens: number | null;
  /** What it may hold, where `tokens` is null for want of a number in its headers. */
  tokensBetween?: TokenRange;
  /** Uncompressed size of the whole file, where the format says. */
  logicalBytes?: number | undefined;
  columns: ShardColumn[];
  /** True for a file without any content in a format without headers: whether it should hold samples is not stated. */
  isBlank?: boolean;
  /**
   * `source`: the dataset was made from it and is here as well (the raw rows beside the tokenized ones); `copy`: repeats other
   * shards. Neither counts among samples and tokens.
   */
  use?: 'source' | 'copy';
}

/** What is known of one file of the listing. What `kinds` leaves of its bytes is of `restKind`. */
export interface DatasetFilePart {
  path: string;
  sizeBytes: number;
  format: string;
  role: string;
  kinds: Partial<Record<ByteKind, number>>;
  restKind: ByteKind;
  /** Set where it should be counted, whatever its bytes are. */
  isData?: boolean;
  /** Set where it is tokens of a fixed width, uncompressed: its size bounds their number. */
  isPlainTokens?: boolean;
}

export interface DatasetParts {
  layout: DatasetLayoutId;
  framework: { name: string; version: string | null };
  sampleUnit: string;
  files: DatasetFilePart[];
  shards: Shard[];
  /** Names of splits that are there without any shards. */
  emptySplits: string[];
  findings: Finding[];
  /** Globals that pickles name, by their full names. */
  imports: ImportTable<FoundImport>;
  facts: { label: string; value: string; path: string }[];
  vocabulary: Vocabulary | null;
  lengths: LengthHistogram | null;
  /** Set where there are more lengths than are read unasked. */
  lengthsOnRequest: boolean;
  padding: PaddingReport | null;
  /** Where tokens and masks lie as plain numbers. */
  spans: NumberSpan[];
  /** Id of the padding token, where a file states it. */
  paddingId: number | null;
  /** Raw text that may be sampled. */
  corpora: TextCorpus[];
  /** What sampling it gave; null where tokens are stored, or there is no text. */
  text: TextEstimate | null;
  /** Set where samples or tokens are estimates, in place of the sums over shards. */
  sampleCount: CountReport | null;
  tokenCount: CountReport | null;
  /** How the tokens of shards are known: a method for each kind of shard. */
  tokenMethods: Map<string, Basis>;
  /** As for the tokens. */
  sampleMethod: string;
  sampleBasis: Basis;
  /** Data files of which no samples and tokens are known: damaged, or in no index. */
  uncounted: string[];
  /** By path, of shards that are here and of those that an index lists and that are not. */
  upperBounds: Map<string, UpperBound>;
  done: string[];
  notDone: string[];
}

export function emptyDatasetParts(layout: DatasetLayoutId): DatasetParts {
  return {
    layout,
    framework: { name: layout, version: null },
    sampleUnit: 'sample',
    files: [],
    shards: [],
    emptySplits: [],
    findings: [],
    imports: new ImportTable<FoundImport>(({ kind }) => kind),
    facts: [],
    vocabulary: null,
    lengths: null,
    lengthsOnRequest: false,
    padding: null,
    spans: [],
    paddingId: null,
    corpora: [],
    text: null,
    sampleCount: null,
    tokenCount: null,
    tokenMethods: new Map(),
    sampleMethod: 'sum over the shards, as their headers state it',
    sampleBasis: 'header',
    uncounted: [],
    upperBounds: new Map(),
    done: [],
    notDone: [],
  };
}
