/**
 * datatrove's DocumentTokenizer and DocumentTokenizerMerger (datatrove/pipeline/tokens): `X.ds` bare tokens, `X.ds.index` u64 ends of
 * documents in tokens, `X.ds.loss` one byte a token, `X.ds.metadata` three lines with tokenizer, width and number of tokens.
 */
import { FormatError } from '../../bytes/formatError.js';
import { limits } from '../../bytes/limits.js';
import { decodeText } from '../../bytes/text.js';
import { baseName } from '../../files/paths.js';
import {
  parseDataTroveMetadata,
  readDocumentEnds,
  type DataTroveMetadata,
  type DocumentEnds,
} from '../../formats/dataTroveFile.js';
import { isOtherThanTokens } from '../../formats/llmc/tokenFile.js';
import { PROBE_BYTES, type DatasetAccess, type DatasetLayout } from '../datasetLayout.js';
import { LengthCounter } from '../lengthHistogram.js';
import { splitOf } from '../splitName.js';
import type { TokenRange } from '../datasetParts.js';
import type { LengthHistogram } from '../datasetReport.js';
import { counted } from '../../text/quantities.js';

export const dataTrove: DatasetLayout = {
  id: 'datatrove',
  framework: 'datatrove',
  sampleUnit: 'document',
  names: [{ extensions: ['ds'], isOwn: false }],

  claim: (free) => free.filter(({ path }) => /\.ds(\.(index|loss|metadata))?$/.test(path)).map(({ path }) => path),

  async read(paths, access) {
    const data = paths.filter((path) => path.endsWith('.ds'));
    const copies = copiesIn(data, access);
    describeCompanions(paths, new Set(data), access);
    await access.each(data, (path, turn) => readTokens(path, turn, access, copies.has(path)));
    access.tokenMethod('size of each .ds over the bytes of a token, as its .metadata or the last end in its .index state them');
    access.done('each .ds was compared with its .index and .metadata');
  },
};

/**
 * Stages of one pipeline hold the same documents: tokenized, shuffled inside of a file, merged over files. Only the last one counts,
 * where both have the same number of bytes.
 */
function copiesIn(data: readonly string[], access: DatasetAccess): Set<string> {
  const stages: string[][] = [[], [], [], []];
  for (const path of data) stages[stageOf(path)]?.push(path);
  const bytesOf = (paths: readonly string[]): number =>
    paths.reduce((sum, path) => sum + (access.entry(path)?.sizeBytes ?? 0), 0);
  const last = stages.findLast((paths) => paths.length > 0) ?? [];
  const repeated = stages.filter((paths) => paths !== last && paths.length > 0 && bytesOf(paths) === bytesOf(last));
  for (const paths of repeated) {
    const facts = {
      copy: last[0] ?? '',
      parts: `${counted(paths.length, 'file')} such as ${paths[0] ?? ''}`,
      repeatedBytes: bytesOf(paths),
      isCountedOnce: true,
    };
    access.finding({ code: 'dataset-stored-twice', path: last[0] ?? '', facts });
  }
  return new Set(repeated.flat());
}

/** By the names that the pipeline's steps give: `_unshuffled`, `_shuffled`, and a number of three digits before merged files. */
function stageOf(path: string): number {
  const name = baseName(path);
  if (/^\d{3}_.*\.ds$/s.test(name)) return 3;
  if (name.endsWith('_unshuffled.ds')) return 1;
  return name.endsWith('_shuffled.ds') ? 2 : 0;
}

interface Companions {
  metadata: Partial<DataTroveMetadata> | undefined;
  ends: DocumentEnds | undefined;
  histogram: LengthHistogram | null;
}

