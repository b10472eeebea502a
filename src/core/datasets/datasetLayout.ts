import type { UnpackBudget } from '../bytes/unpackBudget.js';
import type { ByteSource } from '../bytes/byteSource.js';
import type { FormatError } from '../bytes/formatError.js';
import type { FileEntry } from '../files/fileTree.js';
import type { NamePattern } from '../files/namePattern.js';
import type { Listing } from '../files/listing.js';
import type { ByteKind, DatasetLayoutId, PaddingReport, Vocabulary, LengthHistogram, CountReport } from './datasetReport.js';
import type { Basis } from '../findings/evidence.js';
import type { Finding } from '../findings/finding.js';
import type { PickleImportName } from '../formats/pickle/imports/importCollector.js';
import type { Shard, UpperBound } from './datasetParts.js';
import type { TokenizerFile } from './tokenizerFile.js';
import type { NumberSpan } from './sampleTokens.js';
import type { SamplingOptions } from './text/estimateText.js';
import type { TextCorpus } from './text/textCorpus.js';

/** The beginning of a file, for what names do not tell. Cached: asking again costs nothing. */
export interface Probe {
  /** Up to `PROBE_BYTES` bytes; empty where the file cannot be read. */
  head(path: string): Promise<Uint8Array>;
  /** The same of up to `bytes`, read again each time. */
  beginning(path: string, bytes: number): Promise<Uint8Array>;
  /** False for a bare `.json`, an array or a `.bin` that is one of too many to look at each: see `sampleNames`. */
  isSampled(path: string): boolean;
  /** Why the head of a file could not be read; undefined for others, and before `head`. */
  failure(path: string): FormatError | undefined;
}

/** Enough for every magic number and for the header of an array. */
export const PROBE_BYTES = 1024;

/**
 * One dataset layout: which files it owns, and what is in them. Several may claim files of one directory (text beside a tokenized
 * copy): each reads its own, and the one with the most bytes names the report.
 */
export interface DatasetLayout {
  readonly id: DatasetLayoutId;
  /** Shown as the framework that writes it. */
  readonly framework: string;
  /** What it calls a sample. */
  readonly sampleUnit: string;
  /** Names that tell its files from those of other programs. */
  readonly names?: readonly NamePattern[];
  /**
   * The files that are its own: shards, and the index files that only it understands. Files that others claimed are not in `free`.
   * Names are looked at first; `probe` reads, so it is for few files or for those whose names leave it open.
   */
  claim(free: readonly FileEntry[], listing: Listing, probe: Probe): Promise<string[]> | string[];
  /**
   * For layouts that know files by their content: true for a path that would be theirs by its name. Those of which nothing can be known
   * (empty, not readable, a pointer, a web page, zeros) are, where a file beside them is.
   */
  readonly mayBeNamed?: (path: string) => boolean;
  read(paths: readonly string[], access: DatasetAccess): Promise<void>;
}

/** How far reading goes beyond headers, where a user wants to wait for more. */
export interface DatasetOptions {
  /** Read all lengths, also where they take more than `limits.lengthsBytes`. */
  allLengths: boolean;
  /** How raw text is sampled. */
  sampling: SamplingOptions;
  /** A tokenizer to take instead of the one beside the data. */
  tokenizer?: TokenizerFile;
}

/** What a file is. */
export interface FileFacts {
  format?: string;
  role?: string;
  restKind?: ByteKind;
  /** Set for a file whose samples should be counted, whatever its bytes are. */
  isData?: boolean;
  /** Set for tokens of a fixed width, uncompressed: the size of the file bounds their number. */
  isPlainTokens?: boolean;
}

/** What a layout reads with, and where it puts what it finds. */
export interface DatasetAccess {
  readonly options: DatasetOptions;
  readonly listing: Listing;
  readonly signal: AbortSignal | undefined;
  readonly unpackBudget: UnpackBudget;
  entry(path: string): FileEntry | undefined;
  /** Opens a file of the listing for as long as `use` runs. Reads are counted. */
  withSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T>;
  /**
   * What a look at a file shows to be in place of its data: a pointer, a web page, zeros. Undefined where they may be there. For formats
   * that state nothing by which reading them would fail.
   * @param from where the data begin behind a header
   */
  contentError(path: string, from?: number): Promise<FormatError | undefined>;
  /** Damage of a file, once each: a finding, and its bytes unexplained. What is no damage is thrown on. */
  failure(path: string, error: unknown): void;
  /** A file of the listing for later draws of text: opened for each read, so that thousands of them hold no handles. */
  open(path: string): ByteSource;
  /** A whole JSON file, at most `limits.jsonBytes`; undefined, with a finding, where it is none. Marks the file as metadata. */
  json(path: string, role?: string): Promise<unknown>;
  /**
   * Runs `work` over paths, several at once. What `work` does after awaiting `turn()` happens in the order of the paths. A
   * FormatError of one becomes a finding on its path, and its bytes unexplained; the others go on.
   */
  each(paths: readonly string[], work: (path: string, turn: () => Promise<void>) => Promise<void>): Promise<void>;
  /** Within long work on what was read: lets messages through. @throws FormatError `cancelled` */
  pause(): Promise<void>;
  /** What a file is. `restKind` is what its bytes are that `bytes` does not name; `framing` by default. */
  describe(path: string, facts: FileFacts): void;
  /** Adds bytes of a file to a kind. */
  bytes(path: string, kind: ByteKind, count: number): void;
  /** Adds a shard; the bytes of its columns go to the kinds of their roles. */
  shard(shard: Shard): void;
  /** Shards that an index lists, or whose names state how many there are: that none is missing is known of these alone. */
  listed(paths: Iterable<string>): void;
  /** What a shard holds at most where it is damaged or not here. Does not matter for one that is counted. */
  upperBound(path: string, bound: UpperBound): void;
  /** A split that is there without any shards. */
  emptySplit(name: string): void;
  finding(finding: Finding): void;
  /** A global that a pickle of the file names. */
  pickleImport(name: PickleImportName, path: string): void;
  fact(label: string, value: string, path: string): void;
  /** The size of the vocabulary, where a file states it. The first wins. */
  vocabulary(vocabulary: Vocabulary): void;
  /** That of the tokenizer or the model's config beside the data, or of the tokenizer that the user chose; null where none is known. */
  vocabularyBeside(): Vocabulary | null;
  corpus(corpus: TextCorpus): void;
  /** Where tokens, or an attention mask, lie as plain numbers: some of them are looked at. */
  span(span: NumberSpan): void;
  /** The id of the padding token. */
  paddingId(id: number): void;
  /** Lengths of samples; of several files they are added up. */
  lengths(histogram: LengthHistogram): void;
  /** The lengths of all `units` (`rows`, `documents`) are there and were not read: they are many, and were not requested. */
  lengthsOnRequest(units: string): void;
  padding(padding: PaddingReport): void;
  /** In place of the sum over shards, where that is only an estimate. */
  sampleCount(count: CountReport): void;
  tokenCount(count: CountReport): void;
  /** How the exact tokens are known: `sum of the sequence lengths in the .idx`. Default of the basis: `header`. */
  tokenMethod(method: string, basis?: Basis): void;
  /** How the exact samples are known, where headers of the shards do not state them. */
  sampleMethod(method: string, basis: Basis): void;
  /** What was checked, and what headers cannot tell; in whole sentences without a full stop. */
  done(check: string): void;
  notDone(check: string): void;
}
