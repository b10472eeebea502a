/** Failing inputs, in a folder that git ignores. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseInput, writeInput, type StoredInput } from './storedInput.js';

export const findingsFolder = path.resolve('fuzz/findings');

export interface Finding extends StoredInput {
  /** `crash`, `sums`, `output`, `hang`, `memory`. */
  kind: string;
  detail: string;
}

/** Errors are the same where they were thrown at the same place, whatever their numbers are. */
export function keyOfError(target: string, error: unknown): string {
  const text = error instanceof Error ? `${error.message}\n${(error.stack ?? '').split('\n')[1] ?? ''}` : String(error);
  return `${target} ${text.replaceAll(/[\d.]+/g, '#').slice(0, 300)}`;
}

/** What kind of finding an error is. */
export function kindOfError(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/^output:/.test(message)) return 'output';
  return /sum to|the report has/.test(message) ? 'sums' : 'crash';
}

/** Writes a finding and returns its file: the first line is the input, the rest is for people. */
export function writeFinding(finding: Finding): string {
  const line = writeInput(finding);
  const name = `${finding.target}-${finding.kind}-${createHash('sha256').update(line).digest('hex').slice(0, 8)}.txt`;
  mkdirSync(findingsFolder, { recursive: true });
  const file = path.join(findingsFolder, name);
  writeFileSync(file, `${line}\n\n${finding.detail}\n\nRepeat: npm run fuzz -- --repeat fuzz/findings/${name}\n`);
  return path.relative(process.cwd(), file);
}

export function readFinding(file: string): StoredInput {
  return parseInput(readFileSync(file, 'utf8').split('\n')[0] as string);
}
