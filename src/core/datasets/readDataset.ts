/** Reads what the layouts claimed, and everything beside it, into parts. One damaged file is a finding, no more. */
import type { UnpackBudget } from '../bytes/unpackBudget.js';
import type { ByteSource } from '../bytes/byteSource.js';
import { EvenSpread } from '../bytes/evenSpread.js';
import { FormatError, throwIfCancelled } from '../bytes/formatError.js';
import { limits } from '../bytes/limits.js';
import { readWhole } from '../bytes/readWhole.js';
import { byteOrderMark } from '../bytes/text.js';
import { scanPickleInstead, scanPicklesInstead } from '../formats/pickle/imports/picklesBeside.js';
import { findingTable } from '../findings/findingTable.js';
import { runOrdered } from '../files/orderedPool.js';
import { addImport } from '../formats/pickle/imports/importList.js';
import type { PickleImportName } from '../formats/pickle/imports/importCollector.js';
import { picklesLeft, scanPicklesBeside, type PicklesBeside } from '../formats/pickle/imports/picklesBeside.js';
import { jsonFileValue } from '../formats/text/jsonValue.js';
import { jsonErrorInWords } from '../formats/text/jsonError.js';
import type { FileEntry } from '../files/fileTree.js';
import type { Listing } from '../files/listing.js';
import { mayBeLfsPointer } from '../files/lfsPointer.js';
import { withFile, type OpenContext } from '../files/openFiles.js';
import { findPicklesAsTokens } from './picklesAsTokens.js';
import { promisesData } from '../files/readableFiles.js';
import { otherFilesNotRead } from '../files/otherFiles.js';
import { isRepositoryInternal } from '../files/repositoryInternals.js';
import { isSideFile } from '../files/sideFiles.js';
import { formatCount } from '../text/units.js';
import type { ByteKind, DatasetFact, Vocabulary } from './datasetReport.js';
import type { Basis } from '../findings/evidence.js';
import { ImpostorError } from '../findings/impostorError.js';
import { findHoles, findImpostor, findMissingSpace, findZeros, refuseImpostor } from '../formats/impostor.js';
import { pickleFindings } from '../findings/pickleFindings.js';
import { findingOfError } from '../findings/findingOfError.js';
import { addHistograms } from './lengthHistogram.js';
import { kindOfRole } from './columnRole.js';
import { sampleNames, type NameSample } from './nameSample.js';
import {
  PROBE_BYTES,
  type DatasetAccess,
  type DatasetLayout,
  type DatasetOptions,
  type FileFacts,
  type Probe,
} from './datasetLayout.js';
import { findCopiedFiles, findingsOfCopies, type CopiedFile } from './copiedFiles.js';
import { emptyDatasetParts, type DatasetFilePart, type DatasetParts, type UpperBound } from './datasetParts.js';
import type { Claim } from './detectDataset.js';
import { readBeside } from './besideFiles.js';
import { describeTokenizer, type TokenizerFile } from './tokenizerFile.js';
import type { NumberSpan } from './sampleTokens.js';
import { findShardGaps } from './shardGaps.js';
import { spotCheckTokens } from './spotCheck.js';
import { estimateText, type TextEstimate } from './text/estimateText.js';
import type { TextTokenizer } from './text/tokenizer.js';

export interface DatasetContext extends OpenContext {
  options: DatasetOptions;
  /** The beginnings of the files of the listing. */
  probe: Probe;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** Lets other work run, so that a user can cancel. */
  pause: () => Promise<void>;
  onFile(path: string, done: number, total: number): void;
  /** While text is sampled: the file that was drawn from last, how many places were looked at, and of how many. */
  onSample(path: string, done: number, total: number): void;
}

/** The beginnings of files, read once each. `sample` tells which of too many `.json` files are looked at. */
export function createProbe(context: OpenContext, listing: Listing, sample: NameSample = sampleNames(listing.entries)): Probe {
  const heads = new Map<string, Promise<Uint8Array>>();
  const failures = new Map<string, FormatError>();
  const read = async (path: string, bytes: number): Promise<Uint8Array> => {
    try {
      const entry = listing.entry(path);
      refuseUnlisted(entry);
      if (entry?.sizeBytes === 0) return new Uint8Array(0);
      return await withFile(context, path, (source) => source.read(0, Math.min(bytes, source.sizeBytes), context.signal));
    } catch (error) {
      if (!FormatError.is(error) || FormatError.is(error, 'cancelled')) throw error;
      failures.set(path, error);
      return new Uint8Array(0);
    }
  };
  const beginning = (path: string, bytes: number): Promise<Uint8Array> => {
    throwIfCancelled(context.signal);
    return listing.entry(path) === undefined ? Promise.resolve(new Uint8Array(0)) : read(path, bytes);
  };
  return {
    head(path) {
      const head = heads.get(path) ?? beginning(path, PROBE_BYTES);
      heads.set(path, head);
      return head;
    },
    beginning,
    isSampled: (path) => sample.has(path),
    failure: (path) => failures.get(path),
  };
}

