import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** Objects of a compressed file of test/fixtures/weight-names. */
export function linesOf<Line>(file: string): Line[] {
  const text = gunzipSync(readFileSync(`test/fixtures/weight-names/${file}`)).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