async function readTokens(path: string, turn: () => Promise<void>, access: DatasetAccess, isCopy: boolean): Promise<void> {
  access.describe(path, { role: 'tokens', restKind: 'unexplained', isData: true, isPlainTokens: true });
  // Of a worker without documents all files are empty.
  const isEmpty = [path, `${path}.index`].every((each) => access.entry(each)?.sizeBytes === 0);
  const error = isEmpty ? undefined : await access.contentError(path);
  const found: Companions = { metadata: undefined, ends: undefined, histogram: null };
  const damage: [path: string, error: FormatError][] = [];
  for (const [companion, read] of [
    [`${path}.metadata`, readMetadata],
    [`${path}.index`, readIndex],
  ] as const) {
    if (access.entry(companion) === undefined) continue;
    const absent = isEmpty ? undefined : await access.contentError(companion);
    if (absent !== undefined) {
      damage.push([companion, absent]);
      continue;
    }
    try {
      Object.assign(found, await read(companion, access));
    } catch (error) {
      if (!FormatError.is(error) || error.code === 'cancelled') throw error;
      damage.push([companion, error]);
    }
  }
  const isStated = found.metadata !== undefined || found.ends !== undefined;
  const foreign = isStated || isEmpty || error !== undefined ? undefined : await foreignContent(path, access);
  await turn();
  const tokens = mostOf(found);
  if (tokens !== null || found.ends !== undefined) access.upperBound(path, { samples: found.ends?.documents ?? null, tokens });
  for (const [companion, cause] of damage) access.failure(companion, cause);
  const failure = error ?? foreign;
  if (failure === undefined) addShard(path, isCopy, found, access);
  else access.failure(path, failure);
}

/** The error for a file without any beside it that states its tokens, where its first bytes are those of another format. */
async function foreignContent(path: string, access: DatasetAccess): Promise<FormatError | undefined> {
  const head = await access.withSource(path, (source) => source.read(0, Math.min(PROBE_BYTES, source.sizeBytes), access.signal));
  return isOtherThanTokens(head)
    ? new FormatError('not-this-format', 'the first bytes are those of another format than tokens', { offset: 0 })
    : undefined;
}

/** Tokens as the files beside the data state them; null where none does. */
function mostOf({ metadata, ends }: Companions): number | null {
  if (metadata?.tokens === undefined && ends?.lastEnd === undefined) return null;
  return Math.max(metadata?.tokens ?? 0, ends?.lastEnd ?? 0);
}

async function readMetadata(path: string, access: DatasetAccess): Promise<Partial<Companions>> {
  return await access.withSource(path, async (source) => {
    const bytes = await source.read(0, Math.min(source.sizeBytes, limits.pointerBytes), access.signal);
    return { metadata: parseDataTroveMetadata(decodeText(bytes)) };
  });
}

async function readIndex(path: string, access: DatasetAccess): Promise<Partial<Companions>> {
  return await access.withSource(path, async (source) => {
    const wantsLengths = access.options.allLengths || source.sizeBytes <= limits.lengthsBytes;
    const lengths = new LengthCounter();
    const ends = await readDocumentEnds(source, wantsLengths ? (length) => lengths.add(length) : undefined, access.signal);
    return { ends, histogram: lengths.histogram('document') };
  });
}