/** @throws FormatError for a file of which the listing found out that it cannot be read */
function refuseUnlisted(entry: FileEntry | undefined): void {
  if (entry?.error !== undefined) throw new FormatError('io', entry.error);
}

/** Reads all claims; the first names the dataset. */
export async function readDataset(
  context: DatasetContext,
  listing: Listing,
  claims: readonly [Claim, ...Claim[]],
): Promise<DatasetParts> {
  const { layout } = claims[0];
  const parts = emptyDatasetParts(layout.id);
  parts.framework = { name: layout.framework, version: null };
  parts.sampleUnit = layout.sampleUnit;
  const reading = new DatasetReading(context, listing, parts);
  const chosen = context.options.tokenizer;
  // One that the user names counts for more than what lies beside the data.
  if (chosen !== undefined) describeTokenizer(chosen, reading);
  const claimed = new Set(claims.flatMap(({ paths }) => paths));
  const unclaimed = listing.entries.filter(({ path }) => !claimed.has(path));
  const beside = await reading.readBeside(unclaimed);
  const copied = new Set<string>();
  for (const claim of claims) {
    const { layout, paths } = claim;
    const copies = await findCopiedFiles(context, listing, claim);
    for (const { path } of copies) copied.add(path);
    await readFiles(
      layout,
      paths.filter((path) => !copied.has(path)),
      reading,
    );
    await readCopies(layout, copies, context, reading);
  }
  reading.noteUnlisted();
  parts.uncounted = reading.dataFilesWithoutShard([...claimed].filter((path) => !copied.has(path)));
  reading.noteGaps();
  reading.noteMissingSpace(claimed);
  reading.noteUnread(claimed);
  await reading.noteAbsent(claimed);
  parts.vocabulary ??= reading.vocabularyBeside();
  // Text is claimed by the names of its files.
  const texts = listing.entries.filter(({ path }) => claimed.has(path) && textName.test(path));
  notePickles(
    await scanPicklesBeside(context, [...unclaimed, ...texts], (name, path) => reading.pickleImport(name, path)),
    reading,
  );
  const instead = await scanPicklesInstead(context, reading.notReadAmong(claimed), { isRaw: false });
  for (const finding of instead.findings) reading.finding(finding);
  for (const { path, error } of instead.unreadable) reading.failure(path, error);
  const tokenFiles = parts.files.filter(({ isPlainTokens }) => isPlainTokens === true).map(({ path }) => path);
  notePickles(await findPicklesAsTokens(context, tokenFiles), reading);
  reading.noteOtherFiles(unclaimed);
  if (!hasTokens(parts)) parts.text = await estimate(parts, chosen ?? beside, context, reading);
  parts.spans = reading.spans;
  await spotCheck(parts, context, reading);
  return parts;
}

function readFiles(layout: DatasetLayout, paths: readonly string[], reading: DatasetReading): Promise<void> {
  for (const path of paths) reading.describe(path, { format: layout.id, role: 'data', restKind: 'framing' });
  return layout.read(paths, reading);
}

/** Reads copies apart from what they repeat: they take space and may hold pickles, and count nowhere else. */
async function readCopies(
  layout: DatasetLayout,
  copies: readonly CopiedFile[],
  context: DatasetContext,
  reading: DatasetReading,
): Promise<void> {
  if (copies.length === 0) return;
  const parts = emptyDatasetParts(layout.id);
  await readFiles(
    layout,
    copies.map(({ path }) => path),
    new DatasetReading(context, reading.listing, parts),
  );
  reading.addCopies(copies, parts);
}

const textName = /\.(?:txt|[ct]sv)$/i;

/** Statistics, caches and indexes in the formats of their programs: a loader of the data set may unpickle them. */
function notePickles({ findings, left }: PicklesBeside, reading: DatasetReading): void {
  for (const finding of findings) reading.finding(finding);
  if (left > 0) reading.notDone(picklesLeft(left));
}

