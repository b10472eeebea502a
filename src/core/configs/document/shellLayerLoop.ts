/** How launch scripts write which layers have experts (slime, scripts/models/*.sh): a counted loop that fills an array, and the array printed as a list. */
import { limits } from '../../bytes/limits.js';

/** An array of numbers that a loop fills: `before` as long as the count is below `split`, then `after`. */
export interface LayerLoop {
  array: string;
  /** As they are written: numbers or names of variables. */
  count: string;
  split: string;
  before: string;
  after: string;
  length: number;
}

const loop =
  /^for\s*\(\(\s*([A-Za-z_]\w{0,100})\s*=\s*0\s*;\s*\1\s*<\s*\$?(\w{1,100})\s*;\s*\1\+\+\s*\)\)\s*;?\s*do\s+if\s*\(\(\s*\1\s*<\s*\$?(\w{1,100})\s*\)\)\s*;?\s*then\s+([A-Za-z_]\w{0,100})\+=\(([01])\)\s*;?\s*else\s+\4\+=\(([01])\)\s*;?\s*fi\s*;?\s*done\b/;

/** The loop that begins here; null for all other loops, of which nothing is followed. */
export function layerLoopAt(text: string, at: number): LayerLoop | null {
  if (!text.startsWith('for', at)) return null;
  const match = loop.exec(text.slice(at, at + 1000));
  if (match === null) return null;
  const [whole, , count = '', split = '', array = '', before = '', after = ''] = match;
  return { array, count, split, before, after, length: whole.length };
}

/** The numbers of a loop; null where a variable of it is not known, or it is too long. */
export function numbersOf(
  { count, split, before, after }: LayerLoop,
  valueOf: (name: string) => string | undefined,
): string[] | null {
  const [layers, dense] = [count, split].map((written) => (/^\d/.test(written) ? written : valueOf(written))).map(wholeNumber);
  if (layers === undefined || dense === undefined) return null;
  return Array.from({ length: layers }, (_, index) => (index < dense ? before : after));
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,5}$/.test(text) && Number(text) <= limits.configLoop ? Number(text) : undefined;
}

/** `printf -v NAME "[%s]" "$(IFS=', '; echo "${arr[*]}")"`. */
export interface PrintedArray {
  name: string;
  array: string;
  length: number;
}

const printed =
  /^printf\s+-v\s+([A-Za-z_]\w{0,100})\s+(['"])\[%s\]\2\s+"\$\(\s*IFS=(['"]?),\s?\3\s*;\s*echo\s+"\$\{([A-Za-z_]\w{0,100})\[\*\]\}"\s*\)"/;

export function printedArrayAt(text: string, at: number): PrintedArray | null {
  if (!text.startsWith('printf', at)) return null;
  const match = printed.exec(text.slice(at, at + 400));
  return match === null ? null : { name: match[1] ?? '', array: match[4] ?? '', length: match[0].length };
}
