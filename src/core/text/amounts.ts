const factors: Record<string, number> = { '': 1, k: 1e3, m: 1e6, g: 1e9, b: 1e9, t: 1e12 };

/** `15T`, `2.69e6`, `1,000,000`: an amount as people write it; null for what is none. Suffixes are decimal, `B` and `G` are 10^9. */
export function parseAmount(text: string): number | null {
  const [, number, suffix] =
    /^(\d{1,20}(?:\.\d{1,20})?(?:e\d{1,2})?)\s?([kmgbt]?)$/i.exec(text.trim().replace(/(?<=\d)[,_](?=\d{3})/g, '')) ?? [];
  if (number === undefined) return null;
  return Number((Number(number) * (factors[(suffix ?? '').toLowerCase()] ?? 1)).toPrecision(15));
}
