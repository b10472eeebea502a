/** What names say about files of bare numbers. */
import { baseName } from '../../../files/paths.js';
import type { NpyHeader } from '../../../formats/numpy/npyHeader.js';
import { isOtherThanTokens, isTokenName, roleOfColumn } from '../../columnRole.js';

/** Names that data preparation gives: `train.bin`, `fineweb_val_000000.bin`, `web_text_document.bin`, `data00.bin`, `tokens.bin`. */
const bareName =
  /(^|[-_.])(train|val|valid|validation|test|eval|dev|tokens?|tokenized|document|text|corpus|data|shard|part)([-_.]?\d*)([-_.]|$)/i;
const otherName = /(pytorch_model|adapter|optimizer|scheduler|training_args|random_states|state|model|weights|checkpoint)/i;

/** Extensions of bare numbers. */
const dataName = /\.(bin|u8|u16|u32|uint8|uint16|uint32|tokens?|tok|dat|memmap|mmap)$/;
const arrayName = /\.np[yz]$/;

/** True for names of NumPy's arrays and archives. */
export function isArrayName(path: string): boolean {
  return arrayName.test(path);
}

/** True for names of files that may hold numbers, whatever the rest of the name says. */
export function isArrayOrNumbers(path: string): boolean {
  return arrayName.test(path) || dataName.test(path);
}

/** True for names of bare tokens. */
export function isDataName(path: string): boolean {
  return dataName.test(path) && (isBareName(path) || statedDtype(path) !== undefined);
}

/** True for names that do not say whether there are tokens in the file: any array or `.bin`. */
export function mayHoldTokens(path: string): boolean {
  return isArrayOrNumbers(path) && !isDataName(path);
}

/** True where a `.bin` is called as data are. */
export function isBareName(path: string): boolean {
  const name = baseName(path).replace(/\.\w+$/, '');
  return bareName.test(name) && !otherName.test(name);
}

const dtypes: readonly (readonly [pattern: RegExp, dtype: string])[] = [
  [/(^|[-_.])(uint8|u8)([-_.]|$)/i, 'u8'],
  [/(^|[-_.])(uint16|u16)([-_.]|$)/i, 'u16'],
  [/(^|[-_.])(uint32|u32)([-_.]|$)/i, 'u32'],
  [/(^|[-_.])(int32|i32)([-_.]|$)/i, 'i32'],
  [/(^|[-_.])(int64|i64)([-_.]|$)/i, 'i64'],
];

/** The dtype that a file's own name states. */
export function statedDtype(path: string): string | undefined {
  return dtypes.find(([pattern]) => pattern.test(baseName(path)))?.[1];
}

/** Integers that say where something lies, or how long it is: no tokens. */
const indexName =
  /(^|[-_.])(idx|index|indices|indexes|offsets?|bounds?|boundaries|lengths?|lens?|sizes?|starts?|ends?|cu_seqlens|order|perm|permutation|shuffle)([-_.]|$)/i;

/** True for arrays that only lead to others. */
export function isIndexName(name: string): boolean {
  return indexName.test(name);
}

/** What NumPy calls an array of an archive that was given none. */
const positionName = /^arr_\d+$/;

/** The name of an array of an archive: that of the file where it has none of its own. */
export function nameInArchive(path: string, name: string): string {
  return positionName.test(name) ? baseName(path).replace(/\.npz$/, '') : name;
}

/** True for an array whose name is one of tokens, of their masks, labels or places, or of a part of a data set. */
export function isNamedAsTokens(name: string): boolean {
  return isTokenName(name) || sequenceName.test(name) || isBareName(name) || roleOfColumn(name, 'integers') !== 'value';
}

/** The dtypes of configs, as NumPy names them. */
export function dtypeOfNumpyName(name: unknown): string | undefined {
  const known: Record<string, string> = {
    uint8: 'u8',
    uint16: 'u16',
    uint32: 'u32',
    uint64: 'u64',
    int16: 'i16',
    int32: 'i32',
    int64: 'i64',
  };
  return typeof name === 'string' && Object.hasOwn(known, name) ? known[name] : undefined;
}

/** Names that arrays of tokens go by beside those of columns: `blocks_i32`, `packed_000`. */
const sequenceName = /(^|[-_.])(tok(en)?s?|tokenized|input_ids|packed|seqs?|sequences?|blocks?|chunks?)([-_.]?\d*)([-_.]|$)/i;
/** A row of a packed array has at least as many; boxes and the like have a few. */
const MIN_ROW = 64;

/**
 * True for an array of integers that holds tokens, by its name, dtype and shape. Bytes are tokens by a name of tokens alone, as
 * images are bytes too; integers of 16 and 32 bits without a sign are what tokens are written as.
 */
export function isTokenArray(name: string, { dtype, shape }: NpyHeader): boolean {
  if (!/^[iu](8|16|32|64)$/.test(dtype) || (shape.length !== 1 && shape.length !== 2)) return false;
  if ((isTokenName(name) && name !== 'ids') || sequenceName.test(name)) return true;
  if (isIndexName(name) || isOtherThanTokens(name) || /8$/.test(dtype)) return false;
  return isBareName(name) || dtype === 'u16' || dtype === 'u32' || (shape[1] ?? 0) >= MIN_ROW;
}
