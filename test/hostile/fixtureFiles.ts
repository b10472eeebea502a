import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface FixtureFile {
  name: string;
  bytes: Uint8Array;
}

const root = path.resolve('test/fixtures/frameworks');

/** Data files of the repository's fixtures, by family and below a size; each name once. */
export function fixtureFiles(families: readonly string[], maxBytes: number): FixtureFile[] {
  return families.flatMap((family) =>
    (readdirSync(path.join(root, family), { recursive: true }) as string[])
      .filter((file) => file.split(path.sep).includes('data') && isDataFile(path.join(root, family, file), maxBytes))
      .map((file) => ({ name: `${family}/${file}`, bytes: new Uint8Array(readFileSync(path.join(root, family, file))) })),
  );
}

function isDataFile(file: string, maxBytes: number): boolean {
  const stat = statSync(file);
  return stat.isFile() && stat.size <= maxBytes && /\.(safetensors|pt|pth|bin|ckpt|pt2|npy|npz|gguf|h5|keras|onnx)$/.test(file);
}
