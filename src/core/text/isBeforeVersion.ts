/** Whether a version, as `1.5.10` or `4.34.0.dev0`, is below a release; false for one without two numbers at its beginning. */
export function isBeforeVersion(version: string | null, major: number, minor: number): boolean {
  const [, first, second] = /^(\d{1,4})\.(\d{1,4})/.exec(version ?? '') ?? [];
  if (first === undefined || second === undefined) return false;
  return Number(first) < major || (Number(first) === major && Number(second) < minor);
}
