import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { casesBelow, fixtureRoot, type FixtureKind } from '../../builders/frameworkFixtures.js';

/** A tensor as the framework that wrote the file sees it. */
export interface TruthTensor {
  name: string;
  dtype: string;
  shape: number[];
  component: string;
}

/** What a framework says of a checkpoint that it wrote; see the fixtures' own description. */
export interface Truth {
  family: string;
  layoutId?: string;
  checkpointPath?: string | null;
  totalBytes: number;
  step?: number | null;
  worldSize?: number | null;
  parameters?: number | null;
  parametersAlso?: number[];
  components?: Record<string, number>;
  present?: string[];
  loose?: string[];
  tensors?: TruthTensor[];
}

/** What a framework says of a dataset that it wrote. */
export interface DatasetTruth {
  family: string;
  checkpointPath?: string | null;
  layoutId?: string;
  totalBytes: number;
  samples?: number | null;
  documents?: number | null;
  tokens?: number | null;
  tokensExact?: boolean;
  tokenDtype?: string | null;
  bytesPerToken?: number | null;
  loose?: string[];
}

export interface FrameworkCase<T = Truth> {
  name: string;
  path: string;
  truth: T;
}

const shared = path.resolve('../shared/fixtures/frameworks');

/** The cases of this repository, and all of the larger collection where it lies beside the checkout (as in CI). */
export function frameworkCases<T extends { checkpointPath?: string | null } = Truth>(kind: FixtureKind): FrameworkCase<T>[] {
  const hasShared = existsSync(shared);
  if (!hasShared)
    console.warn('The larger fixture collection is not beside this checkout: golden tests run over test/fixtures only.');
  return [fixtureRoot, ...(hasShared ? [shared] : [])].flatMap((root) =>
    casesBelow(root, kind).map((name) => caseOf<T>(root, name)),
  );
}

function caseOf<T extends { checkpointPath?: string | null }>(root: string, name: string): FrameworkCase<T> {
  const truth = JSON.parse(readFileSync(path.join(root, name, 'truth.json'), 'utf8')) as T;
  return {
    name: `${root === fixtureRoot ? 'fixtures' : 'shared'}: ${name}`,
    path: path.join(root, name, 'data', truth.checkpointPath ?? ''),
    truth,
  };
}
