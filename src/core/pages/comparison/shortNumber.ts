/** `0.00123`: three digits of a measure of values. */
export function shortNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}
