import { FormatError } from './formatError.js';

/** A u64 of a file as a number. Throws `corrupt` above 2^53 - 1, as no file is that large and a double would round it. */
export function toSafeInteger(value: bigint, what: string, offset?: number): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new FormatError('corrupt', `${what} is ${value}, more than any file has`, offset === undefined ? {} : { offset });
  }
  return Number(value);
}

/** Product of a shape's dimensions: 1 for a scalar; undefined where it leaves the integers that a double holds exactly. */
export function elementCount(shape: ArrayLike<number>): number | undefined {
  let product = 1;
  for (let index = 0; index < shape.length; index++) {
    product *= shape[index] ?? 0;
    // A later zero dimension would make any product zero, as it does in NumPy and torch.
    if (product > Number.MAX_SAFE_INTEGER) {
      for (let rest = index + 1; rest < shape.length; rest++) if (shape[rest] === 0) return 0;
      return undefined;
    }
  }
  return product;
}
