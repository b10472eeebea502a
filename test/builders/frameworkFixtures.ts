/** Fixtures that frameworks wrote: folders `<family>/<case>` of test/fixtures/frameworks, each with `data` and `truth.json`. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './diskTree.js';

export type FixtureKind = 'checkpoint' | 'dataset' | 'config';

export const fixtureRoot = path.resolve('test/fixtures/frameworks');

/** Families that are no checkpoints. One that is not here is tested as checkpoints. */
export const otherKinds: Readonly<Record<string, FixtureKind>> = {
  configs: 'config',
  datasets: 'dataset',
  'megatron-indexed': 'dataset',
};

/** Families without a case here, and cases that are not tested, each with the reason. */
export const excludedFixtures: Readonly<Record<string, string>> = {
  megatron: 'each of its cases is too large for this repository; golden tests read them from the larger collection',
  'lightning/trainer-bf16-mixed-topk': 'of the larger collection: its link to a file became a text on its way here',
};

export const kindOf = (family: string): FixtureKind => otherKinds[family] ?? 'checkpoint';

/** Names of the folders in a folder. */
export function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The cases of a kind below a root, as `family/case`, without those that are excluded. */
export function casesBelow(root: string, kind: FixtureKind): string[] {
  return foldersIn(root)
    .filter((family) => kindOf(family) === kind)
    .flatMap((family) => foldersIn(path.join(root, family)).map((name) => `${family}/${name}`))
    .filter((name) => !Object.hasOwn(excludedFixtures, name));
}

/** The files of a fixture, as if they lay below a directory. */
export function fixtureBelow(name: string, under = ''): Record<string, Uint8Array> {
  const files = filesBelow(path.join(fixtureRoot, name, 'data'));
  return Object.fromEntries(Object.entries(files).map(([file, bytes]) => [path.posix.join(under, file), bytes]));
}