/** A file that cannot be read any more has a finding of its own. */
async function spotCheck(parts: DatasetParts, context: DatasetContext, reading: DatasetReading): Promise<void> {
  try {
    await spotCheckTokens(parts, {
      seed: context.options.sampling.seed,
      vocabularySize: parts.vocabulary?.size ?? null,
      paddingId: parts.paddingId,
      open: (path) => reading.open(path),
      signal: context.signal,
    });
  } catch (error) {
    if (!FormatError.is(error) || error.code === 'cancelled') throw error;
    parts.notDone.push(`the stored tokens: ${error.detail}`);
  }
}

function hasTokens({ shards, tokenCount }: DatasetParts): boolean {
  return tokenCount !== null || shards.some(({ use, tokens }) => use === undefined && tokens !== null);
}

async function estimate(
  parts: DatasetParts,
  file: TokenizerFile | null,
  context: DatasetContext,
  reading: DatasetReading,
): Promise<TextEstimate | null> {
  if (parts.corpora.length === 0) return null;
  const tokenizer = file === null ? null : await tokenizerOf(file);
  const tokenizerError = typeof tokenizer === 'string' ? `${file?.path}: ${tokenizer}` : null;
  if (tokenizerError !== null) parts.notDone.push(`tokenizing with ${tokenizerError}`);
  // Pages of large files hold many rows, and are not kept: a sample costs no more than all of the text, nor than what is counted in full.
  const paths = new Set(parts.corpora.map(({ path }) => path));
  const fileBytes = parts.files.reduce((sum, { path, sizeBytes }) => sum + (paths.has(path) ? sizeBytes : 0), 0);
  const readBefore = context.counter.bytesRead;
  const estimated = await estimateText(parts.corpora, typeof tokenizer === 'string' ? null : tokenizer, {
    options: context.options.sampling,
    now: context.now,
    pause: context.pause,
    signal: context.signal,
    vocabularySize: parts.vocabulary?.size ?? null,
    isReadSpent: () => context.counter.bytesRead - readBefore > Math.min(fileBytes, limits.countedTextBytes),
    failed: (path, error) => reading.failure(path, error),
    onSample: (path, done, total) => context.onSample(path, done, total),
  });
  return estimated === null ? null : { ...estimated, text: { ...estimated.text, tokenizerError } };
}

/** The library only when there is a tokenizer: most data have none. */
async function tokenizerOf({ path, root }: TokenizerFile): Promise<TextTokenizer | string> {
  const { createTokenizer } = await import('./text/tokenizer.js');
  return createTokenizer(path, root);
}

/** Spans of a role that are drawn from, evenly spread over all: those of thousands of batches more would tell nothing else. */
const MAX_SPANS = 10_000;

class DatasetReading implements DatasetAccess {
  private readonly files = new Map<string, DatasetFilePart>();
  private readonly failed = new Set<string>();
  /** Those of them that would have held samples. */
  private readonly failedData = new Set<string>();
  /** Facts by what they say, with the files that say so. */
  private readonly facts = new Map<string, { fact: DatasetFact; paths: Set<string> }>();
  private readonly listedShards = new Set<string>();
  /** JSON files that were read whole. */
  private readonly parsed = new Set<string>();
  private done_ = 0;
  private isBeside = false;
  private beside: Vocabulary | null = null;
  private chosen: Vocabulary | null = null;
  private readonly spansOf = { tokens: new EvenSpread<NumberSpan>(MAX_SPANS), mask: new EvenSpread<NumberSpan>(MAX_SPANS) };

  constructor(
    private readonly context: DatasetContext,
    readonly listing: Listing,
    private readonly parts: DatasetParts,
  ) {
    for (const { path, sizeBytes } of listing.entries) {
      const part: DatasetFilePart = {
        path,
        sizeBytes,
        format: 'unknown',
        role: 'not recognised',
        kinds: {},
        restKind: 'unexplained',
      };
      this.files.set(path, part);
      parts.files.push(part);
    }
  }

  get signal(): AbortSignal | undefined {
    return this.context.signal;
  }

  get unpackBudget(): UnpackBudget {
    return this.context.unpackBudget;
  }

  get options(): DatasetOptions {
    return this.context.options;
  }

  entry(path: string): FileEntry | undefined {
    return this.listing.entry(path);
  }

