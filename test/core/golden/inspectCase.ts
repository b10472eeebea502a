import { inspect } from '../../../src/core/inspection/inspect.js';
import { createNodeFileTree } from '../../../src/platform/nodeFileTree.js';

type Inspection = Awaited<ReturnType<typeof inspect>>;

const inspected = new Map<string, Promise<Inspection>>();

/** Inspects a fixture once for all tests of a worker: the same bytes give the same report. Its receivers do not change it. */
export function inspectCase(path: string): Promise<Inspection> {
  const known = inspected.get(path);
  if (known !== undefined) return known;
  const inspection = createNodeFileTree(path).then((tree) => inspect(tree, { path }));
  inspected.set(path, inspection);
  return inspection;
}
