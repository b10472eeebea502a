/** Files of tokens and nothing else: the width comes from names, settings and companions, or else from a sample. */
import { isSideFile } from '../../../files/sideFiles.js';
import { compressionOf } from '../../../bytes/compression.js';
import { decompressBeginning } from '../../../bytes/decompressBeginning.js';
import { limits } from '../../../bytes/limits.js';
import { readWhole } from '../../../bytes/readWhole.js';
import { baseName, parentPath } from '../../../files/paths.js';
import { readDocumentBounds, type DocumentBounds } from '../../../formats/documentBounds.js';
import { memberOf } from '../../../formats/text/jsonMember.js';
import { member, numberOf } from '../../../formats/pickle/pickleAccess.js';
import { FileImports } from '../../../formats/pickle/imports/fileImports.js';
import { reportImports } from '../../../formats/pickle/imports/importFindings.js';
import { runPickle } from '../../../formats/pickle/pickleMachine.js';
import { bytesOfElements } from '../../../tensors/dtype.js';
import type { DatasetAccess } from '../../datasetLayout.js';
import type { TokenRange } from '../../datasetParts.js';
import { dtypeOfVocabulary, guessTokenDtype } from '../../guessTokenDtype.js';
import { dtypeInWords } from '../../../tensors/dtypeInWords.js';
import type { Basis } from '../../../findings/evidence.js';
import type { Vocabulary } from '../../datasetReport.js';
import { LengthCounter } from '../../lengthHistogram.js';
import { splitOf } from '../../splitName.js';
import { dtypeOfNumpyName, statedDtype } from './tokenNames.js';

/** Samples of one file, spread over it: 64 KiB in all. */
const SAMPLES = 4;
const SAMPLE_BYTES = 16 * 1024;
/** Files of one directory that are sampled where nothing else tells; the others are like them. */
const SAMPLED_FILES = 16;

interface Width {
  dtype: string;
  /** Where it is known from, as a clause. */
  reason: string;
  /** False where other widths are possible. */
  isSure: boolean;
  /** What the width rests on: that of samples alone is never exact. */
  basis: Basis;
}

export class BareTokens {
  private readonly bounds = new Map<string, DocumentBounds>();
  /** By directory: those of nanoGPT's data sets lie beside each other. */
  private readonly vocabularies = new Map<string, Vocabulary>();
  private csvBytesLeft: number = limits.countedTextBytes;
  /** Why widths are what they are, the first of each basis. */
  private readonly reasons = new Map<Basis, string>();

  constructor(
    private readonly access: DatasetAccess,
    private readonly files: readonly string[],
    private readonly companions: readonly string[],
  ) {}

  async read(): Promise<void> {
    if (this.files.length === 0) return;
    for (const path of this.companions) await this.access.each([path], () => this.readCompanion(path));
    const settings = await this.dtypeInSettings();
    const byDirectory = new Map<string, string[]>();
    for (const path of this.files) byDirectory.set(parentPath(path), [...(byDirectory.get(parentPath(path)) ?? []), path]);
    for (const paths of byDirectory.values()) await this.readDirectory(paths, settings);
    for (const [basis, reason] of this.reasons)
      this.access.tokenMethod(`size of the files over the width of a token, which no header states: ${reason}`, basis);
  }

  private async readDirectory(paths: readonly string[], settings: Width | undefined): Promise<void> {
    const widths = new Map<string, Width>();
    let sampled = 0;
    for (const path of paths) {
      const known = this.statedWidth(path) ?? settings;
      if (known !== undefined) widths.set(path, known);
      else if (sampled++ < SAMPLED_FILES)
        await this.access.each([path], async () => void widths.set(path, await this.sample(path)));
    }
    const sure = [...widths.values()].find(({ isSure }) => isSure);
    await this.access.each(paths, async (path, turn) => {
      await turn();
      const own = widths.get(path);
      this.add(path, own?.isSure === true ? own : (sure ?? own ?? notLookedAt));
    });
  }

