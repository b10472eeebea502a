/** Flags that take an amount with a unit. */
import { amountProblem, readQuantity } from '../core/planning/inputs/quantity.js';
import { UsageError } from './usageError.js';

/**
 * The amount of a flag in bytes or seconds; null where the flag is absent.
 * @param example of such an amount, for the message of a wrong one
 * @throws UsageError
 */
export function amountOf(flag: string, text: string | undefined, quantity: 'bytes' | 'seconds', example: string): number | null {
  if (text === undefined) return null;
  const read = readQuantity(text, quantity === 'bytes' ? { quantity, whole: true } : { quantity });
  if (!('value' in read)) throw new UsageError(`${flag} ${amountProblem(text, read.readings, example)}`);
  return read.value;
}