  async withSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
    refuseUnlisted(this.entry(path));
    return withFile(this.context, path, (source) => {
      this.noteSize(path, source.sizeBytes);
      return use(source);
    });
  }

  async pause(): Promise<void> {
    await this.context.pause();
    throwIfCancelled(this.signal);
  }

  open(path: string): ByteSource {
    return {
      name: path,
      sizeBytes: this.files.get(path)?.sizeBytes ?? 0,
      read: (offset, length, signal) => this.withSource(path, (source) => source.read(offset, length, signal)),
      close: () => Promise.resolve(),
    };
  }

  async json(path: string, role = 'metadata'): Promise<unknown> {
    this.describe(path, { format: 'json', role, restKind: 'metadata' });
    this.parsed.add(path);
    try {
      return await this.withSource(path, async (source) => {
        const bytes = await readWhole(source, limits.jsonBytes, 'JSON', this.signal);
        if (byteOrderMark(bytes) === 'utf-8') this.finding({ code: 'json-byte-order-mark', path, offset: 0 });
        return jsonFileValue(bytes);
      });
    } catch (error) {
      const cause = error instanceof SyntaxError ? await this.contentError(path) : error;
      if (cause !== undefined) this.failure(path, cause);
      else if (error instanceof SyntaxError)
        this.parts.findings.push({ code: 'json-corrupt', path, offset: 0, facts: { detail: jsonErrorInWords(error) } });
      return undefined;
    }
  }

  /** Of files that a layout claims those that hold no samples for it, or whose reading ended in an error: an index, what is beside the data. */
  notReadAmong(claimed: ReadonlySet<string>): FileEntry[] {
    const { findings, shards } = this.parts;
    const isPickle = new Set(
      findings.flatMap(({ code, path }) => (path !== undefined && code.startsWith('pickle-') ? [path] : [])),
    );
    const failed = new Set(
      findings.flatMap(({ code, path }) => (path !== undefined && findingTable[code].severity === 'error' ? [path] : [])),
    );
    const read = new Set(shards.map(({ path }) => path).filter((path) => !failed.has(path)));
    return this.listing.entries.filter(({ path }) => claimed.has(path) && !read.has(path) && !isPickle.has(path));
  }

  /** Files whose beginning could not be read, and that no layout claims therefore. */
  noteUnread(claimed: ReadonlySet<string>): void {
    for (const { path, error } of this.listing.entries) {
      const failure = this.context.probe.failure(path);
      if (failure !== undefined && error === undefined && !claimed.has(path)) this.failure(path, failure);
    }
  }

  /** Files that no layout claims as their content is not here: pointers under any name, and whatever else is in place of promised data. */
  async noteAbsent(claimed: ReadonlySet<string>): Promise<void> {
    let left: number = limits.sniffedFiles;
    for (const { path, sizeBytes, error, link } of this.listing.entries) {
      if (claimed.has(path) || error !== undefined || link?.inside === true || link?.isDirectory === true) continue;
      const isPromised = promisesData(path) && !isRepositoryInternal(path) && left-- > 0;
      if (!isPromised && !mayBeLfsPointer(sizeBytes)) continue;
      try {
        await this.withSource(path, (source) => (isPromised ? refuseImpostor(source, this.signal) : Promise.resolve(undefined)));
      } catch (error) {
        this.failure(path, error);
      }
    }
  }

  async each(paths: readonly string[], work: (path: string, turn: () => Promise<void>) => Promise<void>): Promise<void> {
    await runOrdered(paths, limits.concurrentReads, async (path, _, turn) => {
      throwIfCancelled(this.signal);
      try {
        await work(path, turn);
      } catch (error) {
        const cause = await this.causeOf(path, error);
        const isOther = FormatError.is(cause) && cause.code !== 'io' && cause.code !== 'cancelled';
        const instead = isOther ? await scanPickleInstead(this.context, path) : [];
        await turn();
        this.failure(path, cause);
        for (const finding of instead) this.finding(finding);
      }
      // Some layouts come to a file again.
      this.done_ = Math.min(this.done_ + 1, this.listing.entries.length);
      this.context.onFile(path, this.done_, this.listing.entries.length);
    });
  }

  async contentError(path: string, from?: number): Promise<FormatError | undefined> {
    try {
      const allocatedBytes = this.entry(path)?.allocatedBytes;
      const finding = await this.withSource(
        path,
        async (source) =>
          (await (from === undefined ? findImpostor(source, this.signal) : findZeros(source, from, this.signal))) ??
          (allocatedBytes === undefined ? undefined : findHoles(source, from ?? 0, allocatedBytes, this.signal)),
      );
      return finding === undefined ? undefined : new ImpostorError(finding);
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      return error;
    }
  }

  /** What stands in place of the data of a file that could not be read as its format, or the error itself. */
  private async causeOf(path: string, error: unknown): Promise<unknown> {
    const mayBeOther =
      FormatError.is(error) && error.code !== 'io' && error.code !== 'cancelled' && !(error instanceof ImpostorError);
    return mayBeOther ? ((await this.contentError(path)) ?? error) : error;
  }

  describe(path: string, facts: FileFacts): void {
    const part = this.files.get(path);
    if (part !== undefined) Object.assign(part, facts);
  }

  bytes(path: string, kind: ByteKind, count: number): void {
    const part = this.files.get(path);
    if (part !== undefined && count > 0) part.kinds[kind] = (part.kinds[kind] ?? 0) + count;
  }

  shard(shard: DatasetParts['shards'][number]): void {
    this.parts.shards.push(shard);
    for (const { role, bytes } of shard.columns) this.bytes(shard.path, kindOfRole[role], bytes ?? 0);
  }

  /** What was found in files that repeat others. What they lack, or what is wrong with them, is so of the originals, which are compared with them. */
  addCopies(copies: readonly CopiedFile[], found: DatasetParts): void {
    const files = new Map(found.files.map((file) => [file.path, file]));
    for (const { path } of copies) Object.assign(this.files.get(path) ?? {}, files.get(path));
    for (const shard of found.shards) this.parts.shards.push({ ...shard, split: undefined, use: 'copy' });
    for (const [fullName, { kind, isCalled, paths }] of found.imports.entries())
      for (const path of paths) this.pickleImport({ fullName, kind, isCalled }, path);
    for (const finding of found.findings) if (finding.code in pickleFindings) this.finding(finding);
    for (const finding of findingsOfCopies(copies)) this.finding(finding);
  }

  listed(paths: Iterable<string>): void {
    for (const path of paths) this.listedShards.add(path);
  }

  upperBound(path: string, bound: UpperBound): void {
    this.parts.upperBounds.set(path, bound);
  }

  /** Files that no layout claims, and whose contents gave nothing: neither settings that were read nor a finding. */
  noteOtherFiles(unclaimed: readonly FileEntry[]): void {
    const own = unclaimed.filter(
      ({ path, sizeBytes, error, link }) =>
        sizeBytes > 0 &&
        error === undefined &&
        link === undefined &&
        !this.parsed.has(path) &&
        !this.failed.has(path) &&
        !isRepositoryInternal(path) &&
        !isSideFile(path),
    );
    const bytes = own.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    for (const check of otherFilesNotRead({ files: own.length, bytes })) this.notDone(check);
  }

  /** What the completeness of a dataset rests on, where it is not known of all shards. */
  noteUnlisted(): void {
    const own = this.parts.shards.filter(({ use }) => use === undefined);
    const unlisted = own.filter(({ path }) => !this.listedShards.has(path)).length;
    if (this.listing.isSingleFile || unlisted === 0) return;
    const which = unlisted === own.length ? 'the shards' : `${formatCount(unlisted)} of ${formatCount(own.length)} shards`;
    this.notDone(`whether shards are missing: no index lists ${which}, and no names state how many there are`);
  }

  /** Numbers that the names of shards leave out, where no index lists the shards. */
  noteGaps(): void {
    if (this.listing.isSingleFile) return;
    const own = this.parts.shards.flatMap(({ path, use }) => (use === undefined ? [path] : []));
    const unlisted = [...own, ...this.parts.uncounted].filter((path) => !this.listedShards.has(path));
    for (const { path, ...facts } of findShardGaps(unlisted)) this.finding({ code: 'shard-numbers-missing', path, facts });
  }

  /** Data files that take less on the disk than their size. */
  noteMissingSpace(claimed: ReadonlySet<string>): void {
    for (const { path, sizeBytes, allocatedBytes = 0, link } of this.listing.entries) {
      if (!claimed.has(path) || link !== undefined || this.failed.has(path)) continue;
      const finding = findMissingSpace(sizeBytes, allocatedBytes);
      if (finding !== undefined) this.finding({ ...finding, path });
    }
  }

  emptySplit(name: string): void {
    this.parts.emptySplits.push(name);
  }

  pickleImport(name: PickleImportName, path: string): void {
    addImport(this.parts, name, path);
  }

  finding(finding: DatasetParts['findings'][number]): void {
    this.parts.findings.push(finding);
  }

  fact(label: string, value: string, path: string): void {
    const key = JSON.stringify([label, value]);
    const known = this.facts.get(key);
    if (known !== undefined) {
      known.paths.add(path);
      if (known.paths.size > 1) known.fact.files = known.paths.size;
    } else if (this.parts.facts.length < limits.findingsPerCode * 4) {
      const fact: DatasetFact = { label, value, path };
      this.parts.facts.push(fact);
      this.facts.set(key, { fact, paths: new Set([path]) });
    }
  }

  vocabulary(vocabulary: Vocabulary): void {
    if (this.isBeside) this.beside ??= vocabulary;
    else this.parts.vocabulary ??= vocabulary;
  }

  vocabularyBeside(): Vocabulary | null {
    return this.chosen ?? this.beside;
  }

  /** Before the data, whose width of a token a vocabulary decides. What the data state themselves counts for more. */
  async readBeside(entries: readonly FileEntry[]): Promise<TokenizerFile | null> {
    this.chosen = this.parts.vocabulary;
    this.isBeside = true;
    const tokenizer = await readBeside(entries, this);
    this.isBeside = false;
    return tokenizer;
  }

  corpus(corpus: DatasetParts['corpora'][number]): void {
    this.parts.corpora.push(corpus);
  }

  span(span: NumberSpan): void {
    this.spansOf[span.role].add(span);
  }

  get spans(): NumberSpan[] {
    return [...this.spansOf.tokens.items, ...this.spansOf.mask.items];
  }

  paddingId(id: number): void {
    this.parts.paddingId ??= id;
  }

  lengths(histogram: NonNullable<DatasetParts['lengths']>): void {
    this.parts.lengths = this.parts.lengths === null ? histogram : addHistograms(this.parts.lengths, histogram);
  }

  padding(padding: NonNullable<DatasetParts['padding']>): void {
    this.parts.padding = padding;
  }

  sampleCount(count: NonNullable<DatasetParts['sampleCount']>): void {
    this.parts.sampleCount = count;
  }

  tokenCount(count: NonNullable<DatasetParts['tokenCount']>): void {
    this.parts.tokenCount = count;
  }

  tokenMethod(method: string, basis: Basis = 'header'): void {
    this.parts.tokenMethods.set(method, basis);
  }

  sampleMethod(method: string, basis: Basis): void {
    this.parts.sampleMethod = method;
    this.parts.sampleBasis = basis;
  }

  done(check: string): void {
    if (!this.parts.done.includes(check)) this.parts.done.push(check);
  }

  lengthsOnRequest(units: string): void {
    this.parts.lengthsOnRequest = true;
    this.notDone(`the lengths of all ${units}: read them on request`);
  }

  notDone(check: string): void {
    if (!this.parts.notDone.includes(check)) this.parts.notDone.push(check);
  }

  /** Data files that gave no shard: each is one that should have been counted. */
  dataFilesWithoutShard(claimed: readonly string[]): string[] {
    const shards = new Set(this.parts.shards.map(({ path }) => path));
    return claimed.filter((path) => {
      const part = this.files.get(path);
      return part !== undefined && !shards.has(path) && (this.failedData.has(path) || isData(part));
    });
  }

  /** A file that was written to since it was listed: what is there now counts. */
  private noteSize(path: string, sizeBytes: number): void {
    const part = this.files.get(path);
    if (part === undefined || part.sizeBytes === sizeBytes) return;
    this.parts.findings.push({ code: 'file-changed', path, facts: { expectedBytes: part.sizeBytes, bytes: sizeBytes } });
    part.sizeBytes = sizeBytes;
  }

  failure(path: string, error: unknown): void {
    const finding = findingOfError(error, 'shard');
    if (this.failed.has(path)) return;
    this.failed.add(path);
    const part = this.files.get(path);
    if (part !== undefined && isData(part)) this.failedData.add(path);
    this.describe(path, { restKind: 'unexplained' });
    this.parts.findings.push({ ...finding, path });
  }
}

/** Whether a claimed file holds samples, and does not only say something about those of others. */
function isData({ restKind, isData: isStated }: DatasetFilePart): boolean {
  return isStated ?? ['framing', 'values', 'text', 'tokens'].includes(restKind);
}
