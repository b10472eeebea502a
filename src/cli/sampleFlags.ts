import { given } from './flags.js';
import { UsageError } from './usageError.js';

/** The inputs of a sample by its flags. @throws UsageError */
export function sampleIn({ sample, seed }: { sample?: string; seed?: string }): { sampleShare?: number; seed?: number } {
  return {
    ...given('sampleShare', sample === undefined ? undefined : shareOf(sample)),
    ...given('seed', seed === undefined ? undefined : seedOf(seed)),
  };
}

/** `1%` or `0.01`. @throws UsageError */
function shareOf(text: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(text.trim()) ?? [];
  const share = Number(digits) / (percent === '%' ? 100 : 1);
  if (!(share > 0 && share <= 1)) throw new UsageError('--sample takes a share such as 1% or 0.01');
  return share;
}

/** @throws UsageError */
function seedOf(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > 0xffff_ffff)
    throw new UsageError('--seed takes a whole number from 0 to 4294967295');
  return Number(text);
}
