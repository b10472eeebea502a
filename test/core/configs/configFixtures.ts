import path from 'node:path';
import { readdirSync } from 'node:fs';
import { filesBelow } from '../../builders/diskTree.js';
import { casesBelow, fixtureRoot, foldersIn } from '../../builders/frameworkFixtures.js';

export const configFixtures = path.resolve('test/fixtures/configs');

/** Paths of all configs below test/fixtures/configs, `kind/name`. */
export function configFixtureNames(): string[] {
  return foldersIn(configFixtures)
    .filter((folder) => folder !== 'not-configs')
    .flatMap((folder) =>
      readdirSync(path.join(configFixtures, folder))
        .filter((name) => name.includes('.'))
        .map((name) => `${folder}/${name}`),
    );
}

/** Paths of the configs that frameworks wrote, absolute. */
export function frameworkConfigs(): string[] {
  return casesBelow(fixtureRoot, 'config').flatMap((name) => {
    const folder = path.join(fixtureRoot, name, 'data');
    return Object.keys(filesBelow(folder)).map((file) => path.join(folder, file));
  });
}
