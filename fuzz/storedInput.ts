/** Inputs as text: one line of JSON with the files in base64. The corpus, findings and the copy for the watching thread have this form. */
import type { Input } from './target.js';

export interface StoredInput {
  target: string;
  input: Input;
}

export function writeInput({ target, input }: StoredInput): string {
  const files = Object.fromEntries(Object.entries(input).map(([path, bytes]) => [path, Buffer.from(bytes).toString('base64')]));
  return JSON.stringify({ target, files });
}

/** @throws SyntaxError for what is no stored input */
export function parseInput(line: string): StoredInput {
  const { target, files } = JSON.parse(line) as { target: string; files: Record<string, string> };
  const input = Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, new Uint8Array(Buffer.from(text, 'base64'))]),
  );
  return { target, input };
}