  /** What the name says, or the companion whose last document ends where the file does. */
  private statedWidth(path: string): Width | undefined {
    const named = statedDtype(path);
    if (named !== undefined) return { dtype: named, reason: 'the names state it', isSure: true, basis: 'names' };
    const end = this.bounds.get(path.replace(/\.npy$/, ''))?.lastEnd ?? 0;
    const sizeBytes = this.access.entry(path)?.sizeBytes ?? 0;
    const width = [2, 4, 8, 1].find((bytes) => end > 0 && bytes * end === sizeBytes);
    if (width !== undefined)
      return {
        dtype: `u${8 * width}`,
        reason: 'with it the last document ends where the file does',
        isSure: true,
        basis: 'index',
      };
    return undefined;
  }

  /** The vocabulary decides, where one is known that the ids belong to; else what the bytes look like. */
  private async sample(path: string): Promise<Width> {
    const bytes = await this.sampledBytes(path);
    const vocabulary = this.vocabularies.get(parentPath(path)) ?? this.access.vocabularyBeside();
    if (vocabulary !== null) {
      const { size, source } = vocabulary;
      const dtype = dtypeOfVocabulary(bytes, size);
      if (dtype !== undefined) {
        const wider = dtype === 'i64' ? '' : ', read as wider numbers they are not';
        const reason = `read as ${dtypeInWords(dtype)} sampled ids are below the vocabulary of ${size} (${source})${wider}`;
        return { dtype, reason, isSure: true, basis: 'index' };
      }
    }
    const { dtype, reason, isSure } = guessTokenDtype(bytes);
    return { dtype, reason: `in samples ${reason}`, isSure, basis: isSure ? 'sampled' : basisOfGuess(dtype) };
  }

  private sampledBytes(path: string): Promise<Uint8Array> {
    const { access } = this;
    return access.withSource(path, async (source) => {
      if (source.sizeBytes <= SAMPLES * SAMPLE_BYTES) return source.read(0, source.sizeBytes, access.signal);
      const pieces: Uint8Array[] = [];
      for (let index = 0; index < SAMPLES; index++) {
        // Between the first and the last, at multiples of eight.
        const at = Math.floor(((source.sizeBytes - SAMPLE_BYTES) * index) / (SAMPLES - 1) / 8) * 8;
        pieces.push(await source.read(at, SAMPLE_BYTES, access.signal));
      }
      return joined(pieces);
    });
  }

  private add(path: string, width: Width): void {
    const { access } = this;
    const sizeBytes = access.entry(path)?.sizeBytes ?? 0;
    const itemBytes = bytesOfElements(width.dtype, 1) ?? 2;
    const tokens = Math.floor(sizeBytes / itemBytes);
    const bounds = this.bounds.get(path.replace(/\.npy$/, ''));
    access.describe(path, { format: 'bare tokens', role: 'tokens', restKind: 'unexplained' });
    if (!this.reasons.has(width.basis)) this.reasons.set(width.basis, width.reason);
    if (sizeBytes % itemBytes !== 0) {
      const detail = `${sizeBytes} bytes are no whole number of tokens of ${itemBytes} bytes`;
      access.finding({ code: 'shard-truncated', path, offset: sizeBytes, facts: { detail } });
    }
    if (bounds !== undefined && bounds.lastEnd * itemBytes !== sizeBytes)
      access.finding({
        code: 'shard-size-differs',
        path,
        facts: { expectedBytes: bounds.lastEnd * itemBytes, bytes: sizeBytes },
      });
    if (path.endsWith('_document.bin')) {
      const missing = baseName(path).replace(/bin$/, 'idx');
      access.finding({ code: 'index-unmatched', path, facts: { present: baseName(path), missing } });
    }
    const split = splitOf(path);
    if (width.isSure) access.span({ path, offset: 0, bytes: tokens * itemBytes, dtype: width.dtype, role: 'tokens' });
    access.shard({
      path,
      samples: bounds?.documents ?? null,
      tokens: width.isSure ? tokens : null,
      ...(width.isSure ? {} : { tokensBetween: rangeOf(sizeBytes, tokens, width) }),
      ...(split === undefined ? {} : { split }),
      columns: [
        {
          name: 'tokens',
          type: `array<${width.dtype}>`,
          dtype: width.dtype,
          role: 'tokens',
          values: width.isSure ? tokens : null,
          bytes: tokens * itemBytes,
          logicalBytes: tokens * itemBytes,
        },
      ],
    });
  }

  private async readCompanion(path: string): Promise<void> {
    if (baseName(path) === 'meta.pkl') await this.readVocabulary(path);
    else await this.readBounds(path);
  }

