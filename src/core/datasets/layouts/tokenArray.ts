/**
 * Tokens as an array in a file: NumPy's .npy and .npz, llm.c's shards, and bare tokens without any header (nanoGPT's train.bin, OLMo's raw
 * .npy, the .bin of an indexed dataset whose .idx is elsewhere).
 */
import { asyncFilter } from '../../files/asyncFilter.js';
import { baseName, parentPath } from '../../files/paths.js';
import { firstHeaderOf } from '../../formats/numpy/numpyArchive.js';
import { isNpy, parseNpyHeader, type NpyHeader } from '../../formats/numpy/npy.js';
import { FormatError } from '../../bytes/formatError.js';
import { decodeLatin1 } from '../../bytes/text.js';
import { isOtherThanTokens, isTokenFile } from '../../formats/llmc/tokenFile.js';
import type { DatasetLayout, Probe } from '../datasetLayout.js';
import { BareTokens } from './tokenArray/bareTokens.js';
import { readHeadedTokens } from './tokenArray/headedTokens.js';
import { isBareName, statedDtype } from './tokenArray/tokenNames.js';
import { readNumpy, readNumpyArrays } from './tokenArray/numpyTokens.js';

export const tokenArray: DatasetLayout = {
  id: 'token-array',
  framework: 'NumPy',
  sampleUnit: 'row',
  names: [{ extensions: ['u16', 'u32', 'uint16', 'uint32', 'tok', 'tokens', 'memmap', 'mmap'], isOwn: false }],

  async claim(free, _, probe) {
    const withVocabulary = new Set(free.filter(({ path }) => baseName(path) === 'meta.pkl').map(({ path }) => parentPath(path)));
    const named = free.filter(({ path, sizeBytes }) => sizeBytes > 0 && mayBeTokens(path)).map(({ path }) => path);
    const claimed = new Set(await asyncFilter(named, (path) => isTokens(path, withVocabulary, probe)));
    if (claimed.size === 0) return [];
    const stems = new Set([...claimed].map((path) => path.replace(/\.npy$/, '')));
    const directories = new Set([...claimed].map(parentPath));
    for (const { path } of free) {
      if (/\.csv(\.gz)?$/.test(path) && stems.has(path.replace(/\.csv(\.gz)?$/, ''))) claimed.add(path);
      if (baseName(path) === 'meta.pkl' && directories.has(parentPath(path))) claimed.add(path);
    }
    return free.filter(({ path }) => claimed.has(path)).map(({ path }) => path);
  },

  async read(paths, access) {
    const heads = new Map<string, Uint8Array>();
    await access.each(paths, async (path) => {
      if (!/\.(csv(\.gz)?|pkl)$/.test(path))
        heads.set(
          path,
          await access.withSource(path, (source) => source.read(0, Math.min(1024, source.sizeBytes), access.signal)),
        );
    });
    const kindOf = (path: string): string => {
      const head = heads.get(path);
      if (head === undefined) return 'side';
      if (path.endsWith('.npz')) return 'npz';
      if (isNpy(head)) return 'npy';
      return isTokenFile(head) ? 'headed' : 'bare';
    };
    const of = (kind: string): string[] => paths.filter((path) => kindOf(path) === kind);
    await access.each(of('npy'), (path, turn) => readNumpy(path, turn, access));
    await access.each(of('npz'), (path, turn) => readNumpyArrays(path, turn, access));
    await access.each(of('headed'), (path, turn) => readHeadedTokens(path, heads.get(path) as Uint8Array, turn, access));
    await new BareTokens(access, of('bare'), of('side')).read();
    access.done('headers of arrays were compared with the sizes of their files');
  },
};

function mayBeTokens(path: string): boolean {
  return /\.(np[yz]|bin|u16|u32|uint16|uint32|tokens?|tok|dat|memmap|mmap)$/.test(path);
}

/** @param withVocabulary directories that have nanoGPT's `meta.pkl` */
async function isTokens(path: string, withVocabulary: ReadonlySet<string>, probe: Probe): Promise<boolean> {
  if (/\.np[yz]$/.test(path)) {
    const head = await probe.head(path);
    const header = path.endsWith('.npz') ? firstHeaderOf(head) : headerOf(head);
    if (header !== undefined) return isIntegerArray(header);
    if (path.endsWith('.npz') || isNpy(head)) return false;
    // Raw tokens under NumPy's extension, as OLMo has them; but a header whose beginning is damaged is none.
    return !isOtherThanTokens(head) && !decodeLatin1(head).includes("'descr'");
  }
  const head = await probe.head(path);
  if (isTokenFile(head)) return true;
  if (isOtherThanTokens(head)) return false;
  return withVocabulary.has(parentPath(path)) || isBareName(path) || statedDtype(path) !== undefined;
}

function headerOf(head: Uint8Array): NpyHeader | undefined {
  try {
    return isNpy(head) ? parseNpyHeader(head) : undefined;
  } catch (error) {
    if (!FormatError.is(error)) throw error;
    return undefined;
  }
}

/** Tokens are integers in one or two dimensions; floating-point arrays and scalars are something else. */
function isIntegerArray({ dtype, shape }: NpyHeader): boolean {
  return /^[iu](8|16|32|64)$/.test(dtype) && (shape.length === 1 || shape.length === 2);
}
