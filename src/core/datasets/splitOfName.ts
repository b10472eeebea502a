import { baseName, parentPath } from '../files/paths.js';

const names: Readonly<Record<string, string>> = {
  train: 'train',
  training: 'train',
  val: 'validation',
  valid: 'validation',
  validation: 'validation',
  dev: 'validation',
  eval: 'validation',
  test: 'test',
  testing: 'test',
};

/** The split that a file is part of, by its own name or by the directories above it; undefined where no name tells. */
export function splitOfName(path: string): string | undefined {
  const parts = [baseName(path), ...parentPath(path).split('/').reverse()];
  for (const part of parts) {
    const word = part
      .toLowerCase()
      .split(/[^a-z]+/)
      .find((piece) => Object.hasOwn(names, piece));
    if (word !== undefined) return names[word];
  }
  return undefined;
}
