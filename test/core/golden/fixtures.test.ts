/** Every folder of fixtures is tested, or excluded for a reason that is written down. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../../builders/diskTree.js';
import { casesBelow, excludedFixtures, fixtureRoot, foldersIn, kindOf, otherKinds } from '../../builders/frameworkFixtures.js';

/** Folders beside `frameworks`, each with the test that enumerates it. */
const otherFolders: Readonly<Record<string, string>> = {
  cluster: 'test/core/planning/cluster/clusterFacts.test.ts',
  dlio: 'test/system/cli/planExport.test.ts',
  'hub-cache': 'test/builders/hubCache.ts',
  comparison: 'test/core/comparison/values.test.ts',
  configs: 'test/core/configs/configFixtures.ts',
  'model-configs': 'test/core/configs/architectures/decoders.test.ts',
  optimizers: 'test/core/estimates/optimizerState.test.ts',
  load: 'test/core/loading/adapterCheck.test.ts',
  'loader-code': 'test/core/formats/loaderCode.test.ts',
  'pickle-imports': 'test/core/formats/pickleImports.test.ts',
  telemetry: 'test/core/runs/telemetry/telemetryInputs.test.ts',
  retention: 'test/core/retention/rotation.test.ts',
  'text-tables': 'test/hostile/tables.test.ts',
  tokenizers: 'test/core/datasets/publishedTokenizers.test.ts',
  values: 'test/core/values/numbers.test.ts',
  'weight-names': 'test/core/weightNames/nameFixtures.ts',
  verification: 'test/core/verification/fixtures.test.ts',
};

/** What a truth must answer: golden tests compare it, and a key that is misspelt would be compared with nothing. */
const answers = {
  checkpoint: ['step', 'worldSize', 'parameters', 'tensors', 'components', 'present'],
  dataset: ['tokens'],
  config: ['parameters', 'files'],
} as const;

/** What golden tests of each kind take as loose: not compared, or not exactly. */
const looseAnswers: Readonly<Record<string, readonly string[]>> = {
  checkpoint: ['step', 'worldSize', 'parameters', 'tensors', 'components', 'resume', 'diskBytes'],
  dataset: ['samples', 'tokens', 'tokenDtype', 'bytesPerToken', 'parameters', 'worldSize'],
  config: ['worldSize', 'parameters'],
};

const families = foldersIn(fixtureRoot);
const cases = families.flatMap((family) => foldersIn(path.join(fixtureRoot, family)).map((name) => ({ family, name })));

it('each folder of fixtures is enumerated by a test', () => {
  const root = path.dirname(fixtureRoot);
  expect(Object.keys(otherFolders).sort()).toEqual(foldersIn(root).filter((name) => name !== path.basename(fixtureRoot)));
  for (const [folder, test] of Object.entries(otherFolders)) expect(readFileSync(test, 'utf8')).toContain(`fixtures/${folder}`);
});

it('each family has a case, or is excluded', () => {
  const tested = new Set(
    cases.filter(({ family, name }) => !(`${family}/${name}` in excludedFixtures)).map(({ family }) => family),
  );
  expect(families.filter((family) => !tested.has(family) && !(family in excludedFixtures))).toEqual([]);
  expect(families.filter((family) => tested.has(family) && family in excludedFixtures)).toEqual([]);
  expect(Object.keys(otherKinds).filter((family) => !families.includes(family))).toEqual([]);
});

it('each truth.json is that of a case which golden tests compare', () => {
  const truths = Object.keys(filesBelow(fixtureRoot)).filter((file) => path.basename(file) === 'truth.json');
  const compared = (['checkpoint', 'dataset', 'config'] as const).flatMap((kind) => casesBelow(fixtureRoot, kind));
  expect(truths.map((file) => path.dirname(file)).sort()).toEqual(compared.sort());
});

describe.each(cases)('$family/$name', ({ family, name }) => {
  const folder = path.join(fixtureRoot, family, name);
  const kind = kindOf(family);

  it('has data, and a truth that answers what its golden test compares', () => {
    expect(existsSync(path.join(folder, 'truth.json'))).toBe(true);
    const truth = JSON.parse(readFileSync(path.join(folder, 'truth.json'), 'utf8')) as Record<string, unknown>;
    const files = Object.values(filesBelow(path.join(folder, 'data')));
    expect(files.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(truth['totalBytes']);
    expect(truth).toMatchObject({ family, case: name });
    expect(answers[kind].filter((key) => !(key in truth))).toEqual([]);
    const loose = (truth['loose'] ?? []) as string[];
    expect(loose.filter((key) => !looseAnswers[kind]?.includes(key))).toEqual([]);
  });
});
