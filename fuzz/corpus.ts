/** Inputs that led somewhere new, one a line: those of this repository (`fuzz/corpus`) and those of earlier runs (`.cache/fuzz/corpus`). */
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseInput, writeInput } from './storedInput.js';
import type { Input } from './target.js';

export const committedCorpus = path.resolve('fuzz/corpus');
export const cachedCorpus = path.resolve('.cache/fuzz/corpus');

/** Larger ones are not kept for the next run. */
const maxLineCharacters = 32 * 1024;

/** The inputs of a target in a folder; none where there is no such folder. */
export function readCorpus(folder: string, target: string): Input[] {
  const file = path.join(folder, `${target}.jsonl`);
  if (!existsSync(file)) return [];
  return linesOf(file).map((line) => parseInput(line).input);
}

/** Names of the targets that have a corpus. */
export function corpusTargets(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length));
}

/** Keeps an input for the next run. */
export function keepInput(target: string, input: Input): void {
  const line = writeInput({ target, input });
  if (line.length > maxLineCharacters) return;
  mkdirSync(cachedCorpus, { recursive: true });
  appendFileSync(path.join(cachedCorpus, `${target}.jsonl`), `${line}\n`);
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
