/** The furthest from 1970 that a Date reaches (ECMA-262, Time Values and Time Range), in milliseconds. */
const furthestMs = 8.64e15;

/** The time of a file in milliseconds since 1970; null for one that no date can hold, as file systems keep whatever they are given. */
export function fileTimeMs(ms: number): number | null {
  return Math.abs(ms) <= furthestMs ? ms : null;
}
