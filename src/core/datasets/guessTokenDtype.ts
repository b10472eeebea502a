/** The dtype of bare tokens, which nothing states: from what the bytes look like. */

export interface TokenDtypeGuess {
  dtype: 'u8' | 'u16' | 'u32' | 'i64';
  /** Why, as a clause: `the upper half of every four bytes is below 4`. */
  reason: string;
  /** False where another width fits about as well: too few bytes, or all zeros. */
  isSure: boolean;
}

/** Vocabularies are below 2^20 by far: the largest in use have some 260,000 tokens. */
const HIGHEST_ID = 2 ** 20;
/** A shorter stretch says little. */
const ENOUGH_TOKENS = 64;

/**
 * Ids are small numbers. Read at the right width nearly all are below 2^20; 32-bit ones have an upper half of 0 to 3, which two
 * neighbouring 16-bit ids hardly ever have for long.
 */
export function guessTokenDtype(bytes: Uint8Array): TokenDtypeGuess {
  const aligned = bytes.slice(0, bytes.byteLength - (bytes.byteLength % 8));
  const view = new DataView(aligned.buffer);
  const words = aligned.byteLength / 4;
  let small = 0;
  let zeroAtOdd = 0;
  let nonZeroAtEven = 0;
  for (let word = 0; word < words; word++) {
    const value = view.getUint32(4 * word, true);
    // -100 marks positions without a loss.
    if (value < HIGHEST_ID || value >= 0xffff_ff00) small += 1;
    if (word % 2 === 1 && (value === 0 || value === 0xffff_ffff)) zeroAtOdd += 1;
    if (word % 2 === 0 && value !== 0) nonZeroAtEven += 1;
  }
  const isMany = words >= ENOUGH_TOKENS && nonZeroAtEven > 0;
  if (words > 0 && small === words && zeroAtOdd === words / 2 && nonZeroAtEven > 0)
    return { dtype: 'i64', reason: 'the upper half of every eight bytes is empty', isSure: isMany };
  if (words > 0 && small >= 0.999 * words)
    return { dtype: 'u32', reason: 'every four bytes read as one number are below 2^20', isSure: isMany };
  if (areSingleBytes(aligned))
    return {
      dtype: 'u8',
      reason: 'the first and the second of every two bytes are alike, as in tokens of one byte',
      isSure: false,
    };
  return { dtype: 'u16', reason: 'four bytes read as one number are no ids, two are', isSure: words >= ENOUGH_TOKENS };
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