function addShard(path: string, isCopy: boolean, { metadata, ends, histogram }: Companions, access: DatasetAccess): void {
  const sizeBytes = access.entry(path)?.sizeBytes ?? 0;
  const tokenBytes = metadata?.tokenBytes ?? widthOf(sizeBytes, ends?.lastEnd ?? metadata?.tokens);
  if (ends === undefined && access.entry(`${path}.index`) === undefined)
    access.notDone('documents of a .ds without an .index: nothing tells where they end');
  const width = tokenBytes ?? USUAL_TOKEN_BYTES;
  if (tokenBytes === undefined)
    access.tokenMethod(
      'size of the .ds over 2 bytes a token, which most vocabularies take, where no file states the width',
      'assumed',
    );
  const tokens = Math.floor(sizeBytes / width);
  const dtype = `u${8 * width}`;
  compare(path, sizeBytes, width, ends === undefined ? metadata?.tokens : (ends.lastEnd ?? 0), access);
  if (ends?.lastEnd !== undefined && metadata?.tokens !== undefined && metadata.tokens !== ends.lastEnd) {
    const detail = 'tokens in .metadata and .index';
    access.finding({
      code: 'index-count-differs',
      path: `${path}.metadata`,
      facts: { expected: metadata.tokens, found: ends.lastEnd, detail },
    });
  }
  if (!isCopy && histogram !== null) access.lengths(histogram);
  if (!isCopy && ends !== undefined && ends.documents > 0 && histogram === null) access.lengthsOnRequest('documents');
  if (histogram !== null && histogram.empty > 0)
    access.finding({
      code: 'documents-empty',
      path: `${path}.index`,
      facts: { count: histogram.empty, total: histogram.count, unit: 'documents' },
    });
  if (metadata?.tokenizer !== undefined) access.fact('tokenizer', metadata.tokenizer, `${path}.metadata`);
  const split = splitOf(path);
  if (tokenBytes !== undefined) access.span({ path, offset: 0, bytes: tokens * width, dtype, role: 'tokens' });
  access.shard({
    path,
    samples: ends?.documents ?? null,
    tokens: tokenBytes === undefined ? null : tokens,
    ...(tokenBytes === undefined ? { tokensBetween: rangeOf(sizeBytes) } : {}),
    ...(split === undefined ? {} : { split }),
    ...(isCopy ? { use: 'copy' } : {}),
    columns: [
      {
        name: 'tokens',
        type: `array<${dtype}>`,
        dtype,
        role: 'tokens',
        values: tokenBytes === undefined ? null : tokens,
        bytes: tokens * width,
        logicalBytes: tokens * width,
      },
    ],
  });
}

/** Of vocabularies up to 65,536. */
const USUAL_TOKEN_BYTES = 2;

/** Tokens take 2 or 4 bytes (datatrove, TokenizedFile). */
function rangeOf(sizeBytes: number): TokenRange {
  const most = Math.floor(sizeBytes / USUAL_TOKEN_BYTES);
  return { count: most, least: Math.floor(sizeBytes / 4), most, confidence: null };
}

/** The width that makes the index end where the file does. */
function widthOf(sizeBytes: number, tokens: number | undefined): number | undefined {
  return tokens === undefined || tokens === 0 ? undefined : [2, 4, 8, 1].find((width) => width * tokens === sizeBytes);
}

function compare(path: string, bytes: number, width: number, tokens: number | undefined, access: DatasetAccess): void {
  if (tokens === undefined || tokens * width === bytes) return;
  access.finding({ code: 'shard-size-differs', path, facts: { expectedBytes: tokens * width, bytes } });
}

function describeCompanions(paths: readonly string[], data: ReadonlySet<string>, access: DatasetAccess): void {
  for (const path of paths) {
    const data_ = path.replace(/\.(index|loss|metadata)$/, '');
    if (path.endsWith('.index')) access.describe(path, { role: 'ends of documents', restKind: 'index' });
    if (path.endsWith('.metadata')) access.describe(path, { role: 'metadata', restKind: 'metadata' });
    if (path.endsWith('.loss')) noteLoss(path, data_, access);
    // The merger leaves one `.metadata` for all of its files.
    if (data_ !== path && !data.has(data_) && !path.endsWith('.metadata'))
      access.finding({ code: 'index-unmatched', path, facts: { present: baseName(path), missing: baseName(data_) } });
  }
}

/** One byte a token: whether it counts for the loss. */
function noteLoss(path: string, data: string, access: DatasetAccess): void {
  const bytes = access.entry(path)?.sizeBytes ?? 0;
  access.describe(path, { role: 'loss mask', restKind: 'masks' });
  const dataBytes = access.entry(data)?.sizeBytes;
  if (dataBytes !== undefined && ![1, 2, 4, 8].some((width) => bytes * width === dataBytes))
    access.finding({ code: 'shard-size-differs', path, facts: { expectedBytes: Math.floor(dataBytes / 2), bytes } });
}
