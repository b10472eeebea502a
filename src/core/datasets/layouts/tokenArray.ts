/**
 * Tokens as an array in a file: NumPy's .npy and .npz, llm.c's shards, and bare tokens without any header (nanoGPT's train.bin, OLMo's raw
 * .npy, the .bin of an indexed dataset whose .idx is elsewhere).
 */
import { asyncFilter } from '../../files/asyncFilter.js';
import type { Listing } from '../../files/listing.js';
import { baseName, parentPath } from '../../files/paths.js';
import { firstArrayOf } from '../../formats/numpy/numpyArchive.js';
import { isNpy, parseNpyHeader, type NpyHeader } from '../../formats/numpy/npyHeader.js';
import { FormatError } from '../../bytes/formatError.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { isOtherThanTokens, isTokenFile } from '../../formats/llmc/tokenFile.js';
import { roleOfColumn } from '../columnRole.js';
import type { DatasetAccess, DatasetLayout, Probe } from '../datasetLayout.js';
import { splitOf } from '../splitName.js';
import { BareTokens } from './tokenArray/bareTokens.js';
import { readHeadedTokens } from './tokenArray/headedTokens.js';
import { isArrayName, isDataName, isTokenArray, isArrayOrNumbers, nameInArchive, statedDtype } from './tokenArray/tokenNames.js';
import { nameOfArray, readNumpy, readNumpyArrays } from './tokenArray/numpyTokens.js';

export const tokenArray: DatasetLayout = {
  id: 'token-array',
  framework: 'NumPy',
  sampleUnit: 'row',
  names: [{ extensions: ['u8', 'u16', 'u32', 'uint8', 'uint16', 'uint32', 'tok', 'tokens', 'memmap', 'mmap'], isOwn: false }],

  mayBeNamed: (path) => isArrayName(path) || isDataName(path),

  async claim(free, listing, probe) {
    const withVocabulary = new Set(free.filter(({ path }) => baseName(path) === 'meta.pkl').map(({ path }) => parentPath(path)));
    const named = free.filter(({ path, sizeBytes }) => sizeBytes > 0 && isArrayOrNumbers(path)).map(({ path }) => path);
    const tokensIn = (paths: readonly string[]): Promise<string[]> =>
      asyncFilter(paths, (path) => isTokens(path, withVocabulary, probe));
    const sampled = await tokensIn(named.filter((path) => probe.isSampled(path)));
    // One file of tokens among them, and all are looked at: a count of the others' tokens would not be of the data set.
    const claimed = new Set(sampled.length === 0 ? [] : await tokensIn(named));
    for (const path of await incidental(claimed, withVocabulary, listing, probe)) claimed.delete(path);
    if (claimed.size === 0) return [];
    const directories = new Set([...claimed].map(parentPath));
    // Beside tokens other arrays of integers belong to them: where documents begin, which class they are of.
    for (const { path } of free)
      if (path.endsWith('.npy') && directories.has(parentPath(path)) && (await isIntegers(path, probe))) claimed.add(path);
    const stems = new Set(free.flatMap(({ path }) => (directories.has(parentPath(path)) ? [path.replace(/\.npy$/, '')] : [])));
    const bounds = free.filter(({ path }) => boundsName.test(path) && directories.has(parentPath(path)));
    // One whose data are not here goes with those of the others.
    const hasBounds = new Set(bounds.flatMap(({ path }) => (stems.has(stemOfBounds(path)) ? [parentPath(path)] : [])));
    for (const { path } of bounds)
      if (stems.has(stemOfBounds(path)) || (hasBounds.has(parentPath(path)) && /\d/.test(baseName(path)))) claimed.add(path);
    for (const { path } of free) {
      if (baseName(path) === 'meta.pkl' && directories.has(parentPath(path))) claimed.add(path);
    }
    return free.filter(({ path }) => claimed.has(path)).map(({ path }) => path);
  },

  async read(paths, access) {
    const data = paths.filter((path) => !sideName.test(path));
    const heads = await headsOf(data, access);
    const kinds = new Map([...heads].map(([path, head]) => [path, kindOf(path, head)]));
    const of = (kind: ArrayKind): string[] => data.filter((path) => kinds.get(path) === kind);
    await access.each(of('npy'), (path, turn) => readNumpy(path, turn, access));
    await access.each(of('npz'), (path, turn) => readNumpyArrays(path, turn, access));
    await access.each(of('headed'), (path, turn) => readHeadedTokens(path, heads.get(path) as Uint8Array, turn, access));
    const bare = await withoutHeadless(of('bare'), of('headed'), access);
    await new BareTokens(
      access,
      bare,
      paths.filter((path) => sideName.test(path)),
    ).read();
    access.done('headers of arrays were compared with the sizes of their files');
  },
};

/** As of text: fewer bytes in a project are no data set, unless something says that they are tokens. */
const INCIDENTAL_BYTES = 1_000_000;
const codeName = /\.(py|ipynb|[cm]?[jt]sx?|c|cc|cpp|cu|h|hpp|rs|go|java|kt|swift|rb|jl|sh)$/i;

