import { usualSweep } from '../../core/bandwidth/sweep/sweepRequest.js';
import { limits } from '../../core/bytes/limits.js';
import { visibleText } from '../../core/text/visibleText.js';
import { UsageError } from '../usageError.js';

const flag = '--sweep';

/**
 * `--sweep` may stand alone, for the usual numbers, or before a list: what follows is one where it begins like a number or has a comma, and names no folder. A
 * directory that looks like a list is written with `./`.
 */
export function withSweepValue(args: readonly string[]): string[] {
  const at = args.indexOf(flag);
  if (at < 0) return [...args];
  const next = args[at + 1] ?? '';
  const isList = !/[/\\]/.test(next) && (/^[-+]?\d/.test(next) || next.includes(','));
  return [...args.slice(0, at), `${flag}=${isList ? next : usualSweep.join(',')}`, ...args.slice(at + (isList ? 2 : 1))];
}

/** The numbers of streams of a list. @throws UsageError for what is no list of numbers */
export function sweepOf(text: string): number[] {
  const parts = text.split(',', limits.sweepPoints + 1).map((part) => part.trim());
  if (!parts.every((part) => /^\d{1,6}$/.test(part)))
    throw new UsageError(`${flag} takes numbers of streams like ${usualSweep.join(',')}, not ${visibleText(text)}`);
  return parts.map(Number);
}