  /** nanoGPT's data/<name>/meta.pkl: a dict with `vocab_size`, `stoi` and `itos`. */
  private async readVocabulary(path: string): Promise<void> {
    const { access } = this;
    access.describe(path, { format: 'pickle', role: 'vocabulary', restKind: 'tokenizer' });
    const bytes = await access.withSource(path, (source) => readWhole(source, limits.jsonBytes, 'pickle', access.signal));
    const imports = new FileImports(access);
    imports.scan(bytes, 0);
    await reportImports(imports, path, access);
    const size = numberOf(member(runPickle(bytes).root, 'vocab_size'));
    if (size === undefined) return;
    const vocabulary = { size, source: `${path}: vocab_size` };
    this.vocabularies.set(parentPath(path), vocabulary);
    access.vocabulary(vocabulary);
  }

  private async readBounds(path: string): Promise<void> {
    const { access } = this;
    access.describe(path, { format: path.endsWith('.gz') ? 'csv.gz' : 'csv', role: 'bounds of documents', restKind: 'index' });
    const stem = path.replace(/\.csv(\.gz)?$/, '');
    if (access.entry(stem) === undefined && access.entry(`${stem}.npy`) === undefined)
      access.finding({ code: 'index-unmatched', path, facts: { present: baseName(path), missing: `${baseName(stem)}.npy` } });
    const absent = await access.contentError(path);
    if (absent !== undefined) throw absent;
    const lengths = new LengthCounter();
    const found = await access.withSource(path, async (source) => {
      const compression = compressionOf(await source.read(0, Math.min(4, source.sizeBytes), access.signal));
      const most = this.csvBytesLeft;
      const { bytes, isWhole } =
        compression === undefined
          ? { bytes: await source.read(0, Math.min(source.sizeBytes, most), access.signal), isWhole: source.sizeBytes <= most }
          : await decompressBeginning(source, compression, most, access);
      this.csvBytesLeft -= bytes.byteLength;
      return isWhole ? readDocumentBounds(bytes, true, (length) => lengths.add(length)) : undefined;
    });
    if (found === undefined) {
      access.notDone('documents of large companion files: they are compressed, and were not read to their end');
      return;
    }
    this.bounds.set(stem, found);
    const data = access.entry(stem) === undefined ? `${stem}.npy` : stem;
    access.upperBound(data, { samples: found.documents, tokens: found.lastEnd });
    const histogram = lengths.histogram('document');
    if (histogram !== null) access.lengths(histogram);
  }

  /** `memmap_dtype` of OLMo, and what others call it, out of small JSON files beside the data. */
  private async dtypeInSettings(): Promise<Width | undefined> {
    const { access } = this;
    for (const { path, sizeBytes } of access.listing.entries) {
      if (!/\.json$/.test(path) || sizeBytes > limits.metadataPayloadBytes || /tokenizer|vocab/.test(path) || isSideFile(path))
        continue;
      const value = await access.json(path, 'settings');
      for (const key of ['memmap_dtype', 'token_dtype', 'dtype']) {
        const dtype = dtypeOfNumpyName(memberOf(value, key) ?? memberOf(memberOf(value, 'data'), key));
        if (dtype !== undefined) return { dtype, reason: `${baseName(path)} states ${key}`, isSure: true, basis: 'index' };
      }
    }
    return undefined;
  }
}

const notLookedAt: Width = { dtype: 'u16', reason: 'it was not looked at', isSure: false, basis: 'assumed' };

/** Two widths that fit the sample alike leave a range; single bytes are taken for tokens for want of anything that speaks against it. */
function basisOfGuess(dtype: string): Basis {
  return dtype === 'u8' ? 'assumed' : 'sampled';
}

/** What a file holds at tokens of 4 and of 2 bytes, and of what was guessed. Where single bytes may be tokens, 2 bytes may be as well. */
function rangeOf(sizeBytes: number, tokens: number, { dtype }: Width): TokenRange {
  const width = bytesOfElements(dtype, 1) ?? 2;
  if (width === 1) return { count: tokens, least: Math.floor(sizeBytes / 2), most: sizeBytes, confidence: null };
  const most = Math.floor(sizeBytes / Math.min(2, width));
  return { count: tokens, least: Math.floor(sizeBytes / Math.max(4, width)), most, confidence: null };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
