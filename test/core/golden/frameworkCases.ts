import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

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

const own = path.resolve('test/fixtures/frameworks');
const shared = path.resolve('../shared/fixtures/frameworks');

export const datasetFamilies: readonly string[] = ['datasets', 'megatron-indexed'];

/** Every folder of fixtures, except datasets and the texts of training runs, which test/core/golden/configs.test.ts reads. */
export const checkpointFamilies: readonly string[] = readdirSync(own, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'configs' && !datasetFamilies.includes(entry.name))
  .map(({ name }) => name);

/** A case whose link to a file became a text on its way here. */
const leftOut = new Set(['lightning/trainer-bf16-mixed-topk']);

/** The cases of this repository, and all of the larger collection where it lies beside the checkout (as in CI). */
export function frameworkCases<T extends { checkpointPath?: string | null } = Truth>(
  families: readonly string[],
): FrameworkCase<T>[] {
  const hasShared = existsSync(shared);
  if (!hasShared)
    console.warn('The larger fixture collection is not beside this checkout: golden tests run over test/fixtures only.');
  return [own, ...(hasShared ? [shared] : [])].flatMap((root) => families.flatMap((family) => casesOf<T>(root, family)));
}

function casesOf<T extends { checkpointPath?: string | null }>(root: string, family: string): FrameworkCase<T>[] {
  const folder = path.join(root, family);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !leftOut.has(`${family}/${entry.name}`))
    .map((entry) => {
      const truth = JSON.parse(readFileSync(path.join(folder, entry.name, 'truth.json'), 'utf8')) as T;
      const where = root === own ? 'fixtures' : 'shared';
      return {
        name: `${where}: ${family}/${entry.name}`,
        path: path.join(folder, entry.name, 'data', truth.checkpointPath ?? ''),
        truth,
      };
    });
}
