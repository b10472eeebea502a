import { readdirSync } from 'node:fs';
import path from 'node:path';

export const configFixtures = path.resolve('test/fixtures/configs');

/** Paths of all configs below test/fixtures/configs, `kind/name`. */
export function configFixtureNames(): string[] {
  return readdirSync(configFixtures, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'not-configs')
    .flatMap((entry) =>
      readdirSync(path.join(configFixtures, entry.name))
        .filter((name) => name.includes('.'))
        .map((name) => `${entry.name}/${name}`),
    );
}
