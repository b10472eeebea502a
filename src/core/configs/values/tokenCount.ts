import type { Fields } from '../fields.js';

const units: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** Tokens as vLLM takes them: `32768`, `32k` (32,000), `32K` (32,768), `25.6k`; undefined for others (vllm/engine/arg_utils.py, human_readable_int). */
export function tokenCount(fields: Fields, ...names: readonly string[]): number | undefined {
  const written = fields.scalar(...names);
  const [, digits = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?)([kKmMgG]?)$/.exec(String(written ?? '')) ?? [];
  const tokens = Math.floor(Number(digits) * (units[unit] ?? 1));
  return digits !== '' && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}
