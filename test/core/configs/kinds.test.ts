import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countModel } from '../../../src/core/configs/countModel.js';
import { configFixtureNames, configFixtures } from './configFixtures.js';
import { expectations } from './kindExpectations.js';
import { readFixture, readText } from './readConfigFixture.js';

describe('kinds of configs', () => {
  it.each(configFixtureNames())('%s', async (name) => {
    const read = await readFixture(path.join(configFixtures, name));
    const expected = expectations[name];
    expect(read?.id).toBe(expected?.kind);
    expect(read?.reading.plan).toEqual(expected?.plan);
    const counted = read === null ? null : (await countModel(read.reading.model, read.access)).model;
    const { counts, origin } = counted ?? { counts: null, origin: null };
    expect(counts === null ? null : { ...counts, ...(origin === null ? {} : { origin }) }).toEqual(expected?.model);
  });

  it('has a config of every kind', () => {
    const kinds = new Set(Object.values(expectations).map(({ kind }) => kind));
    expect(kinds.size).toBe(35);
  });

  const folder = path.join(configFixtures, 'not-configs');
  it.each(readdirSync(folder))('leaves %s alone', async (name) => {
    expect(await readText(name, readFileSync(path.join(folder, name), 'utf8'))).toBeNull();
  });
});
