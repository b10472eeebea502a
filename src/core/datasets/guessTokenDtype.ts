/** The dtype of bare tokens, which nothing states: from what the bytes look like. */

type TokenDtype = 'u8' | 'u16' | 'u32' | 'i64';

export interface TokenDtypeGuess {
  dtype: TokenDtype;
  /** Why, as a clause: `every four bytes read as one number are below 2^20`. */
  reason: string;
  /** False where another width fits about as well: too few bytes, all zeros, or so few ids that two of them look like one. */
  isSure: boolean;
}

/** Vocabularies are below 2^20 by far: the largest in use have some 260,000 tokens. */
const HIGHEST_ID = 2 ** 20;
/** A shorter stretch says little. */
const ENOUGH_TOKENS = 64;
/** Two ids below it, 16 bits each, are a number below `HIGHEST_ID` when read as one. */
const FEW_IDS = HIGHEST_ID / 2 ** 16;

/**
 * Ids are small numbers. Read at the right width nearly all are below 2^20; 32-bit ones have an upper half of 0 to 15, which two
 * neighbouring 16-bit ids hardly ever have for long, unless there are only a few of them: nucleotides, moves, classes.
 */
export function guessTokenDtype(bytes: Uint8Array): TokenDtypeGuess {
  const aligned = bytes.slice(0, bytes.byteLength - (bytes.byteLength % 8));
  const words = aligned.byteLength / 4;
  const { small, zeroAtOdd, nonZeroAtEven, highestLower, highestUpper } = halvesOf(aligned);
  const isMany = words >= ENOUGH_TOKENS && nonZeroAtEven > 0;
  if (words > 0 && small === words && zeroAtOdd === words / 2 && nonZeroAtEven > 0)
    return { dtype: 'i64', reason: 'the upper half of every eight bytes is empty', isSure: isMany };
  if (words > 0 && small >= 0.999 * words) {
    if (highestUpper > 0 && highestLower < FEW_IDS)
      return { dtype: 'u16', reason: `every two bytes read as one number are below ${FEW_IDS}`, isSure: false };
    return { dtype: 'u32', reason: 'every four bytes read as one number are below 2^20', isSure: isMany };
  }
  if (areSingleBytes(aligned))
    return {
      dtype: 'u8',
      reason: 'the first and the second of every two bytes are alike, as in tokens of one byte',
      isSure: false,
    };
  return { dtype: 'u16', reason: 'four bytes read as one number are no ids, two are', isSure: words >= ENOUGH_TOKENS };
}

/** Bytes of the widths, the widest first: a narrower one than the right one reads its empty halves as tokens 0, and fits as well. */
const widthsDown: readonly (readonly [dtype: TokenDtype, bytes: number])[] = [
  ['i64', 8],
  ['u32', 4],
  ['u16', 2],
  ['u8', 1],
];

/**
 * The widest dtype that holds the vocabulary and in which ids are below its size; undefined where none is, or too few are there to tell.
 * @param bytes a sample of the tokens that begins between two of them
 */
export function dtypeOfVocabulary(bytes: Uint8Array, vocabularySize: number): TokenDtype | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength - (bytes.byteLength % 8));
  const fitting = widthsDown.find(([, width]) => {
    if (width < 4 && vocabularySize > 2 ** (8 * width)) return false;
    const count = view.byteLength / width;
    let inside = 0;
    let nonZero = 0;
    for (let at = 0; at < view.byteLength; at += width) {
      const id = idAt(view, at, width);
      if (id > 0) nonZero += 1;
      if (id < vocabularySize) inside += 1;
    }
    return count >= ENOUGH_TOKENS && nonZero > 0 && inside >= 0.999 * count;
  });
  return fitting?.[0];
}

/** Small negative numbers mark positions without a loss: they are -1. */
function idAt(view: DataView, at: number, width: number): number {
  if (width === 1) return view.getUint8(at);
  if (width === 2) return markOr(view.getUint16(at, true), 2 ** 16);
  const lower = view.getUint32(at, true);
  if (width === 4) return markOr(lower, 2 ** 32);
  const upper = view.getUint32(at + 4, true);
  return upper === 0xffff_ffff ? -1 : upper * 2 ** 32 + lower;
}

/** -100 is the mark of PyTorch's losses. */
function markOr(id: number, end: number): number {
  return id === end - 100 || id === end - 1 ? -1 : id;
}

interface Halves {
  /** Words of four bytes that may be ids. */
  small: number;
  zeroAtOdd: number;
  nonZeroAtEven: number;
  highestLower: number;
  highestUpper: number;
}

function halvesOf(bytes: Uint8Array): Halves {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const halves: Halves = { small: 0, zeroAtOdd: 0, nonZeroAtEven: 0, highestLower: 0, highestUpper: 0 };
  for (let word = 0; word < bytes.byteLength / 4; word++) {
    const value = view.getUint32(4 * word, true);
    // -100 marks positions without a loss.
    const isMark = value >= 0xffff_ff00;
    if (value < HIGHEST_ID || isMark) halves.small += 1;
    if (word % 2 === 1 && (value === 0 || value === 0xffff_ffff)) halves.zeroAtOdd += 1;
    if (word % 2 === 0 && value !== 0) halves.nonZeroAtEven += 1;
    if (isMark) continue;
    halves.highestLower = Math.max(halves.highestLower, value % 2 ** 16);
    halves.highestUpper = Math.max(halves.highestUpper, Math.floor(value / 2 ** 16));
  }
  return halves;
}

/** Standard errors between two means from which they differ: one in 15,000 is as far apart by chance. */
const DIFFERENT = 4;

/**
 * Whether bytes may be tokens each, of a vocabulary of at most 256. In 16-bit ids the upper byte is lower than the lower one on average:
 * frequent tokens have low ids, and vocabularies end before 2^16.
 */
function areSingleBytes(bytes: Uint8Array): boolean {
  const count = Math.floor(bytes.byteLength / 2);
  if (count < ENOUGH_TOKENS) return false;
  const even = momentsOf(bytes, 0, count);
  const odd = momentsOf(bytes, 1, count);
  return Math.abs(even.mean - odd.mean) < DIFFERENT * Math.sqrt((even.variance + odd.variance) / count);
}

/** Of every second byte, from the first or the second on. */
function momentsOf(bytes: Uint8Array, from: number, count: number): { mean: number; variance: number } {
  let sum = 0;
  let squares = 0;
  for (let index = 0; index < count; index++) {
    const byte = bytes[from + 2 * index] as number;
    sum += byte;
    squares += byte * byte;
  }
  const mean = sum / count;
  return { mean, variance: squares / count - mean * mean };
}
