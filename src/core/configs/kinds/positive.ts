/** A number above 0; undefined for 0 and less, which stand for "all", "none" or "not told" in configs. */
export function positive(value: number | undefined): number | undefined {
  return value === undefined || value <= 0 ? undefined : value;
}