/** Bare numbers of a project's tests and tools: neither a header nor a name, a vocabulary or bounds say that they are tokens. */
async function incidental(
  claimed: ReadonlySet<string>,
  withVocabulary: ReadonlySet<string>,
  listing: Listing,
  probe: Probe,
): Promise<string[]> {
  const directories = new Set([...claimed].map(parentPath));
  const isProject = listing.entries.some(({ path }) => !directories.has(parentPath(path)) && codeName.test(path));
  if (!isProject) return [];
  const bare = await asyncFilter([...claimed], async (path) => {
    const isNamed =
      splitOf(baseName(path)) !== undefined || statedDtype(path) !== undefined || withVocabulary.has(parentPath(path));
    const stem = path.replace(/\.npy$/, '');
    if (isNamed || path.endsWith('.npz') || ['.csv', '.csv.gz'].some((end) => listing.has(stem + end))) return false;
    const head = await probe.head(path);
    return !isNpy(head) && !isTokenFile(head);
  });
  const bytes = bare.reduce((sum, path) => sum + (listing.entry(path)?.sizeBytes ?? 0), 0);
  return bytes < INCIDENTAL_BYTES ? bare : [];
}

/** Where the documents of a file end: beside it, with its name. */
const boundsName = /\.csv(\.gz)?$/;

function stemOfBounds(path: string): string {
  return path.replace(boundsName, '');
}

/** Where documents end, and vocabularies. */
const sideName = /\.(csv(\.gz)?|pkl)$/;

type ArrayKind = 'npz' | 'npy' | 'headed' | 'bare';

function kindOf(path: string, head: Uint8Array): ArrayKind {
  if (path.endsWith('.npz')) return 'npz';
  if (isNpy(head)) return 'npy';
  return isTokenFile(head) ? 'headed' : 'bare';
}

/** The beginnings of all files in which there may be data. */
async function headsOf(paths: readonly string[], access: DatasetAccess): Promise<Map<string, Uint8Array>> {
  const heads = new Map<string, Uint8Array>();
  await access.each(paths, async (path) => {
    access.describe(path, { role: 'tokens', restKind: 'framing', isPlainTokens: !path.endsWith('.npz') });
    const error = await access.contentError(path);
    if (error !== undefined) throw error;
    heads.set(path, await access.withSource(path, (source) => source.read(0, Math.min(1024, source.sizeBytes), access.signal)));
  });
  return heads;
}

/** Bare files, without those beside files with the header of llm.c: one that lost its header is not another format. */
async function withoutHeadless(bare: readonly string[], headed: readonly string[], access: DatasetAccess): Promise<string[]> {
  const places = new Set(headed.map(parentPath));
  await access.each(
    bare.filter((path) => places.has(parentPath(path))),
    () =>
      Promise.reject(
        new FormatError('not-this-format', 'no header of llm.c, which other files of the directory have', { offset: 0 }),
      ),
  );
  return bare.filter((path) => !places.has(parentPath(path)));
}

/** @param withVocabulary directories that have nanoGPT's `meta.pkl` */
async function isTokens(path: string, withVocabulary: ReadonlySet<string>, probe: Probe): Promise<boolean> {
  if (isArrayName(path)) {
    const head = await probe.head(path);
    const isArchive = path.endsWith('.npz');
    const first = isArchive ? firstIn(path, head) : { name: nameOfArray(path), header: headerOf(head) };
    if (first?.header !== undefined)
      return isTokenArray(first.name, first.header) || (isArchive && isBesideTokens(first.name, first.header));
    if (isArchive || isNpy(head)) return false;
    // Raw tokens under NumPy's extension, as OLMo has them; but a header whose beginning is damaged is none.
    return !isOtherThanTokens(head) && !decodeLatin1(head).includes("'descr'");
  }
  const head = await probe.head(path);
  if (isTokenFile(head)) return true;
  if (isOtherThanTokens(head)) return false;
  return withVocabulary.has(parentPath(path)) || isDataName(path);
}

/** The first array of an archive by its name, or by that of the file. */
function firstIn(path: string, head: Uint8Array): { name: string; header: NpyHeader } | undefined {
  const first = firstArrayOf(head);
  return first && { ...first, name: nameInArchive(path, first.name) };
}

function headerOf(head: Uint8Array): NpyHeader | undefined {
  try {
    return isNpy(head) ? parseNpyHeader(head) : undefined;
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return undefined;
  }
}

async function isIntegers(path: string, probe: Probe): Promise<boolean> {
  const header = headerOf(await probe.head(path));
  return header !== undefined && isIntegerArray(header);
}

/** The first array of an archive may be a mask of tokens, their labels or their places. */
function isBesideTokens(name: string, header: NpyHeader): boolean {
  return isIntegerArray(header) && roleOfColumn(name, 'integers') !== 'value';
}

/** Tokens are integers in one or two dimensions; floating-point arrays and scalars are something else. */
function isIntegerArray({ dtype, shape }: NpyHeader): boolean {
  return /^[iu](8|16|32|64)$/.test(dtype) && (shape.length === 1 || shape.length === 2);
}
