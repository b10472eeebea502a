import { visibleText } from '../text/visibleText.js';
import { isFailure, type VerifiedFile } from './verification.js';

/** What stands for and against a file. */
export interface Evidence {
  /** A digest of the whole file matches. */
  isConfirmed: boolean;
  /** Of each mismatch the other files that its sum is from; none for sums within the file and those of the manifest. */
  mismatches: readonly (readonly string[])[];
}

/**
 * A sum that does not match is damage of the file with the bytes, or of the one with the sum. Where a digest confirms the bytes and the file with the sum is
 * damaged itself, the bytes are the same.
 * @returns the paths of damaged files, whose sums prove nothing
 */
export function attributeMismatches(outcomes: readonly { file: VerifiedFile; evidence?: Evidence }[]): ReadonlySet<string> {
  const damaged = new Set(
    outcomes.flatMap(({ file, evidence }) => (isFailure(file.status) && evidence?.isConfirmed !== true ? [file.path] : [])),
  );
  for (const { file, evidence } of outcomes) {
    if (file.status !== 'changed' || evidence?.isConfirmed !== true) continue;
    const sources = evidence.mismatches.flatMap((paths) => paths.find((path) => damaged.has(path)) ?? []);
    if (sources.length < evidence.mismatches.length) continue;
    file.status = 'same';
    file.damage = [];
    file.reason = `sums of it are in ${visibleText(sources[0] ?? '')}, which is damaged`;
  }
  return damaged;
}
